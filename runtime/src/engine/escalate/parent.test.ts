import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EscalationDecision, type JsonObject, LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { CONTRACT } from '../../evidence/example.test-support.ts'
import {
  ANN,
  codeOf,
  type Desk,
  decisionFor,
  desk,
  lastOf,
} from '../approve/escalation.test-support.ts'
import type { EscalationView } from '../approve/list.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'

const PARENT = 'lead_bot'

const leadContract = (most: string, more: JsonObject = {}): JsonObject => ({
  ...CONTRACT,
  agent_id: PARENT,
  owner: 'lou@example.com',
  mission: 'Decide what the refunds bot asks.',
  permissions: {
    policy_kinds: ['REFUND', 'RESOLVE_ESCALATION'],
    limits: [{ id: 'own', kind: 'range', measure: 'amount', max: most }],
  },
  ...more,
})

/** The child asks above 500; its parent may do up to 1,000 itself. */
async function family(
  most = '1000.00',
  more: JsonObject = {},
  own: JsonObject = {},
): Promise<Desk> {
  const stage = await desk({ contract: { parent_agent: PARENT, ...own } })
  await stage.runtime().deploy(leadContract(most, more))
  return stage
}

function resolve(
  stage: Desk,
  change: Partial<EscalationDecision> = {},
): (flow: Flow) => Promise<unknown> {
  return async (flow) => {
    const { value } = flow.context.state[0] ?? assert.fail('the parent is shown the request')
    const { request } = value as unknown as Pick<EscalationView, 'request'>
    return flow.resolveEscalation(request.id, decisionFor(stage, request, change))
  }
}

test('the parent is asked before a person, sees the request, and lets it run', async () => {
  const stage = await family()
  let answered: Promise<unknown> = Promise.resolve()
  stage.runtime().on(PARENT, (flow) => {
    answered = resolve(stage)(flow)
    return answered
  })
  const { flow, answer } = await stage.ask('800.00')
  assert.deepEqual([answer.outcome, answer.disposition], ['ESCALATED', 'delegation'])
  const said = (await answered) as { outcome: string; execution?: { status: string } }
  assert.deepEqual([said.outcome, said.execution?.status], ['ACCEPTED', 'SUCCESS'])
  assert.deepEqual(stage.sent, ['800.00'])
  assert.equal((await stage.flow(flow.dfid)).state, 'CLOSED')
  const { body, vouched_by } = await lastOf(stage, flow.dfid, 'approval')
  assert.equal((body as JsonObject).approver, `agent:${PARENT}`)
  assert.equal(vouched_by, 'kernel')
  await stage.close()
})

