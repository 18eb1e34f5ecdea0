import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import { exportBundle } from '../../evidence/export-bundle.ts'
import {
  buy,
  marketCapability,
  newMarket,
  type SagaStage,
  sagaStage,
  sell,
  TRADER,
} from './saga-stage.test-support.ts'

function said({ outcome, reason_code }: Answer): readonly unknown[] {
  return [outcome, reason_code]
}

/** The trader may do something else again. */
async function works(it: SagaStage): Promise<boolean> {
  const answer = await sell(await it.trade(), 'Z')
  return answer.reason_code !== 'AGENT_MAINTENANCE'
}

test('a failure after a success leaves the flow dirty, and its agent does nothing else', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  const flow = await it.flow(dfid)
  assert.deepEqual([flow.state, flow.tags], ['ABORTED', ['DIRTY']])
  assert.deepEqual(await it.sagaEntries(dfid), ['PARTIAL_SUCCESS_DIRTY'])
  assert.deepEqual(said(await sell(await it.trade())), ['REJECTED', 'AGENT_MAINTENANCE'])
  assert.deepEqual(it.market.calls, ['SELL', 'BUY'])
  const notices = await it.runtime().store.listRecords('notice', 'due', { limit: 10 })
  assert.deepEqual(
    notices.map(({ body: { notice } }) => [notice.kind, notice.dfid, notice.reason_code]),
    [['dirty_flow', dfid, 'PARTIAL_SUCCESS_DIRTY']],
  )
  await it.close()
})

test('maintenance is for the agent of the dirty flow, and outlives the engine', async () => {
  const it = await sagaStage()
  await it.half()
  await it.restart()
  assert.equal(await works(it), false)
  assert.equal((await sell(await it.desk(), 'Y')).execution?.status, 'SUCCESS')
  await it.close()
})

test('the agent above is told, and its choice takes the success back', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  const told: string[] = []
  it.runtime().on('desk', (flow) => void told.push(flow.context.trigger))
  await it.engine().runDue()
  assert.deepEqual(told, [`compensate ${dfid}`])

  const desk = await it.desk()
  const answer = await desk.compensate(dfid, 'REVERT')
  assert.equal(answer.outcome, 'ACCEPTED')
  assert.deepEqual(answer.execution?.result, { dfid, action: 'REVERT', standing: 'compensated' })
  assert.deepEqual(it.market.calls, ['SELL', 'BUY', 'undo SELL'])
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  assert.deepEqual(await it.statuses(dfid), {
    sell: 'SUCCESS',
    buy: 'FAILED',
    'undo~sell': 'SUCCESS',
  })
  assert.equal(new Set(it.market.keys).size, 3, 'each call has a key of its own')
  const commits = (await it.entries(dfid)).filter(([kind]) => kind === 'commit')
  const sold = JSON.parse((await it.row(dfid, 'sell'))?.intent ?? '{}')
  assert.equal(commits.at(-1)?.[1].compensates, sold.intent_id)
  const course = ['PARTIAL_SUCCESS_DIRTY', 'COMPENSATING', 'COMPENSATED']
  assert.deepEqual(await it.sagaEntries(dfid), course)
  assert.equal(await works(it), true)
  await it.close()
})

test('what compensate says nothing about in World is taken back by the recorded inverse', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  await (await it.desk()).compensate(dfid, 'REVERT')
  const world = await it.runtime().store.listWorld('main', null, 10)
  assert.deepEqual(
    world.map(({ id, retracted }) => [id, retracted]),
    [['SELL:A', true]],
  )
  await it.close()
})

test('the bundle of a compensated flow is verified by itself, with the flow that chose', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  const desk = await it.desk()
  await desk.compensate(dfid, 'REVERT')
  await it.engine().checkpoint()
  const bundle = await exportBundle(it.runtime().store, nodeCrypto.sha256, dfid)
  assert.ok(bundle.ok)
  assert.deepEqual(verifyAny(bundle.value, nodeCrypto).findings, [])
  assert.ok(bundle.value.includes(desk.dfid))
  await it.close()
})

test('effects are undone in the reverse order of their success, each once', async () => {
  const it = await sagaStage()
  const flow = await it.trade()
  await sell(flow, 'A', 'one')
  await buy(flow, 'B', 'two')
  await sell(flow, 'C', 'three')
  it.market.does = { BUY: 'refuse' }
  await buy(flow, 'D', 'four')
  await (await it.desk()).compensate(flow.dfid, 'REVERT')
  assert.deepEqual(it.market.calls.slice(4), ['undo SELL', 'undo BUY', 'undo SELL'])
  const undone = (await it.entries(flow.dfid)).flatMap(([kind, { intent }]) =>
    kind === 'dispatch' ? [(intent as { step_id: string }).step_id] : [],
  )
  assert.deepEqual(undone.slice(4), ['undo~three', 'undo~two', 'undo~one'])
  await it.close()
})

