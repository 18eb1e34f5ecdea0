/** What is taken back from a branch, and in one: never anything outside. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Flow } from '../../compose.ts'
import { branchTrajectory } from '../../evidence/branch.ts'
import {
  buy,
  DESK,
  marketCapability,
  newMarket,
  type SagaOptions,
  type SagaStage,
  sagaStage,
  sell,
  TRADER,
} from './saga-stage.test-support.ts'

const BRANCH = 'what-if'

type Branched = SagaStage & { open(agent: string, more?: object): Promise<Flow> }

async function branched(options: SagaOptions = {}): Promise<Branched> {
  const it = await sagaStage(options)
  const source = { trajectory: 'main', seq: 0 }
  assert.ok((await branchTrajectory(it.engine(), { source, name: BRANCH, note: '' })).ok)
  const open: Branched['open'] = (agent, more = {}) =>
    it.runtime().open({ agent, trigger: 'try', steps: 'many', trajectory: BRANCH, ...more })
  return { ...it, open }
}

test('a flow in a branch does not choose about half a job in main', async () => {
  const it = await branched()
  const dfid = await it.half()
  const answer = await (await it.open(DESK)).compensate(dfid, 'REVERT')
  assert.equal(answer.reason_code, 'COMPENSATION_FOREIGN')
  assert.deepEqual(it.market.calls, ['SELL', 'BUY'], 'nothing was taken back')
  const chosen = await (await it.desk()).compensate(dfid, 'REVERT')
  assert.equal(chosen.execution?.status, 'SUCCESS', 'from main it is chosen')
  assert.deepEqual(it.market.calls, ['SELL', 'BUY', 'undo SELL'])
  await it.close()
})

test('a choice in a branch takes nothing back in main, also below its own flow: a person does', async () => {
  const it = await branched()
  const desk = await it.open(DESK)
  const below = { parent: desk.dfid, trajectory: 'main' }
  const leg = await it.open(TRADER, below)
  await sell(leg)
  it.market.does = { BUY: 'refuse' }
  await buy(await it.open(TRADER, { ...below, steps: 'one' }))
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY'])
  const answer = await desk.compensate(desk.dfid, 'REVERT')
  assert.equal(answer.outcome, 'ACCEPTED')
  assert.deepEqual(it.market.calls, ['SELL', 'BUY'], 'nothing was taken back')
  const entries = await it.entries(desk.dfid)
  const review = entries.find(([, { status }]) => status === 'MANUAL_REVIEW')
  assert.deepEqual(review?.[1].details, { cannot: 'BRANCH_EFFECT' })
  await it.close()
})

test('in a branch half a job is taken back in its World', async () => {
  const market = newMarket()
  const it = await branched({
    market,
    capabilities: ['SELL', 'BUY'].map((kind) =>
      marketCapability(market, kind, { branches: 'world' }),
    ),
  })
  const flow = await it.open(TRADER)
  it.market.does = { BUY: 'refuse' }
  await sell(flow)
  await buy(flow)
  const answer = await (await it.open(DESK)).compensate(flow.dfid, 'REVERT')
  assert.deepEqual(answer.execution?.result, {
    dfid: flow.dfid,
    action: 'REVERT',
    standing: 'compensated',
  })
  await it.close()
})

test('what takes back in the World of a branch is sent again where the first send came to nothing', async () => {
  const market = newMarket()
  const it = await branched({
    market,
    capabilities: ['SELL', 'BUY'].map((kind) =>
      marketCapability(market, kind, { branches: 'world' }),
    ),
  })
  const flow = await it.open(TRADER)
  it.market.does = { BUY: 'refuse', 'undo SELL': 'busy' }
  await sell(flow)
  await buy(flow)
  await (await it.open(DESK)).compensate(flow.dfid, 'REVERT')
  assert.equal((await it.row(flow.dfid, 'undo~sell'))?.status, 'NOT_APPLIED')
  it.market.does = {}
  await it.clock.advance(10_000)
  await it.engine().reconcile()
  await it.engine().context.inFlight.awaitDrained()
  assert.equal((await it.row(flow.dfid, 'undo~sell'))?.status, 'SUCCESS')
  await it.close()
})