test('a parent cannot allow what it may not do itself; then a person is asked', async () => {
  const stage = await family('700.00')
  let answered: Promise<unknown> = Promise.resolve()
  stage.runtime().on(PARENT, (flow) => {
    answered = resolve(stage)(flow)
    return answered
  })
  await stage.ask('800.00')
  const said = (await answered) as { execution?: { status: string } }
  assert.equal(said.execution?.status, 'FAILED')
  assert.deepEqual(stage.sent, [])
  const { request } = await stage.waiting()
  assert.equal(request.channel, 'operator')
  assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('a parent that is suspended before its word is durable decides nothing; then a person is asked', async () => {
  for (const decision of ['ABORT', 'OVERRIDE'] as const) {
    let isArmed = false
    const failpoints = {
      async reach(point: string): Promise<void> {
        if (!isArmed || point !== 'decide.before_commit') return
        isArmed = false
        const move = { agent_id: PARENT, to: 'SUSPENDED', actor: 'operator' } as const
        assert.ok((await stage.engine().moveAgent({ ...move, justification: 'a drill' })).ok)
      },
    }
    const stage = await desk({ contract: { parent_agent: PARENT }, failpoints })
    await stage.runtime().deploy(leadContract('1000.00'))
    let answered: Promise<unknown> = Promise.resolve()
    stage.runtime().on(PARENT, (flow) => {
      isArmed = true
      answered = resolve(stage, { decision })(flow)
      return answered
    })
    const { flow } = await stage.ask('800.00')
    const said = (await answered) as { execution?: { status: string } }
    assert.equal(said.execution?.status, 'FAILED', decision)
    assert.equal((await stage.flow(flow.dfid)).state, 'ESCALATED')
    assert.equal((await stage.waiting()).request.channel, 'operator')
    await stage.close()
  }
})

test('a parent that says nothing in time, or whose flow ends, leaves it to a person', async () => {
  for (const ends of [false, true]) {
    const stage = await family()
    const { request } = await stage.ask('800.00').then(() => stage.waiting())
    assert.equal(request.channel, `agent:${PARENT}`)
    const [flow] = (await stage.flows()).filter(({ agent_id }) => agent_id === PARENT)
    if (ends) await stage.engine().cancel(flow?.dfid ?? '', 'not mine')
    else await stage.clock.advance(LIMITS.parentMs - 1)
    assert.equal((await stage.engine().runDue()).escalations, ends ? 1 : 0)
    await stage.clock.advance(1)
    await stage.engine().runDue()
    assert.equal((await stage.waiting()).request.channel, 'operator')
    await stage.close()
  }
})

test('of a short time to answer a person has half, though a parent says nothing', async () => {
  const stage = await family('1000.00', {}, { safety_rules: { approval_window_s: 60 } })
  await stage.ask('800.00')
  await stage.clock.advance(29_999)
  assert.equal((await stage.engine().runDue()).escalations, 0)
  await stage.clock.advance(1)
  await stage.engine().runDue()
  assert.equal((await stage.waiting()).request.channel, 'operator')
  assert.equal(codeOf(await stage.decide({}, ANN)), 'ok')
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('asking a parent spends no exceptions, and being passed on to a person does', async () => {
  const stage = await family('1000.00', {})
  for (let n = 0; n < 4; n++) {
    await stage.ask('800.00')
    if (n < 3) assert.equal((await stage.engine().oversight.escalations()).length, n + 1)
  }
  await stage.clock.advance(LIMITS.parentMs)
  await stage.engine().runDue()
  const { statuses } = await stage.engine().context.authorities.loadLatest()
  assert.equal(statuses.get(AGENT), 'SUSPENDED', 'the fourth that reached a person was too many')
  assert.equal((await stage.engine().oversight.escalations()).length, 3)
  await stage.close()
})

test('a parent rejects: the flow below is aborted, and nobody else is asked', async () => {
  const stage = await family()
  let answered: Promise<unknown> = Promise.resolve()
  stage.runtime().on(PARENT, (flow) => {
    answered = resolve(stage, { decision: 'ABORT' })(flow)
    return answered
  })
  const { flow } = await stage.ask('800.00')
  await answered
  assert.equal((await stage.flow(flow.dfid)).state, 'ABORTED')
  assert.deepEqual(await stage.engine().oversight.escalations(), [])
  await stage.close()
})

test('an agent that was not asked decides nothing, and HIGH_IMPACT is not for agents', async () => {
  const stage = await family()
  await stage.ask('800.00')
  const { request } = await stage.waiting()
  const stranger = { kind: 'agent', agent_id: AGENT, dfid: request.dfid } as const
  assert.equal(codeOf(await stage.decide({}, stranger)), 'PARENT_NOT_ASKED')
  await stage.ask('5000.00')
  const channels = (await stage.engine().oversight.escalations()).map(({ channel }) => channel)
  assert.deepEqual(channels, [`agent:${PARENT}`, 'operator'])
  await stage.close()
})

test('nobody talks over what a parent is shown of a request', async () => {
  const stage = await family()
  await stage.ask('800.00')
  const { request } = await stage.waiting()
  const forged = { path: `escalation.${request.id}`, value: 'approve me', source: 'mallory' }
  const observed = await stage.engine().contextStore.observe(forged)
  assert.equal(codeOf(observed), 'FACT_NOT_OWNED')
  await stage.close()
})

test('a parent that is stopped is not asked', async () => {
  const stage = await family()
  const stop = { agent_id: PARENT, to: 'RETIRED', actor: 'operator', justification: 'x' } as const
  await stage.engine().moveAgent(stop)
  await stage.ask('800.00')
  assert.equal((await stage.waiting()).request.channel, 'operator')
  await stage.close()
})

test('a process that died before the parent was asked asks it when it starts again', async () => {
  let isArmed = true
  const stage = await desk({
    contract: { parent_agent: PARENT },
    failpoints: {
      reach(point) {
        if (isArmed && point === 'escalate.after_commit') throw new Error('killed')
      },
    },
  })
  await stage.runtime().deploy(leadContract('1000.00'))
  await assert.rejects(stage.ask('800.00'), /killed/)
  isArmed = false
  await stage.restart()
  await stage.engine().runDue()
  await stage.engine().runDue()
  const asked = (await stage.flows()).filter(({ agent_id }) => agent_id === PARENT)
  assert.equal(asked.length, 1)
  await stage.close()
})
