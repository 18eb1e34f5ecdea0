import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import type { Flow } from '../../compose.ts'
import { exportBundle } from '../../evidence/export-bundle.ts'
import type { Resolution } from '../saga/resolution.ts'
import {
  buy,
  interruption,
  marketCapability,
  newMarket,
  type SagaOptions,
  type SagaStage,
  sagaStage,
  sell,
  TRADER,
} from './saga-stage.test-support.ts'

const word = { evidence: { ticket: 't-9' }, justification: 'looked at it', by: 'olga' }
const says = (outcome: Resolution['outcome']): Resolution => ({ outcome, ...word })

type Family = { readonly it: SagaStage; readonly above: string; readonly below: string }

/** The desk sold A; its child sold C, and could not buy D: both are dirty. */
async function bothDirty(options: SagaOptions = {}): Promise<Family> {
  const it = await sagaStage(options)
  const desk = await it.desk()
  await sell(desk, 'A')
  const child = await leg(it, desk.dfid)
  await sell(child, 'C')
  it.market.does = { BUY: 'refuse' }
  await buy(child, 'D')
  it.market.does = {}
  for (const { dfid } of [desk, child])
    assert.ok((await it.flow(dfid)).tags.includes('DIRTY'), dfid)
  return { it, above: desk.dfid, below: child.dfid }
}

function leg(it: SagaStage, parent: string): Promise<Flow> {
  return it.runtime().open({ agent: TRADER, trigger: 'two legs', parent, steps: 'many' })
}

async function resolve(
  it: SagaStage,
  dfid: string,
  outcome: Resolution['outcome'],
): Promise<string> {
  const settled = await it.engine().oversight.resolveDirty(dfid, says(outcome))
  return settled.ok ? settled.value : settled.error.code
}

/** Where the flow stands after the desk has chosen to revert it. */
async function revert(it: SagaStage, dfid: string): Promise<unknown> {
  const answer = await (await it.desk()).compensate(dfid, 'REVERT')
  return (answer.execution?.result as JsonObject | undefined)?.standing ?? answer.reason_code
}

function undone({ market }: SagaStage): number {
  return market.calls.filter((call) => call.startsWith('undo')).length
}

for (const outcome of ['applied', 'abandon'] as const) {
  test(`what a person settled in a flow below (${outcome}) is not taken back by the choice above`, async () => {
    const { it, above, below } = await bothDirty()
    await resolve(it, below, outcome)
    assert.equal(await revert(it, above), 'compensated')
    assert.equal(undone(it), 1, 'what the desk itself did')
    assert.equal(await it.row(below, 'undo~sell'), undefined)
    await it.engine().checkpoint()
    const bundle = await exportBundle(it.runtime().store, nodeCrypto.sha256, above)
    assert.ok(bundle.ok)
    assert.deepEqual(verifyAny(bundle.value, nodeCrypto).findings, [])
    await it.close()
  })

  test(`what a person settled with the flow above (${outcome}) is not taken back by the choice below`, async () => {
    const { it, above, below } = await bothDirty()
    await resolve(it, above, outcome)
    assert.equal(await revert(it, below), 'compensated')
    assert.equal(undone(it), 0)
    assert.deepEqual((await it.flow(below)).tags, ['COMPENSATED'])
    await it.close()
  })
}

test('the ledger says which effects a person has settled, each once', async () => {
  const { it, above, below } = await bothDirty()
  const sold = async (dfid: string): Promise<unknown> =>
    JSON.parse((await it.row(dfid, 'sell'))?.intent ?? '{}').intent_id
  const settles = async (dfid: string): Promise<unknown> =>
    (await it.entries(dfid)).findLast(([, { source }]) => source === 'saga')?.[1].settles
  await resolve(it, below, 'applied')
  assert.deepEqual(await settles(below), [await sold(below)])
  await resolve(it, above, 'abandon')
  assert.deepEqual(await settles(above), [await sold(above)])
  await it.close()
})

test('what a person settled is not half of a later job', async () => {
  const { it, above, below } = await bothDirty()
  for (const dfid of [below, above]) await resolve(it, dfid, 'abandon')
  it.market.does = { BUY: 'refuse' }
  await buy(await leg(it, above), 'E')
  assert.deepEqual((await it.flow(above)).tags, [])
  await it.close()
})

test('an effect under review that was settled with its flow is not taken back when it is found applied', async () => {
  const market = newMarket()
  const odd = { postcondition: () => 'only half was sold' }
  const capabilities = [marketCapability(market, 'SELL', odd), marketCapability(market, 'BUY')]
  const it = await sagaStage({ market, capabilities })
  const desk = await it.desk()
  await buy(desk, 'A')
  const child = await leg(it, desk.dfid)
  await sell(child)
  const { dfid } = child
  assert.equal(await resolve(it, dfid, 'applied'), 'compensated')
  assert.ok((await it.engine().oversight.resolveExecution(dfid, 'sell', says('applied'))).ok)
  assert.equal((await it.row(dfid, 'sell'))?.status, 'SUCCESS')
  market.does = { BUY: 'refuse' }
  await buy(await leg(it, desk.dfid), 'D')
  assert.equal(await revert(it, desk.dfid), 'compensated')
  assert.deepEqual(market.calls.slice(3), ['undo BUY'])
  await it.close()
})

