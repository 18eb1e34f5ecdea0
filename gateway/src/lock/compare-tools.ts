/** What servers say now, against what was agreed to. */
import type { Sha256 } from 'rubicon-kernel'
import { computePin, type ToolDefinition } from '../definition/tool-definition.ts'
import type { ListedTools } from '../upstream/list-tools.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { buildToolManifest } from './build-manifest.ts'
import type { LockedTool, ToolLock } from './lock-file.ts'
import { type ToolClass, UNREVIEWED } from './tool-class.ts'

/**
 * `agreed`: as it was. `unreviewed`: as it was, and nobody has said what it is. `new`, `changed`, `gone`: against the
 * lock. `refused`: it cannot be governed. `unknown`: its server does not answer.
 */
export type ToolState = 'agreed' | 'changed' | 'gone' | 'new' | 'refused' | 'unknown' | 'unreviewed'

export type ComparedTool = {
  readonly server: string
  readonly tool: string
  readonly state: ToolState
  readonly class: ToolClass | null
  readonly agreed?: ToolDefinition
  readonly found?: ToolDefinition
  /** Why it is refused or not known. */
  readonly why?: string
}

/** `waitMs`: how long each is waited for; absent: as long as one may take to be started. */
export type CompareOptions = { readonly waitMs?: number }

export async function compareTools(
  servers: ReadonlyMap<string, Upstream>,
  lock: ToolLock,
  sha256: Sha256,
  options: CompareOptions = {},
): Promise<readonly ComparedTool[]> {
  const compared = await Promise.all(
    [...servers.values()].map((server) => compareServer(server, lock, sha256, options)),
  )
  return compared.flat()
}

async function compareServer(
  server: Upstream,
  { tools }: ToolLock,
  sha256: Sha256,
  { waitMs }: CompareOptions,
): Promise<readonly ComparedTool[]> {
  const own = tools.filter((one) => one.server === server.name)
  const listed = await listWithin(server, waitMs).catch((cause: unknown) => cause)
  if (listed instanceof Error || typeof listed !== 'object' || listed === null)
    return own.map((one) => describeUnknown(one, describeAbsence(server, listed)))
  const { definitions, refused } = listed as Awaited<ReturnType<Upstream['listTools']>>
  const names = own.map(({ definition }) => definition.name)
  return [
    ...own.map((one) => compareTool(one, definitions.get(one.definition.name), sha256)),
    ...[...definitions.values()]
      .filter(({ name }) => !names.includes(name))
      .map((found) => describeNew(server.name, found, sha256)),
    ...refused.map(({ name, why }) => describeRefused(server.name, name, why)),
  ]
}

/** It goes on for whoever asks next. */
async function listWithin(server: Upstream, waitMs: number | undefined): Promise<ListedTools> {
  if (waitMs === undefined) return server.listTools()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('it does not answer')), waitMs)
  return Promise.race([server.listTools(), late.promise]).finally(() => clearTimeout(timer))
}

/** For whoever looks, and no model: what the server wrote last stands there too. */
function describeAbsence({ errors }: Upstream, cause: unknown): string {
  const said = errors.describeNewest()
  return said === '' ? String(cause) : `${String(cause)}; it wrote last: ${said}`
}

function compareTool(
  { server, definition: agreed, class: said }: LockedTool,
  found: ToolDefinition | undefined,
  sha256: Sha256,
): ComparedTool {
  const base = { server, tool: agreed.name, class: said, agreed }
  if (found === undefined) return { ...base, state: 'gone' }
  if (computePin(found, sha256) !== computePin(agreed, sha256)) {
    const why = findUngovernable(server, found, sha256)
    return why === null
      ? { ...base, state: 'changed', found }
      : { ...base, state: 'refused', found, why }
  }
  return { ...base, state: said === null ? 'unreviewed' : 'agreed', found }
}

function describeNew(server: string, found: ToolDefinition, sha256: Sha256): ComparedTool {
  const why = findUngovernable(server, found, sha256)
  const base = { server, tool: found.name, class: null, found }
  return why === null ? { ...base, state: 'new' } : { ...base, state: 'refused', why }
}

/** Why no rule can be made of it, whatever anybody says of it, or null. */
function findUngovernable(
  server: string,
  definition: ToolDefinition,
  sha256: Sha256,
): string | null {
  const manifest = buildToolManifest(server, definition, UNREVIEWED, sha256)
  return manifest.ok ? null : (manifest.error.why ?? manifest.error.summary)
}

function describeRefused(server: string, tool: string, why: string): ComparedTool {
  return { server, tool, state: 'refused', class: null, why }
}

function describeUnknown(
  { server, definition, class: said }: LockedTool,
  why: string,
): ComparedTool {
  return { server, tool: definition.name, state: 'unknown', class: said, agreed: definition, why }
}
