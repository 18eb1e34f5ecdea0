import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import type { Effect } from '../../ports/capability.ts'
import { AGENT, type FlowStage, flowStage, plain, refund } from '../flow/flow-stage.test-support.ts'
import type { Usage, UsageAnswer } from './usage.ts'

const budget = { budget_per_flow: { tokens: 10_000, usd: '0.50' } }
const child = { agent_id: 'helper_bot', version: '1.0.0' }

async function staged(safety_rules: object = budget): Promise<FlowStage> {
  const stage = await flowStage()
  const permissions = { policy_kinds: ['REFUND', 'SPAWN_CHILD'] }
  await stage.deploy({ permissions, safety_rules: safety_rules as typeof budget })
  return stage
}

async function report(stage: FlowStage, dfid: string, used: Usage): Promise<UsageAnswer> {
  const answer = await stage.engine().usage(dfid, used)
  assert.ok(answer.ok, answer.ok ? '' : answer.error.code)
  return answer.value
}

async function refused(stage: FlowStage, dfid: string, used: Usage): Promise<string> {
  const answer = await stage.engine().usage(dfid, used)
  assert.ok(!answer.ok)
  return answer.error.code
}

test('of 10,000 tokens the last one is granted, and the next one ends the flow', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await report(stage, flow.dfid, { tokens: 9_999 })
  const all = await report(stage, flow.dfid, { tokens: '1' })
  assert.deepEqual(JSON.parse(JSON.stringify(all)), {
    dfid: flow.dfid,
    state: 'ACTIVE',
    estimate: true,
    used: { tokens: '10000' },
    granted: { tokens: '10000' },
  })
  const more = await report(stage, flow.dfid, { tokens: 1 })
  assert.deepEqual([more.state, more.reason_code], ['ABORTED', 'COMPUTE_BUDGET_EXHAUSTED'])
  assert.equal((await flow.propose(refund())).reason_code, 'FLOW_NOT_OPEN')
  assert.equal(await refused(stage, flow.dfid, { tokens: 1 }), 'FLOW_NOT_OPEN')

  const entries = await stage.entries(flow.dfid)
  const kinds = entries.map(([kind]) => kind)
  assert.deepEqual(kinds, ['writ', 'evidence', 'evidence', 'evidence', 'rejection', 'rejection'])
  const { writ_id: _, ...usage } = plain(entries[3]?.[1] ?? {}) as Record<string, unknown>
  assert.deepEqual(usage, { source: 'agent', used: { tokens: '1' } })
  assert.deepEqual(plain(entries[4]?.[1] ?? {}), {
    attempt: 0,
    received: '',
    trace: [],
    stage: 'queue',
    gate: null,
    reason_code: 'COMPUTE_BUDGET_EXHAUSTED',
    details: {
      measures: ['tokens'],
      used: { tokens: '10001' },
      granted: { tokens: '10000' },
      estimate: true,
    },
    ended_flow: 'COMPUTE_BUDGET_EXHAUSTED',
  })
  await stage.close()
})

test('money is counted to the millionth, and what passes the budget is recorded whole', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  assert.equal((await flow.usage({ usd: '0.50', tokens: 3 })).state, 'ACTIVE')
  const over = await flow.usage({ usd: '7.000001' })
  assert.equal(over.state, 'ABORTED')
  assert.equal(over.used.usd, '7.500001')
  await stage.close()
})

test('a measure that nobody bounds is counted and ends nothing', async () => {
  const stage = await staged({})
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await report(stage, flow.dfid, { tokens: 1_000_000_000, gpu_seconds: 1.5 })
  const answer = await report(stage, flow.dfid, { gpu_seconds: '0.25' })
  assert.deepEqual({ ...answer.used }, { gpu_seconds: '1.75' })
  assert.deepEqual({ ...answer.granted }, {})
  assert.equal((await flow.propose(refund())).outcome, 'ACCEPTED')
  await stage.close()
})

