import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { type Capability, NotApplied } from '../../ports/capability.ts'
import {
  buy,
  DESK,
  interruption,
  marketCapability,
  newMarket,
  type SagaStage,
  sagaStage,
  sell,
  TRADER,
} from './saga-stage.test-support.ts'

/** A child of the flow, for the trader. */
function child(it: SagaStage, parent: Flow): Promise<Flow> {
  return it.runtime().open({ agent: TRADER, trigger: 'one leg', parent: parent.dfid })
}

function code({ reason_code }: Answer): string | undefined {
  return reason_code
}

test('a child that fails after another succeeded leaves the flow above dirty, not itself', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  const first = await child(it, desk)
  await sell(first)
  it.market.does = { BUY: 'refuse' }
  const second = await child(it, desk)
  await buy(second)
  const above = await it.flow(desk.dfid)
  assert.deepEqual([above.state, above.tags], ['ACTIVE', ['DIRTY']])
  assert.deepEqual((await it.flow(second.dfid)).tags, [])
  assert.equal(code(await sell(desk, 'Q')), 'AGENT_MAINTENANCE', 'the desk is in maintenance')
  assert.equal((await sell(await it.trade(), 'R')).execution?.status, 'SUCCESS')

  const answer = await desk.compensate(desk.dfid, 'REVERT')
  assert.deepEqual(answer.execution?.result, {
    dfid: desk.dfid,
    action: 'REVERT',
    standing: 'compensated',
  })
  assert.equal((await it.row(first.dfid, 'undo~sell'))?.status, 'SUCCESS')
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['COMPENSATED'])
  assert.equal((await sell(desk, 'Q')).execution?.status, 'SUCCESS', 'the desk goes on')
  await it.close()
})

test('the agent that manages the whole is told of it', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  await sell(await child(it, desk))
  it.market.does = { BUY: 'refuse' }
  await buy(await child(it, desk))
  const told: string[] = []
  it.runtime().on(DESK, (flow) => void told.push(flow.context.trigger))
  await it.engine().runDue()
  assert.deepEqual(told, [`compensate ${desk.dfid}`])
  await it.close()
})

test('a child that fails first, and is tried again, leaves nothing half done', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  it.market.does = { SELL: 'refuse' }
  await sell(await child(it, desk))
  it.market.does = {}
  await it.clock.advance(1)
  await sell(await child(it, desk))
  assert.deepEqual((await it.flow(desk.dfid)).tags, [])
  await it.close()
})

test('UNKNOWN first: a choice waits for the child whose outcome nobody knows', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  await sell(await child(it, desk), 'A')
  it.market.does = { SELL: 'lose', BUY: 'refuse' }
  const lost = await child(it, desk)
  await sell(lost, 'C')
  await buy(await child(it, desk), 'B')
  const waits = await desk.compensate(desk.dfid, 'REVERT')
  assert.equal(code(waits), 'COMPENSATION_WAITS')
  assert.equal(waits.feedback?.transient, true)
  assert.deepEqual(waits.feedback?.details, { waits_for: [`${lost.dfid}:sell`] })
  assert.deepEqual(it.market.calls.slice(3), [])

  it.market.does = {}
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.equal((await it.row(lost.dfid, 'sell'))?.status, 'SUCCESS')
  await desk.refresh()
  assert.equal((await desk.compensate(desk.dfid, 'REVERT')).execution?.status, 'SUCCESS')
  assert.deepEqual(it.market.calls.slice(4), ['undo SELL', 'undo SELL'])
  assert.equal((await it.row(lost.dfid, 'undo~sell'))?.status, 'SUCCESS')
  await it.close()
})

test('what succeeds after all, although another failed meanwhile, is half a job too', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  it.market.does = { SELL: 'lose', BUY: 'refuse' }
  await sell(await child(it, desk), 'A')
  await buy(await child(it, desk), 'B')
  assert.deepEqual((await it.flow(desk.dfid)).tags, [], 'nothing has succeeded yet')
  it.market.does = {}
  await it.clock.advance(5_000)
  await it.engine().reconcile()
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY'])
  await it.close()
})

test('a choice for the whole cleans the dirty flows below it as well', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  await sell(await child(it, desk), 'A')
  const below = await it.runtime().open({
    agent: TRADER,
    trigger: 'two legs',
    parent: desk.dfid,
    steps: 'many',
  })
  await sell(below, 'C')
  it.market.does = { BUY: 'refuse' }
  await buy(below, 'D')
  assert.deepEqual((await it.flow(below.dfid)).tags, ['DIRTY'])
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY'])
  await desk.compensate(desk.dfid, 'REVERT')
  assert.deepEqual((await it.flow(below.dfid)).tags, ['COMPENSATED'])
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['COMPENSATED'])
  assert.equal((await sell(await it.trade(), 'Z')).execution?.status, 'SUCCESS')
  assert.deepEqual(await it.engine().oversight.dirtyFlows(), [])
  await it.close()
})