test('an undoing that was prepared before a person settled its effect is not sent', async () => {
  const { failpoints, at } = interruption()
  const { it, above, below } = await bothDirty({ failpoints })
  at('compensate.before_dispatch', () => resolve(it, below, 'applied'))
  assert.equal(await revert(it, above), 'compensated')
  assert.equal(undone(it), 1, 'what the desk itself did')
  assert.equal(await it.row(below, 'undo~sell'), undefined)
  await it.close()
})

test('a person does not settle a flow whose undoing was sent meanwhile', async () => {
  const { failpoints, at } = interruption()
  const { it, above, below } = await bothDirty({ failpoints })
  it.market.does = { 'undo SELL': 'lose' }
  at('compensate.before_finish', () => revert(it, above))
  assert.equal(await resolve(it, below, 'applied'), 'COMPENSATION_WAITS')
  assert.ok((await it.flow(below)).tags.includes('DIRTY'))
  await it.close()
})

for (const does of ['lose', 'busy', 'refuse'] as const) {
  test(`a person does not settle a flow while an undoing of it has no outcome (${does})`, async () => {
    const it = await sagaStage()
    const dfid = await it.half()
    it.market.does = { 'undo SELL': does }
    await revert(it, dfid)
    for (const outcome of ['applied', 'abandon'] as const)
      assert.equal(await resolve(it, dfid, outcome), 'COMPENSATION_WAITS')
    assert.ok((await it.flow(dfid)).tags.includes('DIRTY'))
    assert.equal(undone(it), 1)
    await it.close()
  })
}

test('a person does not settle a flow while an effect below it has no outcome', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  await sell(desk, 'A')
  it.market.does = { SELL: 'lose', BUY: 'refuse' }
  await sell(await leg(it, desk.dfid), 'C')
  await buy(await leg(it, desk.dfid), 'D')
  assert.equal(await resolve(it, desk.dfid, 'applied'), 'COMPENSATION_WAITS')
  it.market.does = {}
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.equal(await resolve(it, desk.dfid, 'applied'), 'compensated')
  await it.close()
})

test('an undoing whose choice does not stand any more is not sent again', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'lose' }
  await revert(it, dfid)
  const { store } = it.runtime()
  await store.commit({
    guards: [],
    writes: [{ kind: 'drop_record', record: 'dirty_flow', group: 'open', key: dfid }],
  })
  it.market.does = {}
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.equal((await it.row(dfid, 'undo~sell'))?.status, 'MANUAL_REVIEW')
  assert.equal(undone(it), 1)
  await it.close()
})

test('an undoing is not sent again once its choice has ended between look and send', async () => {
  const { failpoints, at } = interruption()
  const it = await sagaStage({ failpoints })
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'lose' }
  await revert(it, dfid)
  const { store } = it.runtime()
  at('resend.before_commit', () =>
    store.commit({
      guards: [],
      writes: [{ kind: 'drop_record', record: 'dirty_flow', group: 'open', key: dfid }],
    }),
  )
  it.market.does = {}
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.equal(undone(it), 1)
  await it.close()
})

test('a saga that was stuck on what a person settled below goes on', async () => {
  const { it, above, below } = await bothDirty()
  it.market.does = { 'undo SELL': 'refuse' }
  assert.equal(await revert(it, above), 'with_person')
  it.market.does = {}
  assert.ok(
    (await it.engine().oversight.resolveExecution(below, 'undo~sell', says('not_applied'))).ok,
  )
  await it.engine().reconcile()
  assert.equal(await resolve(it, below, 'applied'), 'compensated')
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(above)).tags, ['COMPENSATED'])
  assert.deepEqual(it.market.calls.slice(3), ['undo SELL', 'undo SELL'])
  await it.close()
})

test('a saga goes on that was stuck on what a person settled below, also in a process that ended with their word', async () => {
  const { failpoints, at } = interruption()
  const { it, above, below } = await bothDirty({ failpoints })
  it.market.does = { 'undo SELL': 'refuse' }
  assert.equal(await revert(it, above), 'with_person')
  it.market.does = {}
  const { oversight } = it.engine()
  assert.ok((await oversight.resolveExecution(below, 'undo~sell', says('not_applied'))).ok)
  await it.engine().reconcile()
  at('compensate.after_finish', () => Promise.reject(new Error('killed')))
  await assert.rejects(resolve(it, below, 'applied'), /killed/)
  await it.restart()
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(above)).tags, ['COMPENSATED'])
  await it.close()
})