test('a report that cannot be counted is refused and leaves no trace', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const before = await stage.flow(flow.dfid)
  const wrong: readonly Usage[] = [
    {},
    { tokens: -1 },
    { tokens: Number.NaN },
    { tokens: 0.5 },
    { tokens: '1_000' },
    { tokens: Number.MAX_SAFE_INTEGER },
    { tokens: 1, usd: '0.0000001' },
    { calls: 1 },
  ]
  for (const used of wrong) {
    assert.equal(await refused(stage, flow.dfid, used), 'USAGE_INVALID', JSON.stringify(used))
  }
  const named = await stage.engine().usage(flow.dfid, { tokens: 1 }, { report: 'a b' })
  assert.ok(!named.ok && named.error.code === 'USAGE_INVALID')
  assert.equal(await refused(stage, 'nobody', { tokens: 1 }), 'FLOW_UNKNOWN')
  assert.deepEqual(await stage.flow(flow.dfid), before)
  assert.equal((await stage.entries(flow.dfid)).length, 1)
  await stage.close()
})

test('more than any store can count is not counted', async () => {
  const stage = await staged({})
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { store } = stage.runtime()
  const id = `${flow.dfid}:tokens`
  const by = Number.MAX_SAFE_INTEGER - 5
  assert.ok((await store.commit({ guards: [], writes: [{ kind: 'count', id, by }] })).ok)
  await report(stage, flow.dfid, { tokens: 5 })
  assert.equal(await refused(stage, flow.dfid, { tokens: 1 }), 'USAGE_INVALID')
  await stage.close()
})

test('a report that overflows the window of the agent is refused, and is no bug', async () => {
  const stage = await staged({ budget_per_agent: { window_s: 60, tokens: 10 } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const id = `window ${AGENT} 60 ${Math.floor(stage.clock.now() / 60_000)} tokens`
  const by = Number.MAX_SAFE_INTEGER - 5
  const { store } = stage.runtime()
  assert.ok((await store.commit({ guards: [], writes: [{ kind: 'count', id, by }] })).ok)
  await report(stage, flow.dfid, { tokens: 5 })
  assert.equal(await refused(stage, flow.dfid, { tokens: 1 }), 'USAGE_INVALID')
  await stage.close()
})

test('a report with a name is counted once, also when it ended the flow', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  for (let times = 0; times < 3; times += 1) {
    const answer = await flow.usage({ tokens: 6_000 }, { report: 'call-1' })
    assert.deepEqual([answer.used.tokens, answer.state], ['6000', 'ACTIVE'])
  }
  for (let times = 0; times < 2; times += 1) {
    const answer = await flow.usage({ tokens: 6_000 }, { report: 'call-2' })
    assert.deepEqual([answer.used.tokens, answer.state], ['12000', 'ABORTED'])
    assert.equal(answer.reason_code, 'COMPUTE_BUDGET_EXHAUSTED')
  }
  await stage.close()
})

test('reports that come together all count', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await Promise.all(Array.from({ length: 20 }, () => flow.usage({ tokens: 500 })))
  assert.equal((await flow.usage({ usd: '0.01' })).state, 'ACTIVE')
  assert.equal((await flow.usage({ tokens: 1 })).used.tokens, '10001')
  await stage.close()
})

test('a restart forgets nothing of what was used', async () => {
  const stage = await staged()
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await report(stage, dfid, { tokens: 9_999 })
  await stage.restart()
  assert.equal((await report(stage, dfid, { tokens: 1 })).state, 'ACTIVE')
  await stage.restart()
  assert.equal((await report(stage, dfid, { tokens: 1 })).state, 'ABORTED')
  await stage.close()
})

test('a child has a tenth of each measure, and its usage counts against that', async () => {
  const stage = await staged()
  await stage.deploy({ ...child, safety_rules: budget })
  const parent = await stage.runtime().open({ agent: AGENT, trigger: 'plan', steps: 'many' })
  const request = { agent: 'helper_bot', trigger: 'step', parent: parent.dfid }
  const first = await stage.runtime().open(request)
  assert.equal((await first.usage({ tokens: 400 })).granted.tokens, '1000')
  const { store } = stage.runtime()
  assert.equal(await store.readCounter(`${parent.dfid}:tokens`), 1_000, 'reserved')
  await first.cancel('done')
  assert.equal(await store.readCounter(`${parent.dfid}:tokens`), 400, 'what was left came back')

  const second = await stage.runtime().open(request)
  const over = await second.usage({ tokens: 1_001, usd: '0.05' })
  assert.deepEqual([over.state, over.granted.usd], ['ABORTED', '0.05'])
  assert.equal(await store.readCounter(`${parent.dfid}:tokens`), 1_400, 'nothing of it was left')
  assert.equal((await parent.usage({ tokens: 8_600 })).state, 'ACTIVE', 'to the last token')
  assert.equal((await parent.usage({ tokens: 1 })).state, 'ABORTED')
  await stage.close()
})