test('a flow is not called COMPENSATED over what a child did meanwhile', async () => {
  const { failpoints, at } = interruption()
  const it = await sagaStage({ failpoints })
  const desk = await it.desk()
  const late = await child(it, desk)
  await sell(await child(it, desk))
  it.market.does = { BUY: 'refuse' }
  await buy(await child(it, desk))
  at('compensate.before_finish', () => sell(late, 'Z'))
  await desk.compensate(desk.dfid, 'REVERT')
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['COMPENSATED'])
  assert.deepEqual(await it.statuses(late.dfid), { sell: 'SUCCESS', 'undo~sell': 'SUCCESS' })
  await it.close()
})

test('a read that succeeded leaves nothing behind, so that a failure after it is just one', async () => {
  const market = newMarket()
  const it = await sagaStage({
    market,
    capabilities: [
      {
        kind: 'LOOK',
        effect: 'read',
        risk: 'low',
        params: { type: 'object' },
        execute: () => ({}),
      },
      marketCapability(market, 'BUY'),
    ],
    trader: { permissions: { policy_kinds: ['LOOK', 'BUY'] } },
  })
  const flow = await it.trade()
  await flow.propose({ policy_kind: 'LOOK', step_id: 'look', params: {} })
  it.market.does = { BUY: 'refuse' }
  await buy(flow)
  const row = await it.flow(flow.dfid)
  assert.deepEqual([row.state, row.tags], ['ACTIVE', []])
  await it.close()
})

test('what only reads since its capability was exchanged is not taken for undone', async () => {
  const market = newMarket()
  const capabilities = ['SELL', 'BUY'].map((kind) => marketCapability(market, kind))
  const it = await sagaStage({ market, capabilities })
  const dfid = await it.half()
  capabilities[0] = {
    kind: 'SELL',
    effect: 'read',
    risk: 'low',
    params: { type: 'object' },
    execute: () => ({}),
  }
  await it.restart()
  const { oversight } = it.engine()
  const held = await oversight.rules()
  assert.ok(held.ok && held.value.acceptance !== null)
  assert.ok((await oversight.acceptRules({ hash: held.value.acceptance })).ok)
  const answer = await (await it.desk()).compensate(dfid, 'REVERT')
  assert.equal(code(answer), 'COMPENSATION_MENU')
  assert.deepEqual((await it.flow(dfid)).tags, ['DIRTY'])
  await it.close()
})

/** Acts between what is read for a unit that records this status and its commit, so many times. */
function beforeCommit(
  it: SagaStage,
  status: string,
  act: (attempt: number) => Promise<unknown>,
  times = 1,
): { attempts: number } {
  const { store } = it.engine().context
  const commit = store.commit.bind(store)
  const seen = { attempts: 0 }
  let isActing = false
  store.commit = async (unit) => {
    const records = unit.writes.some((one) => {
      return one.kind === 'put_execution' && one.execution.status === status
    })
    if (records && !isActing && seen.attempts < times) {
      seen.attempts += 1
      isActing = true
      await act(seen.attempts)
      isActing = false
    }
    return commit(unit)
  }
  return seen
}

test('a child that fails while another succeeds leaves no half job that nobody is told of', async () => {
  for (const status of ['SUCCESS', 'FAILED']) {
    const it = await sagaStage()
    const desk = await it.desk()
    const [first, second] = [await child(it, desk), await child(it, desk)]
    it.market.does = { BUY: 'refuse' }
    const isFirst = status === 'SUCCESS'
    beforeCommit(it, status, () => (isFirst ? buy(second) : sell(first)))
    await (isFirst ? sell(first) : buy(second))
    assert.equal((await it.row(first.dfid, 'sell'))?.status, 'SUCCESS')
    assert.equal((await it.row(second.dfid, 'buy'))?.status, 'FAILED')
    assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY'], status)
    await it.close()
  }
})

test('a flow that fails while one below it succeeds leaves no half job that nobody is told of', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  const below = await child(it, desk)
  it.market.does = { BUY: 'refuse' }
  beforeCommit(it, 'FAILED', () => sell(below))
  await buy(desk)
  assert.equal((await it.row(below.dfid, 'sell'))?.status, 'SUCCESS')
  assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY'])
  await it.close()
})

test('what was on its way below a flow that failed itself, and succeeds after all, is half a job', async () => {
  for (const isAtOnce of [true, false]) {
    const it = await sagaStage()
    const whole = await it.runtime().open({ agent: DESK, trigger: 'one order' })
    const below = await child(it, whole)
    it.market.does = { BUY: 'refuse', SELL: isAtOnce ? 'fill' : 'lose' }
    if (isAtOnce) beforeCommit(it, 'SUCCESS', () => buy(whole))
    await sell(below)
    if (!isAtOnce) {
      await buy(whole)
      await it.clock.advance(5_000)
      it.market.does = {}
      await it.engine().reconcile()
    }
    assert.equal((await it.row(below.dfid, 'sell'))?.status, 'SUCCESS')
    const { state, tags } = await it.flow(whole.dfid)
    assert.deepEqual([state, tags], ['ABORTED', ['DIRTY']])
    await it.close()
  }
})

