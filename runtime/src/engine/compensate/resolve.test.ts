import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Resolution } from '../saga/resolution.ts'
import {
  buy,
  marketCapability,
  newMarket,
  type SagaStage,
  sagaStage,
  sell,
} from './saga-stage.test-support.ts'

const word = { evidence: { statement: 's-12' }, justification: 'seen at the bank', by: 'jane' }
const says = (outcome: Resolution['outcome']): Resolution => ({ outcome, ...word })

/** An unsafe SELL whose answer is lost goes to a person. */
async function inReview(
  steps: 'one' | 'many' = 'one',
  more: Partial<Capability> = { effect: 'unsafe' },
): Promise<{ readonly it: SagaStage; readonly dfid: string }> {
  const market = newMarket()
  const it = await sagaStage({
    market,
    capabilities: [marketCapability(market, 'SELL', more), marketCapability(market, 'BUY')],
  })
  const flow = await it.runtime().open({ agent: 'trader', trigger: 'sell', steps })
  market.does = more.effect === 'unsafe' ? { SELL: 'lose' } : {}
  await sell(flow)
  for (let round = 0; round < 3; round++) {
    await it.clock.advance(60_000)
    await it.engine().reconcile()
  }
  assert.equal((await it.row(flow.dfid, 'sell'))?.status, 'MANUAL_REVIEW')
  market.does = {}
  return { it, dfid: flow.dfid }
}

async function held(it: SagaStage): Promise<number> {
  return (await it.runtime().store.listRecords('lock', 'asset:A', { limit: 10 })).length
}

test('what a person found applied is a success, with the evidence in the ledger', async () => {
  const { it, dfid } = await inReview()
  const [before] = await it.runtime().store.listRecords('lock', 'asset:A', { limit: 10 })
  assert.equal(before?.body.quarantined, true)
  const effect = { result: { sold: 'A' }, receipt: 'r-9' }
  const settled = await it
    .engine()
    .oversight.resolveExecution(dfid, 'sell', { ...says('applied'), effect })
  assert.ok(settled.ok)
  assert.deepEqual([settled.value.status, settled.value.result], ['SUCCESS', { sold: 'A' }])
  const flow = await it.flow(dfid)
  assert.deepEqual([flow.state, flow.tags], ['CLOSED', []])
  assert.equal(await held(it), 0)
  const entries = await it.entries(dfid)
  const [evidence, commit] = entries.slice(-2)
  assert.deepEqual(evidence?.[1].details, { ...word, outcome: 'applied' })
  assert.equal(evidence?.[1].source, 'person')
  assert.equal(commit?.[1].settled_by, 'person')
  assert.equal(it.market.calls.length, 1, 'nothing is sent')
  await it.close()
})

test('what a person found absent has failed, and its budget and holds go back', async () => {
  const { it, dfid } = await inReview('many')
  assert.equal(await it.runtime().store.readCounter(`${dfid}:calls`), 1)
  assert.ok((await it.engine().oversight.resolveExecution(dfid, 'sell', says('not_applied'))).ok)
  const flow = await it.flow(dfid)
  assert.deepEqual([flow.state, flow.tags], ['ACTIVE', []])
  assert.equal(await it.runtime().store.readCounter(`${dfid}:calls`), 0)
  assert.equal(await held(it), 0)
  await it.close()
})

test('what nobody will ever know is given up: the flow ends, and its budget counts as spent', async () => {
  const { it, dfid } = await inReview('many')
  const settled = await it.engine().oversight.resolveExecution(dfid, 'sell', says('abandon'))
  assert.equal(settled.ok && settled.value.status, 'ABANDONED')
  const flow = await it.flow(dfid)
  assert.deepEqual([flow.state, flow.tags], ['ABORTED', []])
  assert.equal(await it.runtime().store.readCounter(`${dfid}:calls`), 1)
  assert.equal(await held(it), 0)
  await it.close()
})

test('an effect that is not as it should be is dirty until a person says how it is', async () => {
  const off = { postcondition: () => 'only half was sold' }
  for (const [outcome, state] of [
    ['applied', 'CLOSED'],
    ['not_applied', 'ABORTED'],
    ['abandon', 'ABORTED'],
  ] as const) {
    const { it, dfid } = await inReview('one', off)
    assert.deepEqual((await it.flow(dfid)).tags, ['DIRTY', 'NEEDS_REVIEW'])
    assert.equal((await it.engine().oversight.dirtyFlows()).length, 1)
    assert.ok((await it.engine().oversight.resolveExecution(dfid, 'sell', says(outcome))).ok)
    const flow = await it.flow(dfid)
    assert.deepEqual([flow.state, flow.tags], [state, []])
    assert.deepEqual(await it.engine().oversight.dirtyFlows(), [])
    assert.deepEqual(await it.sagaEntries(dfid), ['PARTIAL_SUCCESS_DIRTY', 'SETTLED'])
    await it.close()
  }
})