test('a choice that the contract or a capability does not list is not on the menu', async () => {
  const market = newMarket()
  const { compensations: _, ...plain } = marketCapability(market, 'SELL')
  const it = await sagaStage({
    market,
    trader: { compensation: ['CLOSE_ALL'] },
    capabilities: [plain, marketCapability(market, 'BUY')],
  })
  const dfid = await it.half()
  const desk = await it.desk()
  assert.deepEqual(said(await desk.compensate(dfid, 'REVERT')), ['REJECTED', 'COMPENSATION_MENU'])
  const cannot = await desk.compensate(dfid, 'CLOSE_ALL')
  assert.deepEqual(said(cannot), ['REJECTED', 'COMPENSATION_MENU'])
  assert.deepEqual(cannot.feedback?.details, { cannot: [`${dfid}:sell`] })
  assert.deepEqual(it.market.calls, ['SELL', 'BUY'])
  await it.close()
})

test('a choice of the capability’s own runs instead of taking back', async () => {
  const it = await sagaStage({ trader: { compensation: ['CLOSE_ALL'] } })
  const dfid = await it.half()
  await (await it.desk()).compensate(dfid, 'CLOSE_ALL')
  assert.deepEqual(it.market.calls, ['SELL', 'BUY', 'close SELL'])
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  await it.close()
})

test('World only: what nobody wrote a compensation for is reverted by its inverse', async () => {
  const market = newMarket()
  const { compensate: _, compensations: __, ...rest } = marketCapability(market, 'SELL')
  const it = await sagaStage({
    market,
    capabilities: [{ ...rest, worldOnly: true }, marketCapability(market, 'BUY')],
  })
  const dfid = await it.half()
  await (await it.desk()).compensate(dfid, 'REVERT')
  assert.deepEqual(it.market.calls, ['SELL', 'BUY'], 'nothing is sent')
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  const [order] = await it.runtime().store.listWorld('main', null, 10)
  assert.equal(order?.retracted, true)
  await it.close()
})

test('a World that has moved on since cannot be reverted: a person looks', async () => {
  const market = newMarket()
  const it = await sagaStage({
    market,
    capabilities: [
      marketCapability(market, 'SELL'),
      marketCapability(market, 'BUY'),
      {
        kind: 'AMEND',
        effect: 'put_if_match',
        risk: 'low',
        reversible: true,
        params: { type: 'object' },
        execute: () => ({
          delta: [
            { op: 'replace', kind: 'order', id: 'SELL:A', expected_version: 1, value: 'amended' },
          ],
        }),
      },
    ],
    desk: { permissions: { policy_kinds: ['AMEND', 'COMPENSATE'] } },
  })
  const dfid = await it.half()
  const desk = await it.desk()
  await desk.propose({ policy_kind: 'AMEND', step_id: 'amend', params: {} })
  await desk.compensate(dfid, 'REVERT')
  const undo = await it.row(dfid, 'undo~sell')
  assert.deepEqual([undo?.status, undo?.reason_code], ['MANUAL_REVIEW', 'DELTA_CONFLICT'])
  assert.ok((await it.flow(dfid)).tags.includes('DIRTY'))
  await it.close()
})

test('a compensation that the provider refuses goes to a person, who settles it', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'refuse' }
  const answer = await (await it.desk()).compensate(dfid, 'REVERT')
  assert.deepEqual(answer.execution?.result, { dfid, action: 'REVERT', standing: 'with_person' })
  assert.equal((await it.row(dfid, 'undo~sell'))?.status, 'MANUAL_REVIEW')
  assert.deepEqual((await it.flow(dfid)).tags, ['DIRTY', 'NEEDS_REVIEW'])
  assert.equal(await works(it), false)

  const word = { evidence: { ticket: 't-7' }, justification: 'undone by phone', by: 'jane' }
  const settled = await it
    .engine()
    .oversight.resolveExecution(dfid, 'undo~sell', { outcome: 'applied', ...word })
  assert.ok(settled.ok)
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  assert.equal(it.market.calls.filter((call) => call === 'undo SELL').length, 1)
  assert.equal(await works(it), true)
  await it.close()
})

test('a compensation whose answer is lost is unknown, and sent again under the same key', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'lose' }
  const answer = await (await it.desk()).compensate(dfid, 'REVERT')
  assert.deepEqual(answer.execution?.result, { dfid, action: 'REVERT', standing: 'compensating' })
  assert.deepEqual((await it.flow(dfid)).tags, ['DIRTY', 'UNKNOWN'])
  assert.equal(await works(it), false)
  it.market.does = {}
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  const [first, second, ...more] = it.market.keys.slice(2)
  assert.deepEqual([first, more.length], [second, 0])
  await it.close()
})

