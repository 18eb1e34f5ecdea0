import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import {
  createScriptedProvider,
  type RuntimeOptions,
  type Script,
  type ScriptedReply,
} from '../../compose.ts'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { ModelFailure, type ModelProvider, type ModelRequest } from '../../ports/model.ts'
import { AGENT, type FlowStage, flowStage, plain, refund } from '../flow/flow-stage.test-support.ts'
import { iterateOpenGenerations } from '../rows/open-generations.ts'
import type { Generation } from './generate.ts'
import { startGeneration } from './start-generation.ts'

const PRICE = { input: '1.00', output: '2.00' }
const BUDGET = { tokens: '10000', usd: '1.00' }
const REQUEST: ModelRequest = {
  model: 'm-1',
  messages: [{ role: 'user', text: 'is the order refundable?' }],
  max_tokens: 100,
}

async function staged(
  script: Script,
  safety_rules: JsonObject = { budget_per_flow: BUDGET },
  options: RuntimeOptions = {},
): Promise<FlowStage> {
  const acme = createScriptedProvider({ script, price: PRICE })
  const stage = await flowStage({ models: { acme }, ...options })
  await stage.deploy({ safety_rules })
  return stage
}

async function open(stage: FlowStage): Promise<string> {
  return (await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })).dfid
}

async function asked(stage: FlowStage, dfid: string, change = {}): Promise<Generation> {
  const answer = await stage.engine().generate(dfid, { ...REQUEST, ...change })
  assert.ok(answer.ok, answer.ok ? '' : `${answer.error.code} ${answer.error.summary}`)
  return answer.value
}

async function refused(stage: FlowStage, dfid: string, change = {}): Promise<string> {
  const answer = await stage.engine().generate(dfid, { ...REQUEST, ...change })
  assert.ok(!answer.ok, 'it was refused')
  return answer.error.code
}

function said(input_tokens: number, output_tokens: number): ScriptedReply {
  return { text: 'yes', usage: { input_tokens, output_tokens } }
}

async function used(stage: FlowStage, dfid: string): Promise<readonly number[]> {
  const { store } = stage.runtime()
  return [await store.readCounter(`${dfid}:tokens`), await store.readCounter(`${dfid}:usd`)]
}

async function evidence(stage: FlowStage, dfid: string): Promise<readonly JsonObject[]> {
  const entries = await stage.entries(dfid)
  return entries.filter(([kind]) => kind === 'evidence').map(([, payload]) => payload)
}

async function openOnes(stage: FlowStage): Promise<number> {
  let count = 0
  for await (const _ of iterateOpenGenerations(stage.runtime().store)) count += 1
  return count
}

test('what a model was asked, said and cost stands in the flow', async () => {
  const stage = await staged([said(50, 20)])
  const dfid = await open(stage)
  const { generation_id, ...answer } = await asked(stage, dfid)
  assert.deepEqual(JSON.parse(JSON.stringify(answer)), {
    dfid,
    provider: 'acme',
    model: 'm-1',
    text: 'yes',
    calls: [],
    stop: 'end',
    usage: { input_tokens: 50, output_tokens: 20 },
    used: { tokens: '70', usd: '0.00009' },
    state: 'ACTIVE',
  })
  assert.deepEqual(await used(stage, dfid), [70, 90])
  const [entry] = await evidence(stage, dfid)
  const { writ_id: _w, request_hash, response_hash, ...rest } = plain(entry ?? {}) as JsonObject
  assert.deepEqual(JSON.parse(JSON.stringify(rest)), {
    source: 'model',
    finding: 'answered',
    generation_id,
    provider: 'acme',
    model: 'm-1',
    answered_by: 'm-1',
    usage: { input_tokens: 50, output_tokens: 20 },
    used: { tokens: '70', usd: '0.00009' },
    stop: 'end',
  })
  assert.match(`${request_hash} ${response_hash}`, /^sha256:[0-9a-f]{64} sha256:[0-9a-f]{64}$/)
  const kept = await stage.runtime().store.readRecord('generation_text', dfid, generation_id)
  assert.match(kept?.body.request ?? '', /is the order refundable/)
  assert.match(kept?.body.response ?? '', /"text":"yes"/)
  assert.equal(await openOnes(stage), 0)
  await stage.restart()
  assert.equal((await stage.engine().propose(dfid, refund())).outcome, 'ACCEPTED')
  await stage.close()
})

