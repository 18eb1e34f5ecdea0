/** What a proven intent has fixed for its failure happens by itself, and both auditors find where it did not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { exportStatement } from '../../evidence/export-statement.ts'
import type { Flow } from '../../flow.ts'
import { createProver, type Prover, proveProposal } from '../judge/prover.test-support.ts'
import {
  marketCapability,
  newMarket,
  type SagaOptions,
  type SagaStage,
  sagaStage,
  TRADER,
} from './saga-stage.test-support.ts'

type ProvenStage = SagaStage & {
  readonly by: Prover
  sell(flow: Flow): Promise<Answer>
  buy(flow: Flow): Promise<Answer>
  lines(): Promise<string[]>
}

async function provenStage(options: SagaOptions = {}): Promise<ProvenStage> {
  const it = await sagaStage(options)
  const by = await createProver(it.runtime(), TRADER)
  const propose = (flow: Flow, policy_kind: string, asset: string): Promise<Answer> => {
    const wanted = { policy_kind, step_id: policy_kind.toLowerCase(), params: { asset } }
    return flow.propose(proveProposal(it.runtime(), flow, by, wanted))
  }
  return {
    ...it,
    by,
    sell: (flow) => propose(flow, 'SELL', 'A'),
    buy: (flow) => propose(flow, 'BUY', 'B'),
    async lines() {
      const lines: string[] = []
      await it.engine().checkpoint()
      await exportLedger(it.runtime().store, (line) => void lines.push(line))
      return lines
    },
  }
}

/** What happens by itself. */
async function runAlone(it: SagaStage): Promise<void> {
  await it.engine().reconcile()
  await it.engine().runDue()
}

const notices = async (it: SagaStage): Promise<readonly string[]> =>
  (await it.runtime().store.listRecords('notice', 'due', { limit: 10 })).map(
    ({ body: { notice } }) => `${notice.kind} ${notice.reason_code}`,
  )

test('what stands of a flow is taken back by itself where a proven step of it fails, and nobody is asked', async () => {
  const it = await provenStage()
  const flow = await it.trade()
  assert.equal((await it.sell(flow)).execution?.status, 'SUCCESS')
  it.market.does = { BUY: 'refuse' }
  assert.equal((await it.buy(flow)).execution?.status, 'FAILED')
  const told: string[] = []
  it.runtime().on('desk', ({ context }) => void told.push(context.trigger))
  await runAlone(it)
  assert.deepEqual(told, [])
  assert.deepEqual(it.market.calls, ['SELL', 'BUY', 'undo SELL'])
  const course = ['PARTIAL_SUCCESS_DIRTY', 'COMPENSATING', 'COMPENSATED']
  assert.deepEqual(await it.sagaEntries(flow.dfid), course)
  const { state, tags } = await it.flow(flow.dfid)
  assert.deepEqual([state, tags], ['ABORTED', ['COMPENSATED']])
  const late = await (await it.desk()).compensate(flow.dfid, 'REVERT')
  assert.equal(late.reason_code, 'FLOW_NOT_DIRTY')
  assert.deepEqual(await foundByBoth((await it.lines()).join('')), [])
  await it.close()
})

test('a statement does not say of what was taken back that it stands', async () => {
  const it = await provenStage()
  const flow = await it.trade()
  await it.sell(flow)
  it.market.does = { BUY: 'refuse' }
  await it.buy(flow)
  await runAlone(it)
  await it.engine().checkpoint()
  const exported = await exportStatement(it.engine().context, flow.dfid)
  assert.ok(exported.ok)
  const { payload } = JSON.parse(exported.value)
  const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString())
  const outcomes = predicate.decisions.map(({ outcome }: { outcome: string }) => outcome)
  assert.deepEqual(outcomes, ['COMPENSATED', 'FAILED'])
  await it.close()
})

test('an engine that starts again goes on with what was fixed, and takes nothing back twice', async () => {
  const it = await provenStage()
  const flow = await it.trade()
  await it.sell(flow)
  it.market.does = { BUY: 'refuse', 'undo SELL': 'lose' }
  await it.buy(flow)
  await it.restart()
  await runAlone(it)
  assert.deepEqual((await it.flow(flow.dfid)).tags.includes('COMPENSATED'), false)
  assert.equal(it.market.calls.filter((call) => call === 'undo SELL').length, 1)
  assert.equal((await it.statuses(flow.dfid))['undo~sell'], 'UNKNOWN')
  it.market.does = {}
  await it.clock.advance(60_000)
  await runAlone(it)
  await runAlone(it)
  assert.equal((await it.statuses(flow.dfid))['undo~sell'], 'SUCCESS')
  assert.deepEqual((await it.flow(flow.dfid)).tags, ['COMPENSATED'])
  const undoes = it.market.calls.flatMap((call, at) => (call === 'undo SELL' ? [at] : []))
  assert.equal(new Set(undoes.map((at) => it.market.keys[at])).size, 1, 'one key')
  assert.deepEqual(await foundByBoth((await it.lines()).join('')), [])
  await it.close()
})

