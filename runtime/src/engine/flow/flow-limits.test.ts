/** What the engine keeps of a flow's limits: retries over restarts, and windows to the millisecond. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { AGENT, type FlowStage, flowStage, refund } from './flow-stage.test-support.ts'

async function staged(change: Parameters<FlowStage['deploy']>[0] = {}): Promise<FlowStage> {
  const stage = await flowStage()
  await stage.deploy(change)
  return stage
}

/** Proposes to a flow of an earlier runtime. */
async function proposeTo(stage: FlowStage, { dfid, context }: Flow, more: object) {
  const { agent_id, snapshot_id: context_ref, mission_context_hash } = context
  const flow = { dfid, agent_id, context_ref, mission_context_hash }
  return stage.engine().propose(dfid, { ...flow, ...more })
}

test('the retry governor counts over restarts: the third rejection ends the flow', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  assert.equal((await flow.propose(refund('501'))).outcome, 'REJECTED')
  await stage.restart()
  assert.equal((await proposeTo(stage, flow, refund('502'))).outcome, 'REJECTED')
  assert.equal((await stage.flow(flow.dfid)).rejections, 2)
  await stage.restart()
  const third = await proposeTo(stage, flow, refund('503'))
  assert.deepEqual([third.outcome, third.reason_code], ['EXHAUSTED', 'REASONING_EXHAUSTION'])
  await stage.restart()
  assert.equal((await proposeTo(stage, flow, refund())).reason_code, 'FLOW_NOT_OPEN')
  const { state, history } = await stage.flow(flow.dfid)
  assert.equal(state, 'ABORTED')
  assert.deepEqual(history.at(-1)?.from, 'VALIDATING')
  await stage.close()
})

test('a flow that was rejected twice before a restart can still be right once', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  for (const amount of ['501', '502']) await flow.propose(refund(amount))
  await stage.restart()
  assert.equal((await proposeTo(stage, flow, refund())).outcome, 'ACCEPTED')
  await stage.close()
})

test('transient refusals have a limit of their own, which counts over restarts too', async () => {
  let answers = false
  const stage = await flowStage({
    sources: [
      {
        source_id: 'desk',
        label: 'trusted',
        paths: [`agent.${AGENT}.drawdown_pct`],
        read: async (paths) => {
          if (!answers) throw new Error('the market does not answer')
          return paths.map((path) => ({
            path,
            value: '0',
            observed_at: formatInstant(stage.clock.now()),
            version: '1',
          }))
        },
      },
    ],
  })
  await stage.deploy({ safety_rules: { max_drawdown_limit_pct: '4' } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  for (let i = 1; i < LIMITS.transientRetries; i += 1) {
    const refused = await proposeTo(stage, flow, refund())
    assert.deepEqual([refused.outcome, refused.reason_code], ['REJECTED', 'STATE_UNAVAILABLE'])
    if (i === 5) await stage.restart()
  }
  const { rejections, transient_rejections } = await stage.flow(flow.dfid)
  assert.deepEqual([rejections, transient_rejections], [0, LIMITS.transientRetries - 1])
  const last = await proposeTo(stage, flow, refund())
  assert.deepEqual([last.outcome, last.reason_code], ['EXHAUSTED', 'CONTENTION_EXHAUSTION'])
  answers = true
  assert.equal((await proposeTo(stage, flow, refund())).reason_code, 'FLOW_NOT_OPEN')
  await stage.close()
})

for (const [late, outcome, code] of [
  [-1, 'ACCEPTED', undefined],
  [0, 'REJECTED', 'TTL_EXPIRED'],
] as const) {
  test(`a proposal ${late} ms after its valid_until is ${outcome}`, async () => {
    const stage = await staged()
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
    const valid_until = formatInstant(stage.clock.now() + 1_000)
    await stage.clock.advance(1_000 + late)
    const answer = await flow.propose({ ...refund(), valid_until })
    assert.deepEqual([answer.outcome, answer.reason_code], [outcome, code])
    await stage.close()
  })
}

for (const [late, outcome, code] of [
  [0, 'ACCEPTED', undefined],
  [1, 'REJECTED', 'EXECUTION_CONSTRAINT_VIOLATED'],
] as const) {
  test(`${late} ms after its validity window a proposal is ${outcome}`, async () => {
    const stage = await staged()
    const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
    await stage.clock.advance(30_000 + late)
    const execution_constraints = { validity_window_sec: 30 }
    const answer = await flow.propose({ ...refund(), execution_constraints })
    assert.deepEqual([answer.outcome, answer.reason_code], [outcome, code])
    await stage.close()
  })
}

test('the writ of a flow ends a day after it opened', async () => {
  const stage = await staged({ jit_verification: { max_context_age_seconds: 604_800 } })
  const inside = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const outside = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await stage.clock.advance(LIMITS.flowWritMs - 1)
  assert.equal((await inside.propose(refund())).outcome, 'ACCEPTED')
  await stage.clock.advance(1)
  assert.equal((await outside.propose(refund())).reason_code, 'WRIT_EXPIRED')
  await stage.close()
})
