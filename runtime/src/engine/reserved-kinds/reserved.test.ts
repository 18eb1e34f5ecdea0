import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Answer, isObject } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import {
  DESK,
  type Market,
  marketCapability,
  newMarket,
  type SagaOptions,
  type SagaStage,
  sagaStage,
  sell,
  TRADER,
} from '../compensate/saga-stage.test-support.ts'
import { takeUnitsOfTheirOwn } from './own-units.test-support.ts'

function said({ outcome, reason_code }: Answer): readonly unknown[] {
  return [outcome, reason_code]
}

/** The code in the last settlement of the flow. */
async function refusedWith(it: SagaStage, { dfid }: Flow): Promise<unknown> {
  const settled = (await it.entries(dfid)).filter(([kind]) => kind === 'settle')
  const { details = {} } = settled.at(-1)?.[1] ?? {}
  return isObject(details) ? details.code : undefined
}

const leg = { agent: TRADER, trigger: 'one leg' }

test('SPAWN_CHILD opens a flow inside the authority of the one that asks, and hands it over', async () => {
  const it = await sagaStage()
  const handed: string[] = []
  it.runtime().on(TRADER, (flow) => void handed.push(flow.dfid))
  const desk = await it.desk()
  const answer = await desk.spawn(leg)
  assert.equal(answer.execution?.status, 'SUCCESS')
  const [child] = await it.runtime().store.listFlows({ parent_dfid: desk.dfid, limit: 10 })
  assert.deepEqual(answer.execution?.result, { dfid: child?.dfid })
  assert.deepEqual(handed, [child?.dfid])
  assert.equal(child?.agent_id, TRADER)
  assert.equal(child.writs.length, 2, 'its writ is narrowed from the parent’s')
  const kinds = (await it.entries(desk.dfid)).map(([kind]) => kind)
  assert.deepEqual(kinds, ['writ', 'dispatch', 'delegation', 'commit'])
  assert.equal((await it.flow(desk.dfid)).state, 'ACTIVE', 'the parent goes on')
  assert.equal((await desk.spawn(leg)).outcome, 'REPEATED')
  const two = await desk.spawn(leg, { step_id: 'another' })
  assert.equal(two.execution?.status, 'SUCCESS')
  assert.equal(handed.length, 2)
  await it.close()
})

test('SPAWN_CHILD beyond the writ is not done, and says why', async () => {
  const it = await sagaStage()
  const why = async (flow: Flow, request: Parameters<Flow['spawn']>[0]): Promise<unknown> => {
    const answer = await flow.spawn(request)
    assert.equal(answer.execution?.status, 'FAILED')
    return refusedWith(it, flow)
  }
  await it.runtime().deploy({
    ...CONTRACT,
    agent_id: 'painter',
    permissions: { policy_kinds: ['PAINT'] },
  })
  const nothingInCommon = { agent: 'painter', trigger: 'paint it' }
  assert.equal(await why(await it.desk(), nothingInCommon), 'DELEGATION_WIDENS')
  assert.equal(await why(await it.desk(), { agent: 'nobody', trigger: 'x' }), 'AGENT_UNKNOWN')
  const rich = { ...leg, budget: { calls: '100' } }
  assert.equal(await why(await it.desk(), rich), 'BUDGET_EXCEEDED')
  const desk = await it.desk()
  await desk.spawn(rich)
  const row = await it.flow(desk.dfid)
  assert.deepEqual([row.state, row.tags], ['ACTIVE', []], 'nothing is half done by it')
  await it.close()
})

test('SPAWN_CHILD takes amounts for budgets and names for paths, and nothing else', async () => {
  const it = await sagaStage()
  const odd = [
    { budget: { usd: 'all of it' } },
    { budget: { usd: '-1' } },
    { budget: { usd: '1e3' } },
    { budget: { usd: '' } },
    { budget: { 'u s d': '1' } },
    { state: ["x' OR 1=1 --"] },
    { world: [{ kind: 'order', id: 'x'.repeat(10_000) }] },
  ]
  for (const more of odd) {
    const answer = await (await it.desk()).propose({
      policy_kind: 'SPAWN_CHILD',
      params: { ...leg, ...more },
    })
    assert.equal(answer.reason_code, 'ARGUMENTS_INVALID', JSON.stringify(more))
  }
  await it.close()
})

test('SPAWN_CHILD that the contract does not list is refused before anything is opened', async () => {
  const it = await sagaStage({ desk: { permissions: { policy_kinds: ['SELL'] } } })
  const desk = await it.desk()
  assert.deepEqual(said(await desk.spawn(leg)), ['REJECTED', 'RBAC_DENIED'])
  assert.deepEqual(await it.runtime().store.listFlows({ parent_dfid: desk.dfid, limit: 1 }), [])
  await it.close()
})

test('the parameters of a reserved kind have a schema like any other', async () => {
  const it = await sagaStage()
  for (const params of [{}, { agent: TRADER }, { ...leg, parent: 'x' }, { ...leg, dfid: 'mine' }]) {
    const answer = await (await it.desk()).propose({ policy_kind: 'SPAWN_CHILD', params })
    assert.deepEqual(said(answer), ['REJECTED', 'ARGUMENTS_INVALID'])
  }
  await it.close()
})