test('a compensation that is refused for a while is sent again later', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'busy' }
  await (await it.desk()).compensate(dfid, 'REVERT')
  it.market.does = {}
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  await it.close()
})

test('a compensation stands on the authority of who chose it: when that ends, a person goes on', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'lose' }
  await (await it.desk()).compensate(dfid, 'REVERT')
  await it.engine().kill('desk', 'incident 7')
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.equal((await it.row(dfid, 'undo~sell'))?.status, 'MANUAL_REVIEW')
  assert.equal(it.market.calls.length, 3)
  assert.deepEqual(await it.sagaEntries(dfid), [
    'PARTIAL_SUCCESS_DIRTY',
    'COMPENSATING',
    'MANUAL_REVIEW',
  ])
  await it.close()
})

test('a compensation that was refused for a while, and may not be sent again, goes to a person', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  it.market.does = { 'undo SELL': 'busy' }
  await (await it.desk()).compensate(dfid, 'REVERT')
  assert.equal((await it.row(dfid, 'undo~sell'))?.status, 'NOT_APPLIED')
  await it.engine().kill('desk', 'incident 8')
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  await it.engine().reconcile()
  assert.equal((await it.row(dfid, 'undo~sell'))?.status, 'FAILED')
  const [dirty] = await it.engine().oversight.dirtyFlows()
  assert.equal(dirty?.body.standing, 'with_person')
  assert.deepEqual((await it.flow(dfid)).tags, ['DIRTY', 'NEEDS_REVIEW'])
  await it.close()
})

test('a flow of a stranger, a clean one and one that is not there cannot be compensated', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  await it.runtime().deploy({
    ...CONTRACT,
    agent_id: 'stranger',
    permissions: { policy_kinds: ['COMPENSATE'] },
  })
  const stranger = await it.runtime().open({ agent: 'stranger', trigger: 'curious', steps: 'many' })
  const foreign = ['REJECTED', 'COMPENSATION_FOREIGN']
  assert.deepEqual(said(await stranger.compensate(dfid, 'REVERT')), foreign)
  assert.deepEqual(said(await stranger.compensate('no-such-flow', 'REVERT')), foreign)
  const desk = await it.desk()
  const clean = ['REJECTED', 'FLOW_NOT_DIRTY']
  assert.deepEqual(said(await desk.compensate(desk.dfid, 'REVERT')), clean)
  await it.close()
})

test('a flow is read whole for an agent that cannot choose about it, or where no choice is left', async (t) => {
  const it = await sagaStage()
  const dfid = await it.half()
  await it.runtime().deploy({ ...CONTRACT, agent_id: 'stranger' })
  const stranger = await it.runtime().open({ agent: 'stranger', trigger: 'curious', steps: 'many' })
  const desk = await it.desk()
  const { store } = it.runtime()
  const read: unknown[] = []
  const listExecutions = store.listExecutions.bind(store)
  const listFlowEntries = store.listFlowEntries.bind(store)
  t.mock.method(store, 'listExecutions', (filter: Parameters<typeof listExecutions>[0]) => {
    read.push(filter.dfid)
    return listExecutions(filter)
  })
  t.mock.method(store, 'listFlowEntries', (...asked: Parameters<typeof listFlowEntries>) => {
    if (asked[1] === undefined) read.push(asked[0])
    return listFlowEntries(...asked)
  })
  assert.equal((await stranger.compensate(dfid, 'REVERT')).outcome, 'REJECTED')
  assert.equal((await desk.compensate(desk.dfid, 'REVERT')).reason_code, 'FLOW_NOT_DIRTY')
  assert.equal(read.length, 0, `read: ${read}`)
  assert.equal((await desk.compensate(dfid, 'REVERT', { step_id: 'put' })).outcome, 'ACCEPTED')
  assert.ok(read.includes(dfid), 'its steps are read for whoever chooses')
  await it.close()
})

test('a choice is made once: twice is the same answer, another one is refused', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  const desk = await it.desk()
  await desk.compensate(dfid, 'REVERT')
  assert.equal((await desk.compensate(dfid, 'REVERT')).outcome, 'REPEATED')
  const again = await desk.compensate(dfid, 'ALERT_HUMAN', { step_id: 'again' })
  assert.deepEqual(said(again), ['REJECTED', 'FLOW_NOT_DIRTY'])
  assert.equal(it.market.calls.length, 3)
  await it.close()
})