test('nothing is asked before the most that it can cost is reserved', async () => {
  const seen: (readonly number[])[] = []
  const provider: ModelProvider = {
    ...createScriptedProvider({ script: [said(1, 1)], price: PRICE }),
    async generate(request, io) {
      seen.push(await used(stage, dfid))
      return createScriptedProvider({ script: [said(1, 1)] }).generate(request, io)
    },
  }
  const stage = await staged([], undefined, { models: { acme: provider } })
  const dfid = await open(stage)
  await asked(stage, dfid)
  const [[tokens = 0, usd = 0] = []] = seen
  assert(tokens >= 1_100 && tokens < 2_000, `${tokens}`)
  assert.equal(usd, tokens - 100 + 200)
  assert.deepEqual(await used(stage, dfid), [2, 3])
  await stage.close()
})

test('what is not granted is not asked', async () => {
  let calls = 0
  const stage = await staged(
    () => {
      calls += 1
      return said(9_000, 100)
    },
    { budget_per_flow: { tokens: '10000', usd: '1.00' } },
  )
  const dfid = await open(stage)
  assert.equal(await refused(stage, dfid, { max_tokens: 9_000 }), 'BUDGET_EXCEEDED')
  assert.equal(calls, 0)
  await asked(stage, dfid)
  assert.equal(await refused(stage, dfid), 'BUDGET_EXCEEDED')
  assert.equal(calls, 1)
  assert.equal((await evidence(stage, dfid)).length, 1)
  await stage.close()
})

test('the window of the agent is held over its flows', async () => {
  const window = { budget_per_agent: { window_s: 3600, tokens: '2000' } }
  const stage = await staged(() => said(900, 100), window)
  await asked(stage, await open(stage))
  assert.equal(await refused(stage, await open(stage)), 'BUDGET_EXCEEDED')
  const id = `window ${AGENT} 3600 ${Math.floor(stage.clock.now() / 3_600_000)} tokens`
  assert.equal(await stage.runtime().store.readCounter(id), 1_000)
  await stage.close()
})

test('where the provider does not count, the largest possible is', async () => {
  const stage = await staged([{ text: 'yes', usage: null }])
  const dfid = await open(stage)
  const { used: counted, usage } = await asked(stage, dfid)
  assert.equal(usage, null)
  assert(Number(counted.tokens) > 1_100)
  assert.equal((await used(stage, dfid))[0], Number(counted.tokens))
  await stage.close()
})

test('usage above the budget is recorded whole, and ends the flow', async () => {
  const stage = await staged([said(50_000, 7)])
  const dfid = await open(stage)
  const answer = await asked(stage, dfid)
  assert.deepEqual([answer.state, answer.reason_code], ['ABORTED', 'COMPUTE_BUDGET_EXHAUSTED'])
  assert.equal((await used(stage, dfid))[0], 50_007)
  const kinds = (await stage.entries(dfid)).map(([kind]) => kind)
  assert.deepEqual(kinds, ['writ', 'evidence', 'rejection'])
  assert.equal(await refused(stage, dfid), 'FLOW_NOT_OPEN')
  await stage.restart()
  await stage.close()
})

test('a failure is on the record, and costs what it may have cost', async () => {
  const free = new ModelFailure('MODEL_RATE_LIMITED', 'slow', { charged: false, retryAfterMs: 7 })
  const paid = new ModelFailure('MODEL_REPLY_INVALID', 'prose', { charged: true, raw: 'I cannot' })
  const stage = await staged([free, paid])
  const dfid = await open(stage)
  const first = await stage.engine().generate(dfid, REQUEST)
  assert.ok(!first.ok)
  assert.equal(first.error.code, 'MODEL_RATE_LIMITED')
  assert.equal(first.error.meta?.retry_after_ms, 7)
  assert.deepEqual(await used(stage, dfid), [0, 0])
  assert.equal(await refused(stage, dfid), 'MODEL_REPLY_INVALID')
  assert((await used(stage, dfid))[0] !== 0)
  const [one, two] = await evidence(stage, dfid)
  assert.deepEqual(
    [one?.finding, one?.reason_code, one?.charged],
    ['failed', 'MODEL_RATE_LIMITED', false],
  )
  assert.deepEqual({ ...(one?.used as object) }, {})
  assert.equal(two?.charged, true)
  const id = String(two?.generation_id)
  const kept = await stage.runtime().store.readRecord('generation_text', dfid, id)
  assert.equal(kept?.body.response, 'I cannot')
  assert.equal(kept?.body.failure, 'prose')
  await stage.restart()
  await stage.close()
})

