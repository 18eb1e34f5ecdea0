/** A client, the gateway, a runtime and servers behind, in one process but for the servers. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { type AgentConnection, connectInProcess } from 'rubicon-agents'
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import { createRuntime } from 'rubicon-runtime'
import { sha256 } from 'rubicon-runtime/system'
import {
  createFront,
  type FrontOptions,
  type Gateway,
  openGateway,
  parseMcpConfig,
  type ToolClass,
} from '../index.ts'

export const READ: ToolClass = { effect: 'read', reversible: true, risk: 'low', touches: 'none' }

export type FrontPlace = {
  readonly client: Client
  readonly gateway: Gateway
  readonly agent: AgentConnection
}

export type FrontSetting = {
  readonly servers: JsonObject
  readonly permissions: JsonObject
  /** Server → names of tools that are agreed to as they are now, as what only reads. */
  readonly agreed?: Readonly<Record<string, readonly string[]>>
  readonly options?: Partial<FrontOptions>
  readonly wrapAgent?: (agent: AgentConnection) => AgentConnection
}

export async function openFront(t: TestContext, setting: FrontSetting): Promise<FrontPlace> {
  const { servers, permissions, agreed = {}, options = {}, wrapAgent = (one) => one } = setting
  const config = parseMcpConfig({ agent: 'desk', servers })
  assert.ok(config.ok, JSON.stringify(config))
  const first = openGateway(config.value, { tools: [] }, sha256)
  assert.ok(first.ok)
  const tools = []
  for (const [server, names] of Object.entries(agreed)) {
    const listed = await first.value.servers.get(server)?.listTools()
    for (const [name, definition] of listed?.definitions ?? [])
      if (names.includes(name)) tools.push({ server, definition, class: READ })
  }
  await first.value.close()
  const opened = openGateway(config.value, { tools }, sha256)
  assert.ok(opened.ok, JSON.stringify(opened))
  const gateway = opened.value
  const { capabilities } = gateway
  const runtime = await createRuntime({ store: 'memory', capabilities, report: () => {} })
  await runtime.deploy({
    ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
    ...{ agent_id: 'desk', version: '1.0.0', owner: 'jane.doe@example.com' },
    ...{ effective_from: '2025-01-01', role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
    mission: 'Answer customers.',
    permissions,
  })
  const agent = wrapAgent(connectInProcess(runtime, { agent: 'desk' }))
  const front = createFront({
    agent,
    tools: () => gateway.tools,
    behind: gateway.behind,
    showFlow: (dfid) => `http://127.0.0.1:7400/flows/${dfid}`,
    ...options,
  })
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await front.connect(ours)
  await client.connect(theirs)
  t.after(async () => {
    await client.close()
    await runtime.close()
    await gateway.close()
  })
  return { client, gateway, agent }
}

export async function callTool(
  client: Client,
  name: string,
  args: JsonObject = {},
): Promise<JsonObject> {
  return JSON.parse(JSON.stringify(await client.callTool({ name, arguments: { ...args } })))
}

export function readMeta({ _meta: meta }: JsonObject, name: string): JsonValue | undefined {
  return isObject(meta ?? null) ? (meta as JsonObject)[name] : undefined
}

/** The error of the protocol that it ends in. */
export async function catchProblem(
  work: Promise<unknown>,
): Promise<{ readonly message: string; readonly code: unknown }> {
  return work.then(
    () => assert.fail('it was answered'),
    (cause: unknown) => {
      assert.ok(cause instanceof Error && 'data' in cause)
      const data = cause.data as JsonObject
      return { message: cause.message, code: data?.['rubicon/code'] }
    },
  )
}

/** Until it is so. */
export async function waitUntil(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo(); waited += 20) {
    assert.ok(waited < 5_000, 'it is not so after five seconds')
    await new Promise((done) => setTimeout(done, 20))
  }
}
