/** A coding agent at the gateway: a client of the protocol, a runtime with artifacts, and files on a disk. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { connectInProcess } from 'rubicon-agents'
import { parseDeltas } from 'rubicon-artifacts'
import { createDirectDesk } from 'rubicon-artifacts/desk'
import type { JsonObject } from 'rubicon-kernel'
import {
  ARTIFACT_TOOLS,
  createFront,
  DELTA_EXAMPLES,
  openGateway,
  parseMcpConfig,
} from 'rubicon-mcp'
import { openArtifacts } from 'rubicon-runtime/artifacts'
import { compileSchema } from 'rubicon-runtime/capabilities'
import { sha256 } from 'rubicon-runtime/system'
import {
  type ArtifactStage,
  CLASS_A,
  openStage,
} from '../../../runtime/src/artifacts/artifact-stage.test-support.ts'
import { buildContract } from '../demo/contract.ts'
import { listForAgent } from './list-for-agent.ts'

const CODER = 'coder'
const X = 'src/a.ts class:A/method:x'
const ALL = [...ARTIFACT_TOOLS.values()].map(({ kind }) => kind)
const WRITING = ['artifact.plan', 'artifact.apply', 'artifact.withdraw']

type Place = { readonly stage: ArtifactStage; readonly client: Client }

async function openPlace(
  t: TestContext,
  kinds: readonly string[] = ALL,
  allowed: readonly string[] = ['src/a.ts class:A/*'],
): Promise<Place> {
  const stage = await openStage()
  const { runtime } = stage
  const config = parseMcpConfig({ agent: CODER, servers: {} })
  assert.ok(config.ok, JSON.stringify(config))
  const opened = openGateway(config.value, { tools: [] }, sha256)
  assert.ok(opened.ok)
  const gateway = opened.value
  const applies = (some: readonly string[]): string[] => some.filter((one) => kinds.includes(one))
  const [writes, reads] = [applies(WRITING), applies(ALL.filter((one) => !WRITING.includes(one)))]
  const resources = {
    ...(writes.length === 0 ? {} : { symbols: { allow: [...allowed], applies_to: writes } }),
    ...(reads.length === 0 ? {} : { read_symbols: { allow: ['src/*'], applies_to: reads } }),
  }
  await runtime.deploy(buildContract(CODER, kinds, { permissions: { resources } }))
  const front = createFront({
    agent: connectInProcess(runtime, { agent: CODER }),
    tools: () => gateway.tools,
    behind: {
      ...gateway.behind,
      list: (list) => listForAgent(gateway, runtime, list, CODER),
    },
    showFlow: (dfid) => `http://127.0.0.1:7400/flows/${dfid}`,
  })
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await front.connect(ours)
  await client.connect(theirs)
  t.after(async () => {
    await client.close()
    await stage.close()
    await gateway.close()
  })
  return { stage, client }
}

type Told = { readonly isError: boolean; readonly code: unknown; readonly texts: readonly string[] }

async function call({ client }: Place, name: string, args: JsonObject): Promise<Told> {
  const said = JSON.parse(JSON.stringify(await client.callTool({ name, arguments: { ...args } })))
  const { content, isError = false, _meta } = said
  const texts = content.map(({ text }: { text: string }) => text)
  return { isError, code: _meta?.['rubicon/code'], texts }
}

async function callFine(place: Place, name: string, args: JsonObject): Promise<JsonObject> {
  const { isError, texts } = await call(place, name, args)
  assert.equal(isError, false, texts.join('\n'))
  return JSON.parse(texts[0] ?? '')
}

async function listNames({ client }: Place): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name)
}

test('a kind that the contract does not have is listed', async (t) => {
  const some = await openPlace(t, ['artifact.list', 'artifact.read'])
  assert.deepEqual(await listNames(some), ['artifact_list', 'artifact_read', 'rubicon_result'])
  const asked = await call(some, 'artifact_plan', {
    symbols: [X],
    changes: [{ artifact: 'src/a.ts', deltas: [{ op: 'remove', target: 'class:B' }] }],
  })
  assert.deepEqual([asked.isError, asked.code], [true, 'RBAC_DENIED'])
  const all = await openPlace(t)
  assert.deepEqual(await listNames(all), [...ARTIFACT_TOOLS.keys(), 'rubicon_result'])
})

test('an agent finds a symbol, reads it, plans a change and applies it', async (t) => {
  const place = await openPlace(t)
  const { stage } = place
  const listed = await callFine(place, 'artifact_list', { below: 'src/' })
  assert.equal((listed.artifacts as JsonObject[]).length, 3)
  const symbols = await callFine(place, 'artifact_symbols', {
    symbol: 'src/a.ts class:A',
    depth: 1,
  })
  assert.deepEqual(
    (symbols.symbols as JsonObject[]).map(({ path }) => path),
    ['class:A/method:one', 'class:A/method:two'],
  )
  const read = await call(place, 'artifact_read', { symbol: 'src/a.ts class:A/method:one' })
  const [known = '', text = ''] = read.texts
  assert.match(text, /^\s*one\(\): number \{/)
  assert.equal(JSON.parse(known).data_of, 'project')
  const delta = { op: 'addMember', target: 'class:A', fragment: 'x(): number {\n  return 4\n}' }
  const base = JSON.parse(known).content_hash
  const changes = [{ artifact: 'src/a.ts', base, deltas: [delta] }]
  const { plan, symbols: written } = await callFine(place, 'artifact_plan', {
    symbols: [X],
    changes,
  })
  assert.equal(stage.read('src/a.ts'), CLASS_A)
  await callFine(place, 'artifact_apply', { plan: plan ?? '', symbols: written ?? [] })
  assert.match(stage.read('src/a.ts'), /x\(\): number \{\n {4}return 4/)
  await stage.verify()
})

test('a refusal says what is wrong, where, and what could have been meant', async (t) => {
  const place = await openPlace(t)
  const plan = (delta: JsonObject, symbols = [X]): Promise<Told> =>
    call(place, 'artifact_plan', { symbols, changes: [{ artifact: 'src/a.ts', deltas: [delta] }] })
  const missing = await plan({ op: 'remove', target: 'class:A/method:gone' })
  assert.match(
    missing.texts.join(),
    /Nothing happened[\s\S]*TARGET_MISSING[\s\S]*Candidates: .*method:one/,
  )
  const broken = await plan({ op: 'addMember', target: 'class:A', fragment: 'x(): number {' })
  assert.match(broken.texts.join(), /FRAGMENT_/)
  const outside = await plan({ op: 'remove', target: 'class:B/method:other' }, [
    'src/a.ts class:B/method:other',
  ])
  assert.equal(outside.isError, true)
  assert.match(String(outside.code), /SCOPE|RESOURCE/)
  assert.match(outside.texts.join('\n'), /^Outside: src\/.* \(`symbols`\)$/mu)
  const delta = { op: 'addMember', target: 'class:A', fragment: 'x(): number {\n  return 4\n}' }
  const changes = [{ artifact: 'src/a.ts', deltas: [delta] }]
  const planned = await callFine(place, 'artifact_plan', { symbols: [X], changes })
  const other = { plan: planned.plan ?? '', symbols: ['src/a.ts class:A/method:one'] }
  const applied = await call(place, 'artifact_apply', other)
  assert.match(applied.texts.join(), /PLAN_SYMBOLS: .*1 of them .* not of the plan: .*method:one/)
  assert.ok(!applied.texts.join().includes('method:x'), 'whose plan it is, is not looked at')
  const given = { plan: planned.plan ?? '', symbols: planned.symbols ?? [] }
  await callFine(place, 'artifact_withdraw', given)
  const late = await call(place, 'artifact_apply', given)
  assert.match(late.texts.join(), /PLAN_UNKNOWN/)
})

test('no path of the machine and nothing beyond the slice reaches an agent', async (t) => {
  const place = await openPlace(t)
  const { folder } = place.stage
  const asked: readonly (readonly [string, JsonObject])[] = [
    ['artifact_list', { below: 'src/' }],
    ['artifact_list', { below: '/' }],
    ['artifact_symbols', { symbol: 'src/a.ts' }],
    ['artifact_read', { symbol: 'src/a.ts class:A/method:one' }],
    ['artifact_read', { symbol: 'src/none.ts' }],
    ['artifact_read', { symbol: '../state/keys/issuer.pem' }],
    ['artifact_read', { symbol: `${folder}/project/src/a.ts` }],
    ['artifact_apply', { plan: `sha256:${'0'.repeat(64)}`, symbols: [X] }],
  ]
  for (const [name, args] of asked) {
    const { texts } = await call(place, name, args)
    const said = texts.join('\n')
    const given = JSON.stringify(args)
    if (!given.includes(folder)) assert.ok(!said.includes(folder), `${name} ${given}: ${said}`)
    assert.ok(!said.includes('PRIVATE KEY'), said)
    if (name === 'artifact_read') assert.ok(!said.includes('class B'), said)
  }
})

test('every delta of the description is one, and every tool takes what its kind takes', async (t) => {
  for (const example of DELTA_EXAMPLES) {
    const parsed = parseDeltas([JSON.parse(example)])
    assert.ok(parsed.ok, `${example}: ${JSON.stringify(parsed)}`)
  }
  const { capabilities, close } = openArtifacts({ desk: createDirectDesk() }, '', {
    readWorld: async () => [],
    loadScope: async () => () => () => false,
  })
  t.after(close)
  for (const { kind, definition } of ARTIFACT_TOOLS.values()) {
    const shown = definition.inputSchema as Schema
    assert.ok(compileSchema(shown).ok, kind)
    const taken = capabilities.find((one) => one.kind === kind)?.params as Schema
    assert.deepEqual(Object.keys(shown.properties).sort(), Object.keys(taken.properties).sort())
    assert.deepEqual([...shown.required].sort(), [...taken.required].sort(), kind)
  }
})

type Schema = JsonObject & { readonly properties: JsonObject; readonly required: string[] }