test('what succeeds further below, although a child failed meanwhile, is half a job of the whole', async () => {
  for (const isAtOnce of [true, false]) {
    const it = await sagaStage()
    const desk = await it.desk()
    const trade = { agent: TRADER, trigger: 'two legs', parent: desk.dfid, steps: 'many' } as const
    const middle = await it.runtime().open(trade)
    const [deep, second] = [await child(it, middle), await child(it, desk)]
    it.market.does = { BUY: 'refuse', SELL: isAtOnce ? 'fill' : 'lose' }
    if (isAtOnce) beforeCommit(it, 'SUCCESS', () => buy(second))
    await sell(deep)
    if (!isAtOnce) {
      await buy(second)
      await it.clock.advance(5_000)
      it.market.does = {}
      await it.engine().reconcile()
    }
    assert.equal((await it.row(deep.dfid, 'sell'))?.status, 'SUCCESS')
    assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY'])
    assert.deepEqual((await it.flow(middle.dfid)).tags, [], 'nothing failed below it')
    assert.equal((await desk.compensate(desk.dfid, 'REVERT')).execution?.status, 'SUCCESS')
    assert.equal((await it.row(deep.dfid, 'undo~sell'))?.status, 'SUCCESS')
    await it.close()
  }
})

/** With a kind that only reads, and fails when the market says so. */
async function lookingStage(): Promise<SagaStage> {
  const market = newMarket()
  const look: Capability = {
    kind: 'LOOK',
    effect: 'read',
    risk: 'low',
    params: { type: 'object' },
    execute: () => {
      if (market.does.LOOK === 'refuse') throw new NotApplied('nobody is there')
      return {}
    },
  }
  const kinds = ['LOOK', 'SELL', 'BUY', 'COMPENSATE', 'SPAWN_CHILD']
  const more = { permissions: { policy_kinds: kinds } }
  return sagaStage({
    market,
    capabilities: [look, marketCapability(market, 'SELL'), marketCapability(market, 'BUY')],
    trader: more,
    desk: more,
  })
}

const look = (flow: Flow, step_id = 'look'): Promise<Answer> =>
  flow.propose({ policy_kind: 'LOOK', step_id, params: {} })

test('a read is taken for half of a job, whether it succeeds beside a failure or fails beside a success', async () => {
  const it = await lookingStage()
  const desk = await it.desk()
  const [looking, failing] = [await child(it, desk), await child(it, desk)]
  it.market.does = { BUY: 'refuse', LOOK: 'fill' }
  beforeCommit(it, 'SUCCESS', () => buy(failing))
  assert.equal((await look(looking)).execution?.status, 'SUCCESS')
  assert.equal((await it.row(failing.dfid, 'buy'))?.status, 'FAILED')
  assert.deepEqual((await it.flow(desk.dfid)).tags, [])

  it.market.does = { LOOK: 'refuse' }
  const flow = await it.trade()
  assert.equal((await sell(flow)).execution?.status, 'SUCCESS')
  assert.equal((await look(flow)).execution?.status, 'FAILED')
  const { state, tags } = await it.flow(flow.dfid)
  assert.deepEqual([state, tags], ['ACTIVE', []])
  await it.close()
})

/** A flow of the desk, and so many children of it. */
async function openFamily(
  it: SagaStage,
  count: number,
): Promise<readonly [Flow, () => Promise<Flow>, ...Flow[]]> {
  const desk = await it.desk()
  const open = (): Promise<Flow> =>
    it.runtime().open({ agent: TRADER, trigger: 'x', parent: desk.dfid, budget: { calls: '5' } })
  const children: Flow[] = []
  for (let i = 0; i < count; i += 1) children.push(await open())
  return [desk, open, ...children]
}

test('reads and new children keep a failure from being recorded', async () => {
  const it = await lookingStage()
  const [desk, open, failing] = await openFamily(it, 1)
  assert.ok(failing !== undefined)
  it.market.does = { BUY: 'refuse' }
  const seen = beforeCommit(it, 'FAILED', async () => look(await open()), 5)
  assert.equal((await buy(failing)).execution?.status, 'FAILED')
  assert.equal(seen.attempts, 1, 'none of them is a reason to look again')
  assert.deepEqual((await it.flow(desk.dfid)).tags, [])
  await it.close()
})

test('others that end all the time keep an outcome from being recorded', async () => {
  for (const status of ['SUCCESS', 'FAILED']) {
    const it = await sagaStage()
    const [desk, , own, ...others] = await openFamily(it, 5)
    assert.ok(own !== undefined)
    it.market.does = status === 'SUCCESS' ? { SELL: 'refuse' } : { BUY: 'refuse' }
    const end = async (i: number): Promise<unknown> => {
      const other = others[i - 1]
      return other === undefined ? null : sell(other, `C${i}`)
    }
    const seen = beforeCommit(it, status, end, others.length)
    assert.equal((await buy(own)).execution?.status, status)
    assert.equal(seen.attempts, 2, 'the first of them is seen, and is enough')
    assert.deepEqual((await it.flow(desk.dfid)).tags, ['DIRTY'])
    await it.close()
  }
})