test('a step that a person finds absent after others succeeded leaves half a job', async () => {
  const market = newMarket()
  const it = await sagaStage({
    market,
    capabilities: [
      marketCapability(market, 'SELL'),
      marketCapability(market, 'BUY', { effect: 'unsafe' }),
    ],
  })
  const flow = await it.trade()
  await sell(flow)
  market.does = { BUY: 'lose' }
  await flow.propose({ policy_kind: 'BUY', step_id: 'buy', params: { asset: 'B' } })
  await it.clock.advance(60_000)
  await it.engine().reconcile()
  await it.engine().oversight.resolveExecution(flow.dfid, 'buy', says('not_applied'))
  const row = await it.flow(flow.dfid)
  assert.deepEqual([row.state, row.tags], ['ABORTED', ['DIRTY']])
  await it.close()
})

test('only what is under review can be settled, once, by somebody who says why', async () => {
  const { it, dfid } = await inReview()
  const engine = it.engine()
  const code = async (step: string, resolution: Resolution): Promise<string | null> => {
    const settled = await engine.oversight.resolveExecution(dfid, step, resolution)
    return settled.ok ? null : settled.error.code
  }
  assert.equal(await code('buy', says('applied')), 'EXECUTION_UNKNOWN')
  const silent = { ...says('applied'), justification: ' ' }
  assert.equal(await code('sell', silent), 'JUSTIFICATION_REQUIRED')
  assert.equal(await code('sell', { ...says('applied'), by: '' }), 'JUSTIFICATION_REQUIRED')
  const odd = { ...says('applied'), evidence: { at: Number.NaN } }
  assert.equal(await code('sell', odd), 'RESOLUTION_INVALID')
  const nonsense = [{ op: 'destroy' }] as never
  const wrong = { ...says('applied'), effect: { delta: nonsense } }
  assert.equal(await code('sell', wrong), 'RESOLUTION_INVALID')
  assert.equal(await code('sell', says('applied')), null)
  assert.equal(await code('sell', says('applied')), 'EXECUTION_NOT_IN_REVIEW')
  await it.close()
})

test('a delta that does not fit the World any more is told to the person, and nothing is lost', async () => {
  const { it, dfid } = await inReview()
  const delta = [{ op: 'replace', kind: 'order', id: 'x', expected_version: 7, value: 1 }] as const
  const resolution = { ...says('applied'), effect: { delta } }
  const settled = await it.engine().oversight.resolveExecution(dfid, 'sell', resolution)
  assert.equal(settled.ok ? null : settled.error.code, 'DELTA_CONFLICT')
  assert.equal((await it.row(dfid, 'sell'))?.status, 'MANUAL_REVIEW')
  assert.ok((await it.engine().oversight.resolveExecution(dfid, 'sell', says('applied'))).ok)
  await it.close()
})

test('a dirty flow is put right or left as it is: it cannot be called not applied', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  const refused = await it.engine().oversight.resolveDirty(dfid, says('not_applied'))
  assert.equal(refused.ok ? null : refused.error.code, 'RESOLUTION_INVALID')
  const left = await it.engine().oversight.resolveDirty(dfid, says('abandon'))
  assert.deepEqual(left, { ok: true, value: 'settled' })
  assert.deepEqual((await it.flow(dfid)).tags, [])
  assert.equal((await sell(await it.trade(), 'Z')).execution?.status, 'SUCCESS')
  await it.close()
})

test('a compensation that a person finds absent stays with that person', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'refuse' }
  await (await it.desk()).compensate(dfid, 'REVERT')
  assert.ok(
    (await it.engine().oversight.resolveExecution(dfid, 'undo~sell', says('not_applied'))).ok,
  )
  await it.engine().reconcile()
  const [dirty] = await it.engine().oversight.dirtyFlows()
  assert.equal(dirty?.body.standing, 'with_person')
  assert.ok((await it.engine().oversight.resolveDirty(dfid, says('applied'))).ok)
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  await it.close()
})

