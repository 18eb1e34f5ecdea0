/**
 * The gateway over its two files: servers behind it, and the tools of the lock as capabilities. No server is started
 * here. The law is known from the lock alone, and is the same whether a server answers or not.
 */
import {
  err,
  type Failure,
  ok,
  type Result,
  type Sha256,
  type ToolManifest,
  toShownName,
} from 'rubicon-kernel'
import { toCapability } from 'rubicon-runtime/capabilities'
import type { Capability } from 'rubicon-runtime/ports'
import { createServersBehind } from './behind/create-servers-behind.ts'
import type { ServersBehind } from './behind/servers-behind.ts'
import { fillTexts } from './config/fill-texts.ts'
import type { McpConfig } from './config/mcp-file.ts'
import type { ToolDefinition } from './definition/tool-definition.ts'
import { buildToolManifest, refuseTool } from './lock/build-manifest.ts'
import { buildReadManifest, listReadMethods } from './lock/build-read-manifest.ts'
import type { ToolLock } from './lock/lock-file.ts'
import { UNREVIEWED } from './lock/tool-class.ts'
import { type AwaitedNotices, awaitNotices, type NoticesAsked } from './notices/await-notices.ts'
import { ServerNotices } from './notices/server-notices.ts'
import { createMcpHands, type TellDrift } from './upstream/mcp-hands.ts'
import { Upstream } from './upstream/upstream.ts'

export type Gateway = {
  readonly agent: string
  readonly servers: ReadonlyMap<string, Upstream>
  readonly capabilities: readonly Capability[]
  /** Those of the gateway among them as another tenant has them, of whose calls no client of this one is told. */
  toBeside(capabilities: readonly Capability[]): readonly Capability[]
  /** What clients see, by the names that they see. */
  readonly tools: ReadonlyMap<string, ToolDefinition>
  /** What clients are shown of the servers as they are now, and told of what these say. */
  readonly behind: ServersBehind
  /** What servers say unasked, for a front in another process. */
  awaitNotices(asked: NoticesAsked): Promise<AwaitedNotices>
  close(): Promise<void>
}

export function openGateway(
  config: McpConfig,
  lock: ToolLock,
  sha256: Sha256,
  onDrift: TellDrift = () => {},
): Result<Gateway, Failure> {
  const notices = new ServerNotices()
  const servers = new Map(
    [...config.servers].map(([name, one]) => [
      name,
      new Upstream(name, one, {
        readTexts: (server) => fillTexts(config, server),
        onChanged: (list) => notices.tellChanged(list),
        onLog: (log) => notices.tellLog(name, log),
      }),
    ]),
  )
  const hands = createMcpHands(servers, sha256, { notices, onDrift })
  const handsBeside = createMcpHands(servers, sha256, { notices, onDrift, isBeside: true })
  const capabilities = new Map<Capability, Capability>()
  const addCapability = (manifest: ToolManifest): void => {
    capabilities.set(toCapability(manifest, hands), toCapability(manifest, handsBeside))
  }
  const tools = new Map<string, ToolDefinition>()
  for (const { server, definition, class: said } of lock.tools) {
    if (!servers.has(server))
      return err(refuseTool(server, definition.name, 'the MCP file has no such server'))
    const manifest = buildToolManifest(server, definition, said ?? UNREVIEWED, sha256)
    if (!manifest.ok) return manifest
    addCapability(manifest.value)
    tools.set(toShownName(server, definition.name) ?? '', definition)
  }
  for (const [server, one] of config.servers)
    for (const method of listReadMethods(one)) {
      const manifest = buildReadManifest(server, method)
      if (!manifest.ok) return manifest
      addCapability(manifest.value)
    }
  return ok({
    agent: config.agent,
    servers,
    capabilities: [...capabilities.keys()],
    toBeside: (all) => all.map((one) => capabilities.get(one) ?? one),
    tools,
    behind: createServersBehind({ servers, tools, notices, sha256 }),
    awaitNotices: (asked) => awaitNotices(notices, asked),
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()))
    },
  })
}
