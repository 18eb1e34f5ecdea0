/**
 * The gateway over its two files: servers behind it, and the tools of the lock as capabilities. No server is started
 * here. The law is known from the lock alone, and is the same whether a server answers or not.
 */
import { err, type Failure, ok, type Result, type Sha256, toShownName } from 'rubicon-kernel'
import { toCapability } from 'rubicon-runtime/capabilities'
import type { Capability } from 'rubicon-runtime/ports'
import { fillTexts } from './config/fill-texts.ts'
import type { McpConfig } from './config/mcp-file.ts'
import type { ToolDefinition } from './definition/tool-definition.ts'
import { buildToolManifest, refuseTool } from './lock/build-manifest.ts'
import type { ToolLock } from './lock/lock-file.ts'
import { UNREVIEWED } from './lock/tool-class.ts'
import { createMcpHands, type TellDrift } from './upstream/mcp-hands.ts'
import { Upstream } from './upstream/upstream.ts'

export type Gateway = {
  readonly agent: string
  readonly servers: ReadonlyMap<string, Upstream>
  readonly capabilities: readonly Capability[]
  /** What clients see, by the names that they see. */
  readonly tools: ReadonlyMap<string, ToolDefinition>
  close(): Promise<void>
}

export function openGateway(
  config: McpConfig,
  lock: ToolLock,
  sha256: Sha256,
  onDrift?: TellDrift,
): Result<Gateway, Failure> {
  const servers = new Map(
    [...config.servers].map(([name, one]) => [
      name,
      new Upstream(name, one, { readTexts: (server) => fillTexts(config, server) }),
    ]),
  )
  const hands = createMcpHands(servers, sha256, onDrift)
  const capabilities: Capability[] = []
  const tools = new Map<string, ToolDefinition>()
  for (const { server, definition, class: said } of lock.tools) {
    if (!servers.has(server))
      return err(refuseTool(server, definition.name, 'the MCP file has no such server'))
    const manifest = buildToolManifest(server, definition, said ?? UNREVIEWED, sha256)
    if (!manifest.ok) return manifest
    capabilities.push(toCapability(manifest.value, hands))
    tools.set(toShownName(server, definition.name) ?? '', definition)
  }
  return ok({
    agent: config.agent,
    servers,
    capabilities,
    tools,
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()))
    },
  })
}