test('two who choose at once: one choice counts', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  const [one, two] = [await it.desk(), await it.desk()]
  const answers = await Promise.all([
    one.compensate(dfid, 'REVERT'),
    two.compensate(dfid, 'ALERT_HUMAN'),
  ])
  const made = answers.filter(({ execution }) => execution?.status === 'SUCCESS')
  assert.equal(made.length, 1)
  assert.ok(it.market.calls.length <= 3)
  await it.close()
})

test('the agent in maintenance may choose for its own flow, where its contract lists it', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  const own = await it.trade()
  assert.equal((await own.compensate(dfid, 'REVERT')).execution?.status, 'SUCCESS')
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  await it.close()

  const bare = await sagaStage({ trader: { permissions: { policy_kinds: ['SELL', 'BUY'] } } })
  const half = await bare.half()
  const refused = await (await bare.trade()).compensate(half, 'REVERT')
  assert.deepEqual(said(refused), ['REJECTED', 'RBAC_DENIED'])
  await bare.close()
})

test('a choice that asks for a person is carried out once it was approved', async () => {
  const safety_rules = { requires_human_approval: ['COMPENSATE'] }
  const it = await sagaStage({ desk: { safety_rules } })
  const dfid = await it.half()
  const desk = await it.desk()
  const asked = await desk.compensate(dfid, 'REVERT')
  assert.deepEqual(said(asked), ['ESCALATED', 'HUMAN_APPROVAL_REQUIRED'])
  assert.deepEqual(it.market.calls, ['SELL', 'BUY'])
  const [waiting] = await it.engine().oversight.escalations()
  const view = await it.engine().oversight.escalation(waiting?.id ?? '')
  assert.ok(view !== null)
  const { id, intent_digest, shown_snapshot } = view.request
  await it.runtime().person('joe@example.com')
  const decided = await it.engine().oversight.decideEscalation(
    id,
    {
      decision: 'OVERRIDE',
      intent_digest,
      shown_snapshot,
      lifts: ['kind'],
      valid_until: '2026-06-01T13:00:00.000Z',
      justification: 'undo it',
    },
    { kind: 'person', principal: 'joe@example.com' },
  )
  assert.ok(decided.ok, JSON.stringify(decided))
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  assert.equal(it.market.calls.at(-1), 'undo SELL')
  await it.close()
})

test('ALERT_HUMAN needs no listing and hands the flow to a person, who puts it right', async () => {
  const it = await sagaStage({ trader: { compensation: [] } })
  const dfid = await it.half()
  const answer = await (await it.desk()).compensate(dfid, 'ALERT_HUMAN')
  assert.equal(answer.execution?.status, 'SUCCESS')
  assert.deepEqual((await it.flow(dfid)).tags, ['DIRTY', 'NEEDS_REVIEW'])
  assert.equal(await works(it), false)
  const word = { evidence: { desk: 'A bought back' }, justification: 'by hand', by: 'jane' }
  const done = await it.engine().oversight.resolveDirty(dfid, { outcome: 'applied', ...word })
  assert.deepEqual(done, { ok: true, value: 'compensated' })
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  assert.equal(await works(it), true)
  const again = await it.engine().oversight.resolveDirty(dfid, { outcome: 'applied', ...word })
  assert.equal(again.ok ? null : again.error.code, 'FLOW_NOT_DIRTY')
  await it.close()
})

test('with executors of their own, a dirty flow stops what was accepted before it', async () => {
  const it = await sagaStage({ executors: 'separate' })
  const dfid = await it.half()
  assert.deepEqual(said(await sell(await it.trade())), ['REJECTED', 'AGENT_MAINTENANCE'])
  const answer = await (await it.desk()).compensate(dfid, 'REVERT')
  assert.equal(answer.execution?.status, 'SUCCESS')
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  await it.close()
})

test('a dispatch that was judged before its agent’s flow became dirty does not get past it', async () => {
  let hold: Promise<void> | null = null
  let reached = (): void => {}
  const it = await sagaStage({
    failpoints: {
      reach: async (point) => {
        if (point !== 'dispatch.before_commit' || hold === null) return
        const held = hold
        hold = null
        reached()
        await held
      },
    },
  })
  const other = await it.trade()
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const { promise: judged, resolve } = Promise.withResolvers<void>()
  reached = resolve
  hold = held
  const racing = sell(other, 'Q')
  await judged
  const dfid = await it.half()
  go()
  assert.deepEqual(said(await racing), ['REJECTED', 'AGENT_MAINTENANCE'])
  assert.deepEqual(it.market.calls, ['SELL', 'BUY'])
  assert.equal((await it.flow(dfid)).agent_id, TRADER)
  await it.close()
})
