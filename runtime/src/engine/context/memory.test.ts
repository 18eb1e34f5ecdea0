import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { type Effect, NotApplied } from '../../ports/capability.ts'
import type { PutRecord } from '../../ports/record.ts'
import { AGENT, layerStage } from './layer-stage.test-support.ts'

const refund = (amount: string, step_id = 'step-1') => ({
  policy_kind: 'REFUND',
  step_id,
  params: { amount },
})

test('finding 26b: an agent sees in its next context what it wanted, and why its last proposal was refused', async () => {
  const it = await layerStage()
  const flow = await it.open()
  const refused = await flow.propose({ ...refund('500.01'), justification: 'it\u200b broke' })
  assert.equal(refused.reason_code, 'LIMIT_EXCEEDED')
  const { memory } = await flow.refresh()
  assert.equal(memory.length, 1)
  const [entry] = memory
  assert.deepEqual(
    { ...entry, said: { ...entry?.said, details: '' } },
    {
      at: it.now(),
      dfid: flow.dfid,
      attempt: 1,
      policy_kind: 'REFUND',
      outcome: 'REJECTED',
      reason_code: 'LIMIT_EXCEEDED',
      summary: refused.feedback?.summary,
      tokens: entry?.tokens,
      said: { params: { amount: '500.01' }, rationale: 'it broke', details: '' },
    },
  )
  assert.match(entry?.said?.details ?? '', /"max":"500".*"value":"500.01"/)
  assert.ok((entry?.tokens ?? 0) > 10)
  const next = await it.open()
  assert.deepEqual(next.context.memory, memory, 'it is remembered in other flows, too')
  await it.close()
})

test('every way a proposal can end is remembered once, oldest first', async () => {
  let effect = (): Effect => ({ result: 'done' })
  const it = await layerStage({
    capability: { execute: () => effect() },
    contract: {
      permissions: { policy_kinds: ['REFUND'] },
      safety_rules: { escalate_on_uncertainty: '0.5', max_intent_retries: 2 },
    },
  })
  const ask = async (change: object = {}): Promise<void> => {
    const flow = await it.open()
    await flow.propose({ ...refund('1'), ...change })
    await it.clock.advance(1)
  }
  await ask()
  effect = () => {
    throw new NotApplied('no such account')
  }
  await ask()
  effect = () => {
    throw new Error('connection reset')
  }
  await ask()
  await ask({ confidence: 0.4 })
  const flow = await it.open()
  await flow.propose('not a proposal' as never)
  await it.clock.advance(1)
  await flow.propose({ policy_kind: 'BUY', params: {} })
  await it.clock.advance(1)
  const { memory } = (await it.open()).context
  assert.deepEqual(
    memory.map(({ outcome, reason_code, policy_kind }) => [outcome, reason_code, policy_kind]),
    [
      ['SUCCESS', null, 'REFUND'],
      ['FAILED', 'EFFECT_FAILED', 'REFUND'],
      ['UNKNOWN', 'OUTCOME_UNKNOWN', 'REFUND'],
      ['ESCALATED', 'UNCERTAINTY', 'REFUND'],
      ['REJECTED', 'SCHEMA_INVALID', null],
      ['EXHAUSTED', 'RBAC_DENIED', 'BUY'],
    ],
  )
  assert.equal(memory[0]?.summary, 'it was carried out')
  assert.deepEqual(memory[0]?.said, { params: { amount: '1' }, result: 'done' })
  await it.close()
})

test('what is said about a decision is short and shows nothing hidden', async () => {
  const it = await layerStage({
    capability: { precondition: () => `no\u200bway ${'x'.repeat(1000)}` },
  })
  const flow = await it.open()
  await flow.propose(refund('1'))
  const [entry] = (await flow.refresh()).memory
  assert.equal(entry?.reason_code, 'PRECONDITION_FAILED')
  assert.match(entry?.said?.details ?? '', /noway x+/)
  assert.ok((entry?.said?.details?.length ?? 0) <= LIMITS.memorySummaryLength + 1)
  await it.close()
})

test('of parameters and results nothing hidden is remembered, neither in their names', async () => {
  const params = {
    type: 'object',
    properties: { amount: { type: 'string' }, note: { type: 'string' } },
  }
  const result = { 'ref\u200berence': ['r\u200b-1', { text: 'do\u202ene\r\n' }], count: 3 }
  const it = await layerStage({ capability: { params, execute: () => ({ result }) } })
  const flow = await it.open()
  await flow.propose({ policy_kind: 'REFUND', params: { amount: '1', note: 'as\u00ad agreed' } })
  const [entry] = (await it.open()).context.memory
  assert.deepEqual(entry?.said, {
    params: { amount: '1', note: 'as agreed' },
    result: { reference: ['r-1', { text: 'done\n' }], count: 3 },
  })
  await it.close()
})

test('a decision and its memory are one unit: what is not durable is not remembered', async () => {
  let fails = false
  const it = await layerStage()
  const flow = await it.open()
  const { store } = it.runtime
  const commit = store.commit.bind(store)
  store.commit = async (unit) => {
    if (fails) throw new Error('the disk is full')
    return commit(unit)
  }
  fails = true
  await assert.rejects(flow.propose(refund('500.01')))
  fails = false
  assert.deepEqual((await flow.refresh()).memory, [])
  await it.close()
})

test('of each agent the newest decisions are kept', async () => {
  const it = await layerStage()
  const { store, engine } = it.runtime
  const writes = Array.from({ length: LIMITS.memoryKept + 700 }, (_, i) => past(i))
  await store.commit({ guards: [], writes })
  const kept = async (): Promise<readonly string[]> =>
    (await store.listRecords('memory', AGENT, { limit: 10_000 })).map(({ key }) => key)
  await engine.reconcile()
  assert.equal((await kept()).length, writes.length, 'nobody has decided anything yet')
  const flow = await it.open()
  for (let i = 1; i < 500; i++) engine.context.sweep.countDecision(AGENT)
  await engine.reconcile()
  assert.equal((await kept()).length, writes.length, 'nor often enough')
  assert.equal((await flow.propose(refund('1'))).outcome, 'ACCEPTED')
  await engine.reconcile()
  assert.equal((await kept()).length, writes.length + 1 - 500)
  await engine.reconcile()
  const left = await kept()
  assert.equal(left.length, LIMITS.memoryKept)
  assert.equal(left[0], past(701).key)
  await it.close()
})

function past(number: number): PutRecord<'memory'> {
  const body = {
    at: '2026-01-01T00:00:00.000Z',
    dfid: 'past',
    attempt: number,
    policy_kind: null,
    outcome: 'SUCCESS',
    reason_code: null,
    summary: 'it was carried out',
    tokens: 4,
  }
  const key = `${body.at}:${String(number).padStart(6, '0')}`
  return { kind: 'put_record', record: 'memory', group: AGENT, key, body }
}