test('a person is told, and the agent is not asked, where nothing may be taken back', async () => {
  const it = await provenStage({ trader: { compensation: ['ALERT_HUMAN'] } })
  const flow = await it.trade()
  await it.sell(flow)
  it.market.does = { BUY: 'refuse' }
  await it.buy(flow)
  await runAlone(it)
  assert.deepEqual(it.market.calls, ['SELL', 'BUY'])
  assert.deepEqual(await it.sagaEntries(flow.dfid), ['PARTIAL_SUCCESS_DIRTY', 'MANUAL_REVIEW'])
  const { tags } = await it.flow(flow.dfid)
  assert.deepEqual([...tags].sort(), ['DIRTY', 'NEEDS_REVIEW'])
  assert.ok((await notices(it)).includes('dirty_flow PARTIAL_SUCCESS_DIRTY'))
  const chosen = await (await it.desk()).compensate(flow.dfid, 'REVERT')
  assert.equal(chosen.reason_code, 'FLOW_NOT_DIRTY')
  assert.deepEqual(await foundByBoth((await it.lines()).join('')), [])
  await it.close()
})

test('a flow whose only proven step failed has ended, its agent proposes nothing more in it, and where that was fixed a person is told', async () => {
  for (const compensation of [['REVERT', 'ALERT_HUMAN'], ['ALERT_HUMAN']]) {
    const it = await provenStage({ trader: { compensation } })
    it.market.does = { BUY: 'refuse' }
    const flow = await it.trade()
    assert.equal((await it.buy(flow)).execution?.status, 'FAILED')
    assert.deepEqual((await it.flow(flow.dfid)).state, 'ABORTED')
    assert.equal((await it.sell(flow)).reason_code, 'FLOW_NOT_OPEN')
    const isTold = (await notices(it)).includes('manual_review EFFECT_FAILED')
    assert.equal(isTold, compensation.length === 1)
    assert.deepEqual(await foundByBoth((await it.lines()).join('')), [])
    await it.close()
  }
})

test('what follows is begun when an outcome that nobody knew is found to be a failure, and not before', async () => {
  const market = newMarket()
  const once = marketCapability(market, 'BUY', { effect: 'unsafe' })
  const it = await provenStage({
    market,
    capabilities: [marketCapability(market, 'SELL'), once],
  })
  const flow = await it.trade()
  await it.sell(flow)
  it.market.does = { BUY: 'lose' }
  assert.equal((await it.buy(flow)).execution?.status, 'UNKNOWN')
  await runAlone(it)
  assert.deepEqual(await it.sagaEntries(flow.dfid), [])
  assert.equal(it.market.calls.includes('undo SELL'), false)
  for (let round = 0; round < 3; round++) {
    await it.clock.advance(60_000)
    await runAlone(it)
  }
  const word = { evidence: { statement: 's-12' }, justification: 'seen there', by: 'jane' }
  await it
    .engine()
    .oversight.resolveExecution(flow.dfid, 'buy', { outcome: 'not_applied', ...word })
  await runAlone(it)
  assert.equal((await it.statuses(flow.dfid)).buy, 'FAILED')
  assert.deepEqual(it.market.calls.at(-1), 'undo SELL')
  assert.deepEqual(await foundByBoth((await it.lines()).join('')), [])
  await it.close()
})

test('nothing is called taken back while a person has to say whether a proven step happened, and what follows begins with that word', async () => {
  for (const [outcome, course, last] of [
    ['applied', ['SETTLED'], 'BUY'],
    ['not_applied', ['COMPENSATING', 'COMPENSATED'], 'undo SELL'],
  ] as const) {
    const market = newMarket()
    const odd = marketCapability(market, 'BUY', { postcondition: () => 'only half was bought' })
    const it = await provenStage({ market, capabilities: [marketCapability(market, 'SELL'), odd] })
    const flow = await it.trade()
    await it.sell(flow)
    assert.equal((await it.buy(flow)).execution?.status, 'MANUAL_REVIEW')
    const told: string[] = []
    it.runtime().on('desk', ({ context }) => void told.push(context.trigger))
    await runAlone(it)
    assert.deepEqual(await it.sagaEntries(flow.dfid), ['PARTIAL_SUCCESS_DIRTY'])
    const word = { evidence: { statement: 's-12' }, justification: 'seen there', by: 'jane' }
    const { oversight } = it.engine()
    assert.ok((await oversight.resolveExecution(flow.dfid, 'buy', { outcome, ...word })).ok)
    await runAlone(it)
    assert.deepEqual(told, [], 'nobody is asked to choose')
    assert.deepEqual(await it.sagaEntries(flow.dfid), ['PARTIAL_SUCCESS_DIRTY', ...course])
    assert.equal(it.market.calls.at(-1), last)
    assert.deepEqual(await foundByBoth((await it.lines()).join('')), [])
    await it.close()
  }
})