test('RETIRE ends the agent, without a listing, and nothing of it passes any more', async () => {
  const it = await sagaStage()
  const flow = await it.trade()
  assert.equal((await flow.requestRetire('the book is closed')).execution?.status, 'SUCCESS')
  const authority = await it.engine().context.authorities.loadLatest()
  assert.equal(authority.statuses.get(TRADER), 'RETIRED')
  assert.deepEqual(said(await sell(flow)), ['REJECTED', 'AGENT_RETIRED'])
  await it.close()
})

test('ESCALATE asks a person and the flow waits; sent back, it goes on', async () => {
  const it = await sagaStage()
  const flow = await it.trade()
  const answer = await flow.escalate('the prices look odd')
  assert.equal(answer.execution?.status, 'SUCCESS')
  assert.equal((await it.flow(flow.dfid)).state, 'ESCALATED')
  const [asked] = await it.engine().oversight.escalations()
  const request = await it.engine().oversight.escalation(asked?.id ?? '')
  assert.ok(request !== null)
  assert.deepEqual(said(await flow.escalate('again', { step_id: 'again' })), [
    'REJECTED',
    'FLOW_NOT_OPEN',
  ])
  const { intent_digest, shown_snapshot } = request.request
  await it.runtime().person('jane')
  const decided = await it.engine().oversight.decideEscalation(
    request.request.id,
    {
      decision: 'OVERRIDE',
      intent_digest,
      shown_snapshot,
      lifts: ['asked'],
      valid_until: '2026-06-01T13:00:00.000Z',
      justification: 'they are as they are',
    },
    { kind: 'person', principal: 'jane' },
  )
  assert.ok(decided.ok, JSON.stringify(decided))
  assert.equal((await it.flow(flow.dfid)).state, 'ACTIVE')
  assert.equal((await sell(flow)).execution?.status, 'SUCCESS')
  await it.close()
})

test('ESCALATE on a flow that has ended asks nobody', async () => {
  const it = await sagaStage()
  const flow = await it.trade()
  await flow.close()
  assert.deepEqual(said(await flow.escalate('too late')), ['REJECTED', 'FLOW_NOT_OPEN'])
  assert.deepEqual(await it.engine().oversight.escalations(), [])
  await it.close()
})

test('an agent in maintenance may ask for a person, and may stop', async () => {
  const it = await sagaStage()
  await it.half()
  assert.equal((await (await it.trade()).escalate('help')).execution?.status, 'SUCCESS')
  assert.equal((await (await it.trade()).requestRetire('enough')).execution?.status, 'SUCCESS')
  await it.close()
})

test('RESOLVE_ESCALATION of a request that was not put before the agent decides nothing', async () => {
  const it = await sagaStage({
    desk: { permissions: { policy_kinds: ['RESOLVE_ESCALATION'] } },
  })
  const flow = await it.trade()
  await flow.escalate('the prices look odd')
  const [asked] = await it.engine().oversight.escalations()
  const view = await it.engine().oversight.escalation(asked?.id ?? '')
  assert.ok(view !== null)
  const { id, intent_digest, shown_snapshot } = view.request
  const desk = await it.desk()
  const answer = await desk.resolveEscalation(id, {
    decision: 'ABORT',
    intent_digest,
    shown_snapshot,
    lifts: [],
    justification: 'I know better',
  })
  assert.equal(answer.execution?.status, 'FAILED')
  assert.equal(await refusedWith(it, desk), 'PARENT_NOT_ASKED')
  assert.equal((await it.flow(flow.dfid)).state, 'ESCALATED')
  await it.close()
})

/** The trader may sell for 10, the desk for 100; what is more goes to the desk first. */
const LIMITED: SagaOptions = {
  trader: {
    permissions: {
      policy_kinds: ['SELL'],
      limits: [{ id: 'size', kind: 'range', measure: 'size', max: '10', on_breach: 'escalate' }],
    },
  },
  desk: {
    permissions: {
      policy_kinds: ['SELL', 'RESOLVE_ESCALATION'],
      limits: [{ id: 'size', kind: 'range', measure: 'size', max: '100' }],
    },
  },
}

/** The desk gets the flow in which it is asked, and allows what it is shown. */
async function allow(it: SagaStage, desk: Flow): Promise<Answer> {
  const [waiting] = await it.engine().oversight.escalations()
  const view = await it.engine().oversight.escalation(waiting?.id ?? '')
  assert.ok(view !== null)
  const { id, intent_digest, shown_snapshot, triggers } = view.request
  return desk.resolveEscalation(id, {
    decision: 'OVERRIDE',
    intent_digest,
    shown_snapshot,
    lifts: triggers.map((trigger) => trigger.id),
    valid_until: '2026-06-01T12:30:00.000Z',
    justification: 'inside what the desk may do',
  })
}

