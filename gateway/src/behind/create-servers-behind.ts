/** The servers behind a front in the process that holds them. */
import {
  type JsonObject,
  parseShownName,
  type Sha256,
  toMcpReadKind,
  toShownName,
} from 'rubicon-kernel'
import { computePin, type ToolDefinition } from '../definition/tool-definition.ts'
import { listReadMethods } from '../lock/build-read-manifest.ts'
import { MCP_LIMITS } from '../mcp-limits.ts'
import type { ServerNotices } from '../notices/server-notices.ts'
import type { ThingList } from '../upstream/listed-things.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { AbsentServers } from './absent-servers.ts'
import {
  findSoleResourceServer,
  type MayRead,
  type McpList,
  type ServersBehind,
} from './servers-behind.ts'
import { toShownUri } from './shown-uri.ts'

export type BehindParts = {
  readonly servers: ReadonlyMap<string, Upstream>
  /** Those that were agreed to, by the names that clients see. */
  readonly tools: ReadonlyMap<string, ToolDefinition>
  readonly notices: ServerNotices
  readonly sha256: Sha256
}

export function createServersBehind(parts: BehindParts): ServersBehind {
  const absent = new AbsentServers(parts.notices)
  return {
    list: (list, mayRead = () => true) =>
      list === 'tools' ? listTools(parts, absent) : listThings(parts, absent, list, mayRead),
    soleResourceServer: findSoleResourceServer(parts.servers),
    follow: (handler) => parts.notices.follow(handler),
  }
}

async function listTools(
  { servers, tools, sha256 }: BehindParts,
  absent: AbsentServers,
): Promise<readonly JsonObject[]> {
  const names = [...tools.keys()].map(getServerName)
  const found = await askEach(absent, 'tools', servers, names, async (server) => {
    const { definitions } = await server.listTools()
    return [...definitions.values()].map(
      (one) => [toShownName(server.name, one.name), one] as const,
    )
  })
  const pins = new Map(found.map(([name, one]) => [name, computePin(one, sha256)]))
  return [...tools]
    .filter(([name, agreed]) => pins.get(name) === computePin(agreed, sha256))
    .map(([name, agreed]) => ({ ...agreed, name }))
}

function getServerName(shown: string): string {
  return parseShownName(shown)?.server ?? ''
}

async function listThings(
  { servers }: BehindParts,
  absent: AbsentServers,
  list: ThingList,
  mayRead: MayRead,
): Promise<readonly JsonObject[]> {
  const method = list === 'prompts' ? 'prompts/get' : 'resources/read'
  const isRead = ({ config, name }: Upstream): boolean =>
    listReadMethods(config).includes(method) && mayRead(toMcpReadKind(name, method))
  const names = [...servers.values()].filter(isRead).map(({ name }) => name)
  return askEach(absent, list, servers, names, async (server) => {
    const things = await server.listThings(list)
    return things.flatMap((thing) => showThing(server.name, list, thing))
  })
}

function showThing(server: string, list: ThingList, thing: JsonObject): readonly JsonObject[] {
  if (list === 'prompts') {
    const name = toShownName(server, String(thing.name))
    return name === undefined ? [] : [{ ...thing, name }]
  }
  const member = list === 'resources' ? 'uri' : 'uriTemplate'
  return [{ ...thing, [member]: toShownUri(server, String(thing[member])) }]
}

/** All at once, and each for so long: one that does not answer has nothing to show, and hides nobody else's. */
async function askEach<Item>(
  absent: AbsentServers,
  list: McpList,
  servers: ReadonlyMap<string, Upstream>,
  names: readonly string[],
  ask: (server: Upstream) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  const meant = [...servers.values()].filter(({ name }) => names.includes(name))
  const lists = await Promise.all(
    meant.map(async (server) => {
      const asked = ask(server).catch(() => null)
      const found = await Promise.race([asked, resolveLate()])
      if (found === null) absent.awaitList({ server, list, ask: () => ask(server) })
      return found ?? []
    }),
  )
  return lists.flat()
}

function resolveLate(): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), MCP_LIMITS.listMs).unref()
  })
}