/** A flow that is dirty by one step, and has another under review. */
async function dirtyInReview(): Promise<{ readonly it: SagaStage; readonly dfid: string }> {
  const market = newMarket()
  const it = await sagaStage({
    market,
    capabilities: [
      marketCapability(market, 'SELL', { effect: 'unsafe' }),
      marketCapability(market, 'BUY'),
    ],
  })
  const desk = await it.desk()
  const leg = (): Promise<Flow> =>
    it.runtime().open({ agent: 'trader', trigger: 'leg', parent: desk.dfid })
  await buy(await leg(), 'A')
  market.does = { SELL: 'lose' }
  const failing = await leg()
  await sell(desk, 'Q')
  market.does = { BUY: 'refuse' }
  await buy(failing, 'B')
  await it.clock.advance(60_000)
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY', 'NEEDS_REVIEW'])
  return { it, dfid: desk.dfid }
}

test('what a person says of one step does not clean what another made dirty', async () => {
  const { it, dfid } = await dirtyInReview()
  assert.ok((await it.engine().oversight.resolveExecution(dfid, 'sell', says('applied'))).ok)
  assert.ok((await it.flow(dfid)).tags.includes('DIRTY'))
  assert.equal((await it.engine().oversight.dirtyFlows()).length, 1)
  await it.close()
})

test('what a person says of a dirty flow never hides a step that is under review', async () => {
  for (const outcome of ['abandon', 'applied'] as const) {
    const { it, dfid } = await dirtyInReview()
    const { oversight } = it.engine()
    assert.ok((await oversight.resolveDirty(dfid, says(outcome))).ok)
    assert.equal((await it.row(dfid, 'sell'))?.status, 'MANUAL_REVIEW')
    assert.ok((await it.flow(dfid)).tags.includes('NEEDS_REVIEW'), outcome)
    assert.ok((await oversight.resolveExecution(dfid, 'sell', says('applied'))).ok)
    assert.ok(!(await it.flow(dfid)).tags.includes('NEEDS_REVIEW'), outcome)
    await it.close()
  }
})

test('what was taken back keeps no flow from ending when its time is over', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  const leg = (): Promise<Flow> =>
    it.runtime().open({ agent: 'trader', trigger: 'leg', parent: desk.dfid })
  await sell(await leg())
  it.market.does = { BUY: 'refuse' }
  await buy(await leg())
  await it.clock.advance(LIMITS.flowWritMs)
  assert.equal((await it.engine().runDue()).expired, 0, 'half a job waits for a person')
  assert.ok((await it.engine().oversight.resolveDirty(desk.dfid, says('applied'))).ok)
  const { state, tags } = await it.flow(desk.dfid)
  assert.deepEqual([state, tags], ['ACTIVE', ['COMPENSATED']])
  assert.equal((await it.engine().runDue()).expired, 1)
  assert.equal((await it.flow(desk.dfid)).state, 'ABORTED')
  await it.close()
})

/** The flow of which A was sold, and its undoing is with a person. */
async function undoInReview(): Promise<{ readonly it: SagaStage; readonly dfid: string }> {
  const it = await sagaStage()
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'refuse' }
  await (await it.desk()).compensate(dfid, 'REVERT')
  assert.equal((await it.row(dfid, 'undo~sell'))?.status, 'MANUAL_REVIEW')
  return { it, dfid }
}

async function world(it: SagaStage): Promise<readonly unknown[]> {
  const resources = await it.runtime().store.listWorld('main', null, 10)
  return resources.map(({ id, retracted }) => [id, retracted])
}

test('an undoing that a person finds applied leaves nothing of the effect in World', async () => {
  const { it, dfid } = await undoInReview()
  assert.deepEqual(await world(it), [['SELL:A', false]])
  const { oversight } = it.engine()
  assert.ok((await oversight.resolveExecution(dfid, 'undo~sell', says('applied'))).ok)
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  assert.deepEqual(await world(it), [['SELL:A', true]])
  await it.close()
})

test('a person who says what an undoing changed in World decides that, also that nothing did', async () => {
  const { it, dfid } = await undoInReview()
  const { oversight } = it.engine()
  const kept = { ...says('applied'), effect: { delta: [] } }
  assert.ok((await oversight.resolveExecution(dfid, 'undo~sell', kept)).ok)
  assert.deepEqual(await world(it), [['SELL:A', false]])
  await it.close()
})
