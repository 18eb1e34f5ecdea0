import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { connectInProcess } from 'rubicon-agents'
import { isObject, type JsonObject } from 'rubicon-kernel'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { sha256 } from 'rubicon-runtime/system'
import {
  compareTools,
  createFront,
  formatLock,
  type Gateway,
  nameProcessConversation,
  openGateway,
  parseLock,
  parseMcpConfig,
  type ToolClass,
  type ToolLock,
} from './index.ts'

const EVERYTHING = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)
const READ: ToolClass = { effect: 'read', reversible: true, risk: 'low', touches: 'none' }
const READING = ['echo', 'get-sum', 'get-structured-content']

const client = new Client({ name: 'test', version: '1' })
let gateway: Gateway
let runtime: Runtime

function open(lock: ToolLock): Gateway {
  const config = parseMcpConfig({
    agent: 'desk',
    servers: { everything: { command: [process.execPath, EVERYTHING] } },
  })
  assert.ok(config.ok, JSON.stringify(config))
  const opened = openGateway(config.value, lock, sha256)
  assert.ok(opened.ok, JSON.stringify(opened))
  return opened.value
}

/** As somebody would agree to them: everything that the server has, some of it looked at. */
async function agree(): Promise<ToolLock> {
  const empty = open({ tools: [] })
  const compared = await compareTools(empty.servers, { tools: [] }, sha256)
  await empty.close()
  assert.deepEqual(new Set(compared.map(({ state }) => state)), new Set(['new']))
  const tools = compared.flatMap(({ server, found }) =>
    found === undefined
      ? []
      : [{ server, definition: found, class: READING.includes(found.name) ? READ : null }],
  )
  const read = parseLock(JSON.parse(formatLock({ tools })))
  assert.ok(read.ok)
  return read.value
}

before(async () => {
  gateway = open(await agree())
  const { capabilities } = gateway
  runtime = await createRuntime({ store: 'memory', capabilities, report: () => {} })
  const kinds = [...READING, 'get-env'].map((name) => `mcp.everything.${name}`)
  await runtime.deploy({
    ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
    ...{ agent_id: 'desk', version: '1.0.0', owner: 'jane.doe@example.com' },
    ...{ effective_from: '2025-01-01', role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
    mission: 'Answer customers.',
    permissions: {
      policy_kinds: kinds,
      limits: [{ id: 'a', field: '/a', max: '10', applies_to: ['mcp.everything.get-sum'] }],
    },
    safety_rules: { requires_human_approval: ['mcp.everything.get-env'] },
  })
  const front = createFront({
    agent: connectInProcess(runtime, { agent: 'desk' }),
    tools: () => gateway.tools,
    waitMs: 50,
    conversation: nameProcessConversation('1'),
    showFlow: (dfid) => `http://127.0.0.1:7400/flows/${dfid}`,
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await front.connect(ours)
  await client.connect(theirs)
})

after(async () => {
  await client.close()
  await runtime.close()
  await gateway.close()
})

async function call(name: string, args: JsonObject): Promise<JsonObject> {
  const result = await client.callTool({ name, arguments: { ...args } })
  return JSON.parse(JSON.stringify(result))
}

function readCode({ _meta: meta }: JsonObject): unknown {
  return isObject(meta) ? meta['rubicon/code'] : undefined
}

test('tools of a server are shown under its name, with what became of calls beside them', async () => {
  const { tools } = await client.listTools()
  const names = tools.map(({ name }) => name)
  assert.ok(names.includes('everything__echo'))
  assert.ok(names.includes('rubicon_result'))
})

test('an allowed call is answered with what the tool said', async () => {
  const { content } = await call('everything__get-sum', { a: 2, b: 3 })
  assert.deepEqual(content, [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }])
  const weather = await call('everything__get-structured-content', { location: 'Chicago' })
  assert.ok(isObject(weather.structuredContent))
})

test('an argument beyond a limit of the contract is refused before the server hears of it', async () => {
  assert.equal(readCode(await call('everything__get-sum', { a: 20, b: 3 })), 'LIMIT_EXCEEDED')
})

test('a tool that the contract does not grant is refused', async () => {
  assert.equal(readCode(await call('everything__get-tiny-image', {})), 'RBAC_DENIED')
})

test('arguments that the schema does not have are refused, and what is wrong is named', async () => {
  const answer = await call('everything__echo', { mesage: 'a' })
  assert.equal(readCode(answer), 'ARGUMENTS_INVALID')
  assert.match(JSON.stringify(answer.content), /Wrong: must have required property 'message'/)
})

test('a tool that nobody has looked at waits for a person, and says where', async () => {
  const answer = await call('everything__get-env', {})
  assert.equal(readCode(answer), 'PENDING_APPROVAL')
  assert.match(JSON.stringify(answer.content), /http:\/\/127\.0\.0\.1:7400\/flows\//)
})

test('whoever asks what became of a call that waits is told so, and does not wait for the person', async () => {
  const { _meta: meta } = await call('everything__get-env', {})
  const dfid = isObject(meta) ? (meta['rubicon/dfid'] ?? '') : ''
  assert.equal(readCode(await call('rubicon_result', { dfid })), 'PENDING')
  assert.equal(readCode(await call('rubicon_result', { dfid: 'x' })), 'ARGUMENTS_INVALID')
})

test('a call that waits is resumed by whoever asks for the same, and not asked for twice', async () => {
  const read = ({ _meta: meta }: JsonObject): unknown => isObject(meta) && meta['rubicon/dfid']
  const first = await call('everything__get-env', {})
  assert.equal(read(await call('everything__get-env', {})), read(first))
})

test('a call under the key of its client is carried out once, and with other arguments refused', async () => {
  const ask = async (a: number, key: unknown): Promise<JsonObject> => {
    const _meta = { 'rubicon/idempotencyKey': key }
    const params = { name: 'everything__get-sum', arguments: { a, b: 1 }, _meta }
    return JSON.parse(JSON.stringify(await client.callTool(params)))
  }
  const first = await ask(2, 'k-1')
  assert.deepEqual(await ask(2, 'k-1'), first, 'the same flow')
  assert.notDeepEqual(await ask(2, 'k-2'), first)
  assert.equal(readCode(await ask(3, 'k-1')), 'CALL_REUSED')
  for (const key of [7, '', 'x'.repeat(20_000), '\ud800'])
    assert.equal(readCode(await ask(2, key)), 'ARGUMENTS_INVALID', JSON.stringify(key).slice(0, 9))
})

test('a name that no tool has is answered with a code', async () => {
  assert.equal(readCode(await call('everything__nothing', {})), 'TOOL_UNKNOWN')
  assert.equal(readCode(await call('echo', { message: 'a' })), 'TOOL_UNKNOWN')
  const misspelt = await call('everything__ecoh', { message: 'a' })
  assert.match(JSON.stringify(misspelt), /Did you mean `everything__echo`\?/)
})