test('a provider that throws, or returns nonsense, is a failure without its words', async () => {
  const replies: readonly unknown[] = [
    undefined,
    null,
    'prose',
    { text: 'x' },
    { model: 'm', text: '\ud800', calls: [], stop: 'end', usage: null, raw: '' },
    { model: 'm', text: 'x', calls: [{}], stop: 'end', usage: null, raw: '' },
    { model: 'm', text: 'x', calls: [], stop: 'later', usage: null, raw: '' },
  ]
  const odd: ModelProvider = {
    name: 'odd',
    findPrice: () => PRICE,
    generate: async ({ seed = 0 }) => replies[seed] as never,
  }
  const throwing: ModelProvider = {
    name: 'throwing',
    findPrice: () => PRICE,
    generate: () => {
      throw new Error('sk-canary')
    },
  }
  const safety = { budget_per_flow: { tokens: '1000000', usd: '100.00' } }
  const stage = await staged([], safety, { models: { odd, throwing } })
  const dfid = await open(stage)
  for (const seed of replies.keys())
    assert.equal(await refused(stage, dfid, { provider: 'odd', seed }), 'MODEL_REPLY_INVALID')
  const failed = await stage.engine().generate(dfid, { ...REQUEST, provider: 'throwing' })
  assert.ok(!failed.ok && failed.error.code === 'MODEL_UNAVAILABLE')
  assert(!JSON.stringify([failed, await stage.entries(dfid)]).includes('canary'))
  const long = { model: 'm', text: 'x', calls: [], stop: 'end', usage: null, raw: 'x'.repeat(9e6) }
  const huge = { ...odd, generate: async () => long as never }
  await stage.close()
  const other = await staged([], safety, { models: { huge } })
  assert.equal(await refused(other, await open(other)), 'MODEL_REPLY_TOO_LONG')
  await other.close()
})

test('a provider that never answers is ended by the deadline', async () => {
  const hangs: ModelProvider = {
    name: 'hangs',
    findPrice: () => PRICE,
    generate: () => new Promise(() => {}),
  }
  const stage = await staged([], undefined, { models: { hangs } })
  const dfid = await open(stage)
  const waiting = stage.engine().generate(dfid, REQUEST)
  while ((await openOnes(stage)) === 0) await new Promise(setImmediate)
  await stage.clock.advance(120_000)
  const answer = await waiting
  assert.ok(!answer.ok && answer.error.code === 'MODEL_TIMEOUT')
  assert((await used(stage, dfid))[0] !== 0)
  const again = new AbortController()
  const second = stage.engine().generate(dfid, REQUEST, { signal: again.signal })
  while ((await openOnes(stage)) === 0) await new Promise(setImmediate)
  again.abort()
  const ended = await second
  assert.ok(!ended.ok && ended.error.code === 'MODEL_TIMEOUT')
  await stage.close()
})

test('what was under way when the runtime ended is lost, and is paid for', async () => {
  const stage = await staged([])
  const dfid = await open(stage)
  const started = await startGeneration(
    stage.engine().context,
    {
      generation_id: 'g-1',
      dfid,
      provider: 'acme',
      model: 'm-1',
      request: '{}',
      request_hash: `sha256:${'0'.repeat(64)}`,
      largest: { tokens: '1200', usd: '0.0013' },
    },
    true,
  )
  assert.ok(started.ok)
  await stage.restart()
  assert.equal(await openOnes(stage), 0)
  assert.deepEqual(await used(stage, dfid), [1_200, 1_300])
  const [lost] = await evidence(stage, dfid)
  assert.deepEqual([lost?.finding, lost?.generation_id], ['lost', 'g-1'])
  assert.deepEqual({ ...(lost?.used as object) }, { tokens: '1200', usd: '0.0013' })
  await stage.restart()
  assert.equal((await evidence(stage, dfid)).length, 1)
  await stage.close()
})