function sized(market: Market): Capability {
  return marketCapability(market, 'SELL', { measures: { size: () => '50' }, risk: 'low' })
}

test('RESOLVE_ESCALATION lets run what the parent may do itself, once', async () => {
  const market = newMarket()
  const it = await sagaStage({ ...LIMITED, market, capabilities: [sized(market)] })
  const asked: Flow[] = []
  it.runtime().on(DESK, (flow) => void asked.push(flow))
  const flow = await it.runtime().open({ agent: TRADER, trigger: 'a large sale' })
  assert.equal((await sell(flow)).outcome, 'ESCALATED')
  const [desk] = asked
  assert.ok(desk !== undefined, 'the desk is handed a flow')
  const answer = await allow(it, desk)
  assert.equal(answer.execution?.status, 'SUCCESS', JSON.stringify(answer))
  assert.deepEqual(market.calls, ['SELL'])
  assert.equal((await it.flow(flow.dfid)).state, 'CLOSED')
  await it.close()
})

test('killed between the decision and its record, RESOLVE_ESCALATION is found to be done', async () => {
  const market = newMarket()
  let desk: Flow | undefined
  const options = { ...LIMITED, market, capabilities: [sized(market)] }
  const it = await killedAfter(
    'decide.after_commit',
    async (stage) => {
      if (desk !== undefined) await allow(stage, desk)
    },
    options,
    async (stage) => {
      stage.runtime().on(DESK, (flow) => {
        desk = flow
      })
      await sell(await stage.runtime().open({ agent: TRADER, trigger: 'a large sale' }))
    },
  )
  await settleDown(it)
  await it.engine().runDue()
  assert.equal((await it.row(desk?.dfid ?? '', 'resolve'))?.status, 'SUCCESS')
  assert.deepEqual(market.calls, ['SELL'])
  await it.close()
})

/** A process that ends after the deed and before its record. */
async function killedAfter(
  point: Failpoint,
  act: (it: SagaStage) => Promise<unknown>,
  options: SagaOptions = {},
  before: (it: SagaStage) => Promise<unknown> = async () => {},
): Promise<SagaStage> {
  let armed = false
  let dead = false
  const it = await sagaStage({
    ...options,
    failpoints: {
      reach: (at) => {
        dead ||= armed && at === point
        if (dead) throw new Error('killed')
      },
    },
  })
  await before(it)
  armed = true
  await assert.rejects(act(it), /killed/)
  armed = false
  dead = false
  await it.restart()
  return it
}

async function settleDown(it: SagaStage): Promise<void> {
  for (let round = 0; round < 6; round++) {
    await it.clock.advance(5_000)
    await it.engine().reconcile()
  }
}

test('killed between the child and its record, SPAWN_CHILD finds the child, and hands it over', async () => {
  let dfid = ''
  const it = await killedAfter('effect.after_send', async (stage) => {
    takeUnitsOfTheirOwn(stage.engine())
    const desk = await stage.desk()
    dfid = desk.dfid
    await desk.spawn(leg)
  })
  const handed: string[] = []
  it.runtime().on(TRADER, (flow) => void handed.push(flow.dfid))
  await settleDown(it)
  const children = await it.runtime().store.listFlows({ parent_dfid: dfid, limit: 10 })
  assert.equal(children.length, 1)
  const row = await it.row(dfid, 'spawn')
  assert.deepEqual([row?.status, row?.result], ['SUCCESS', { dfid: children[0]?.dfid }])
  assert.deepEqual(handed, [children[0]?.dfid])
  await it.close()
})

test('killed between the end of the agent and its record, RETIRE is found to be done', async () => {
  let dfid = ''
  const it = await killedAfter('effect.after_send', async (stage) => {
    takeUnitsOfTheirOwn(stage.engine())
    const flow = await stage.trade()
    dfid = flow.dfid
    await flow.requestRetire('enough')
  })
  await settleDown(it)
  assert.equal((await it.row(dfid, 'retire'))?.status, 'SUCCESS')
  await it.close()
})

test('killed before the request, ESCALATE asks once all the same', async () => {
  let dfid = ''
  const kill = async (stage: SagaStage): Promise<void> => {
    const flow = await stage.trade()
    dfid = flow.dfid
    await flow.escalate('help')
  }
  // Accepted, and dispatched by nobody.
  const it = await killedAfter('dispatch.before_commit', kill, { executors: 'separate' })
  await it.engine().reconcile()
  // What carries it out is started and not waited for, and its time runs by the clock that is moved below.
  const isUnderWay = async (): Promise<boolean> =>
    (await it.row(dfid, 'escalate'))?.status === 'ACCEPTED'
  for (let looks = 0; looks < 1_000 && (await isUnderWay()); looks++) await setTimeout(10)
  await settleDown(it)
  assert.equal((await it.row(dfid, 'escalate'))?.status, 'SUCCESS')
  assert.equal((await it.flow(dfid)).state, 'ESCALATED')
  assert.equal((await it.engine().oversight.escalations()).length, 1)
  await it.close()
})