test('a child may be given more or less than a tenth, and never more than there is', async () => {
  const stage = await staged()
  await stage.deploy({ ...child, safety_rules: budget })
  const parent = await stage.runtime().open({ agent: AGENT, trigger: 'plan', steps: 'many' })
  const request = { agent: 'helper_bot', trigger: 'step', parent: parent.dfid }
  const generous = await stage.runtime().open({ ...request, budget: { tokens: '7000' } })
  const asked = await generous.usage({ tokens: 1, usd: '0.01' })
  assert.deepEqual({ ...asked.granted }, { tokens: '7000', usd: '0.05' })
  const greedy = stage.runtime().open({ ...request, budget: { tokens: '3001' } })
  await assert.rejects(greedy, { code: 'BUDGET_EXCEEDED' })
  await stage.runtime().open({ ...request, budget: { tokens: '3000' } })
  const late = stage.runtime().open(request)
  await assert.rejects(late, { code: 'BUDGET_EXCEEDED' })
  await stage.close()
})

test('its own contract binds a child whose parent has no such bound', async () => {
  const stage = await staged({})
  await stage.deploy({ ...child, safety_rules: { budget_per_flow: { tokens: 50 } } })
  const parent = await stage.runtime().open({ agent: AGENT, trigger: 'plan', steps: 'many' })
  const request = { agent: 'helper_bot', trigger: 'step', parent: parent.dfid }
  const flow = await stage.runtime().open(request)
  assert.equal((await flow.usage({ tokens: 50 })).state, 'ACTIVE')
  assert.equal((await flow.usage({ tokens: 1 })).state, 'ABORTED')
  await stage.close()
})

test('while an effect is on its way the flow goes on, and nothing is accepted after it', async () => {
  const answered = Promise.withResolvers<Effect>()
  const sent = Promise.withResolvers<void>()
  const slow = {
    ...exampleCapability(() => {}),
    execute: () => {
      sent.resolve()
      return answered.promise
    },
  }
  const stage = await flowStage({ capabilities: [slow] })
  await stage.deploy({ safety_rules: budget })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket', steps: 'many' })
  const first = flow.propose(refund())
  await sent.promise
  const during = await flow.usage({ tokens: 10_001 })
  assert.deepEqual([during.state, during.reason_code], ['EXECUTING', 'COMPUTE_BUDGET_EXHAUSTED'])
  answered.resolve({ result: 'done' })
  assert.equal((await first).outcome, 'ACCEPTED')
  assert.equal((await stage.flow(flow.dfid)).state, 'ACTIVE')
  const second = await flow.propose(refund('1.00', 'step-2'))
  assert.equal(second.reason_code, 'BUDGET_EXCEEDED')
  assert.deepEqual(second.feedback?.details, {
    amounts: { tokens: { asked: '0', left: '0', limit: '10000', unit: 'tokens' } },
    measures: ['tokens'],
  })
  assert.equal((await flow.usage({ tokens: 1 })).state, 'ABORTED')
  await stage.close()
})

test('a session reports for the flows of its own agent only', async () => {
  const stage = await staged()
  await stage.deploy({ ...child })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const tokenOf = async (agent: string): Promise<string> => {
    const greeted = await stage.engine().handshake({ agent })
    return greeted.ok ? greeted.value.session_token : assert.fail(greeted.error.code)
  }
  const session = await tokenOf('helper_bot')
  const foreign = await stage.engine().usage(flow.dfid, { tokens: 1 }, { session })
  assert.ok(!foreign.ok && foreign.error.code === 'IDENTITY_MISMATCH')
  const own = await flow.usage({ tokens: 1 }, { session: await tokenOf(AGENT) })
  assert.equal(own.used.tokens, '1')
  await stage.close()
})

test('thinking is no decision: a report does not move the flow on in time', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { updated_at } = await stage.flow(flow.dfid)
  await stage.clock.advance(60_000)
  await flow.usage({ tokens: 1 })
  assert.equal((await stage.flow(flow.dfid)).updated_at, updated_at)
  await stage.close()
})