test('a runtime that stops waits for no model, and records what it asked', async () => {
  const hangs: ModelProvider = {
    name: 'hangs',
    findPrice: () => PRICE,
    generate: () => new Promise(() => {}),
  }
  const stage = await staged([], undefined, { models: { hangs } })
  const dfid = await open(stage)
  const waiting = stage.engine().generate(dfid, REQUEST)
  while ((await openOnes(stage)) === 0) await new Promise(setImmediate)
  await stage.restart()
  assert.ok(!(await waiting).ok)
  const [entry] = await evidence(stage, dfid)
  assert.deepEqual([entry?.finding, entry?.reason_code], ['failed', 'MODEL_TIMEOUT'])
  await stage.close()
})

test('who may not act asks no model', async () => {
  const stage = await staged(() => said(1, 1))
  const dfid = await open(stage)
  await stage
    .engine()
    .moveAgent({ agent_id: AGENT, to: 'SUSPENDED', actor: 'operator', justification: 'a test' })
  assert.equal(await refused(stage, dfid), 'AUTHORITY_REVOKED')
  assert.equal(await refused(stage, 'nobody'), 'FLOW_UNKNOWN')
  await stage.close()
})

test('what cannot be asked is refused before anything is reserved', async () => {
  const stage = await staged(() => said(1, 1))
  const dfid = await open(stage)
  assert.equal(await refused(stage, dfid, { provider: 'nobody' }), 'MODEL_UNKNOWN')
  assert.equal(await refused(stage, dfid, { provider: 'constructor' }), 'MODEL_UNKNOWN')
  const wrong: readonly object[] = [
    { max_tokens: 0 },
    { max_tokens: 1.5 },
    { max_tokens: 1_000_001 },
    { model: '' },
    { messages: [{ role: 'system', text: 'x' }] },
    { messages: [{ role: 'user', text: 'x', extra: 1 }] },
    { tools: [{ name: 'no name', description: '', params: {} }] },
    { output: { name: 'x' } },
    { temperature: 3 },
    { anything: 1 },
  ]
  for (const change of wrong)
    assert.equal(await refused(stage, dfid, change), 'SCHEMA_INVALID', JSON.stringify(change))
  const long = { messages: [{ role: 'user', text: 'x'.repeat(300_000) }] }
  assert.equal(await refused(stage, dfid, long), 'BODY_TOO_LARGE')
  assert.deepEqual(await used(stage, dfid), [0, 0])
  assert.equal((await stage.entries(dfid)).length, 1)
  await stage.close()
})

test('a model without a price is not asked where money is bounded', async () => {
  const acme = createScriptedProvider({ script: () => said(1, 1) })
  const stage = await staged([], undefined, { models: { acme } })
  assert.equal(await refused(stage, await open(stage)), 'MODEL_UNPRICED')
  await stage.close()
  const free = await staged([], { budget_per_flow: { tokens: '10000' } }, { models: { acme } })
  const { used: counted } = await asked(free, await open(free))
  assert.deepEqual({ ...counted }, { tokens: '2' })
  await free.close()
})

test('what was asked and said goes with the flow when it is erased', async () => {
  const stage = await staged([said(1, 1)])
  const dfid = await open(stage)
  const { generation_id } = await asked(stage, dfid)
  await stage.engine().close(dfid)
  const erased = await stage.engine().oversight.erase({ dfid, reason: 'asked for' })
  assert.ok(erased.ok, erased.ok ? '' : erased.error.summary)
  const { store } = stage.runtime()
  assert.equal(await store.readRecord('generation_text', dfid, generation_id), null)
  await stage.close()
})

test('both verifiers read what stands of models in a flow', async () => {
  const failure = new ModelFailure('MODEL_TIMEOUT', 'late', { charged: true, raw: 'half' })
  const counted = { text: 'x', usage: { input_tokens: 9, output_tokens: 2, cached_tokens: 3 } }
  const stage = await staged([counted, { text: 'y', usage: null }, failure])
  const dfid = await open(stage)
  await asked(stage, dfid)
  await asked(stage, dfid)
  await refused(stage, dfid)
  await stage.engine().close(dfid)
  const lines: string[] = []
  await stage.engine().checkpoint()
  await exportLedger(stage.runtime().store, (line) => void lines.push(line))
  assert.deepEqual(await foundByBoth(lines.join('')), [])
  await stage.close()
})

/** A provider that answers when the test says so. */
function createHeldProvider(reply: ScriptedReply): { provider: ModelProvider; answer: () => void } {
  const held = Promise.withResolvers<void>()
  const scripted = createScriptedProvider({ script: () => reply, price: PRICE })
  const provider: ModelProvider = {
    ...scripted,
    async generate(request, io) {
      await held.promise
      return scripted.generate(request, io)
    },
  }
  return { provider, answer: () => held.resolve() }
}

test('G3 a flow that ended meanwhile has the entry all the same, and its parent nothing too much', async () => {
  const { provider, answer } = createHeldProvider(said(900, 50))
  const child = { agent_id: 'helper_bot', version: '1.0.0' }
  const stage = await flowStage({ models: { acme: provider } })
  const permissions = { policy_kinds: ['REFUND', 'SPAWN_CHILD'] }
  await stage.deploy({ permissions, safety_rules: { budget_per_flow: BUDGET } })
  await stage.deploy({ ...child, safety_rules: { budget_per_flow: BUDGET } })
  const above = await stage.runtime().open({ agent: AGENT, trigger: 'ticket', steps: 'many' })
  const budget = { tokens: '3000', usd: '0.50', calls: '1' }
  const spawned = await above.spawn({ agent: child.agent_id, trigger: 'help', budget })
  assert.equal(spawned.outcome, 'ACCEPTED', JSON.stringify(spawned))
  const below = (await stage.flows()).find(({ parent_dfid }) => parent_dfid === above.dfid)
  assert.ok(below !== undefined)
  const waiting = stage.engine().generate(below.dfid, REQUEST)
  while ((await openOnes(stage)) === 0) await new Promise(setImmediate)
  const [reserved = 0] = await used(stage, below.dfid)
  const [before = 0] = await used(stage, above.dfid)
  assert.ok((await stage.engine().cancel(below.dfid, 'no longer needed')).ok)
  const [after = 0] = await used(stage, above.dfid)
  assert.equal(before - after, 3_000 - reserved)
  const erased = await stage.engine().oversight.erase({ dfid: below.dfid, reason: 'asked for' })
  assert.ok(!erased.ok && erased.error.code === 'ERASURE_WAITS')
  answer()
  const made = await waiting
  assert.ok(made.ok, made.ok ? '' : made.error.code)
  assert.equal(made.value.state, 'ABORTED')
  assert.deepEqual((await used(stage, below.dfid))[0], 950)
  assert.equal((await evidence(stage, below.dfid)).length, 1)
  await stage.restart()
  await stage.close()
})

test('requests of one flow that wait at the same time have a bound, and so have all of them', async () => {
  const { provider, answer } = createHeldProvider(said(1, 1))
  const stage = await staged(
    [],
    { budget_per_flow: { tokens: '1000000', usd: '10' } },
    {
      models: { acme: provider },
    },
  )
  const dfid = await open(stage)
  const waiting = Array.from({ length: 4 }, () => stage.engine().generate(dfid, REQUEST))
  while ((await openOnes(stage)) < 4) await new Promise(setImmediate)
  assert.equal(await refused(stage, dfid), 'GENERATIONS_FULL')
  answer()
  for (const one of await Promise.all(waiting)) assert.ok(one.ok)
  assert.equal((await stage.engine().generate(dfid, REQUEST)).ok, true)
  await stage.close()
})

test('nothing starts where somebody took out what was reserved for a model', async () => {
  const stage = await staged([])
  const dfid = await open(stage)
  const about = { generation_id: 'g-1', dfid, provider: 'acme', model: 'm-1' }
  const hashed = { request: '{}', request_hash: `sha256:${'0'.repeat(64)}` } as const
  const largest = { tokens: '1200', usd: '0.0013' }
  const { context } = stage.engine()
  assert.ok((await startGeneration(context, { ...about, ...hashed, largest }, true)).ok)
  const drop = {
    kind: 'drop_record',
    record: 'generation',
    group: 'open',
    key: `${dfid} g-1`,
  } as const
  assert.ok((await context.store.commit({ guards: [], writes: [drop] })).ok)
  await assert.rejects(stage.restart(), /it is 1200, and was 0/)
})
