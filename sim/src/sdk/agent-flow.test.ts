import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentRuntime } from 'rubicon-agents'
import { AgentError } from 'rubicon-agents'
import type { Runtime } from 'rubicon-runtime'
import { AGENT } from '../../../server/src/http/served.test-support.ts'
import { LEAD, stage, testBoth } from './connected.test-support.ts'

const REFUND = { policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } }

test('a runtime has the form that an agent in process needs', () => {
  const toAgentRuntime = (runtime: Runtime): AgentRuntime => runtime
  assert.equal(typeof toAgentRuntime, 'function')
})

testBoth(
  'an agent opens a flow, is shown its context, proposes, and hears each outcome',
  async (t, way) => {
    const { connect, calls } = await stage(t, way)
    const agent = await connect()
    const flow = await agent.open({ trigger: 'ticket 4711' })
    assert.equal(flow.context.agent_id, AGENT)
    const paid = await flow.propose(REFUND)
    assert.equal(paid.outcome, 'ACCEPTED')
    assert.ok(paid.outcome === 'ACCEPTED' && paid.execution.status === 'SUCCESS')
    const again = await flow.propose(REFUND)
    assert.ok(again.outcome === 'REPEATED')
    assert.deepEqual(again.execution.result, paid.execution.result)
    const other = await agent.open({ trigger: 'ticket 4712' })
    const refused = await other.propose({
      ...REFUND,
      params: { order: 'o_2', amount: '20000.00' },
    })
    assert.ok(refused.outcome === 'REJECTED')
    assert.deepEqual([refused.reason_code, refused.disposition], ['LIMIT_EXCEEDED', 'soft_stop'])
    assert.equal(typeof refused.feedback.fix, 'string')
    const large = await other.propose({ ...REFUND, params: { order: 'o_2', amount: '1200.00' } })
    assert.ok(large.outcome === 'ESCALATED')
    assert.equal(large.reason_code, 'AUTHORITY_CEILING')
    assert.equal(calls.length, 1)
  },
)

testBoth(
  'a third refusal ends the flow, and an unreadable proposal is an answer',
  async (t, way) => {
    const { connect } = await stage(t, way)
    const agent = await connect()
    const flow = await agent.open({ trigger: 'ticket' })
    const first = await flow.propose({ ...REFUND, params: { order: 7 } })
    assert.ok(first.outcome === 'REJECTED' && first.reason_code === 'ARGUMENTS_INVALID')
    const second = await flow.propose({ ...REFUND, nonsense: true })
    assert.ok(second.outcome === 'REJECTED' && second.reason_code === 'SCHEMA_INVALID')
    const third = await flow.propose({ policy_kind: 'SELL' })
    assert.ok(third.outcome === 'EXHAUSTED' && third.reason_code === 'REASONING_EXHAUSTION')
    const late = await flow.propose(REFUND)
    assert.ok(late.outcome === 'REJECTED' && late.reason_code === 'FLOW_NOT_OPEN')
  },
)

testBoth(
  'one act is opened and decided in one step, and waited for by its dfid',
  async (t, way) => {
    const { connect } = await stage(t, way)
    const agent = await connect()
    const answer = await agent.act({ ...REFUND, trigger: 'ticket 1' })
    assert.equal(answer.outcome, 'ACCEPTED')
    const settled = await agent.settled(answer.dfid)
    assert.ok(settled.outcome === 'ACCEPTED' && settled.execution.status === 'SUCCESS')
  },
)

testBoth(
  'an act that is asked for again under its names is answered with the first, and with other arguments refused',
  async (t, way) => {
    const { connect, calls } = await stage(t, way)
    const agent = await connect()
    const once = { call: { conversation: 'c', id: '1' }, key: 'k' }
    const first = await agent.act({ ...REFUND, trigger: 'ticket 1', once })
    const again = await (await connect()).act({ ...REFUND, trigger: 'ticket 2', once })
    assert.deepEqual(again, first)
    const params = { order: 'o_1', amount: '21.00' }
    await assert.rejects(agent.act({ ...REFUND, params, trigger: 'ticket 1', once }), (error) => {
      assert.ok(error instanceof AgentError)
      assert.deepEqual([error.code, error.meta.dfid], ['CALL_REUSED', first.dfid])
      return true
    })
    assert.equal(calls.length, 1)
  },
)

testBoth(
  'what waits for a person is waited for, and the waiting can be given up',
  async (t, way) => {
    const { connect, runtime } = await stage(t, way)
    const agent = await connect()
    const flow = await agent.open({ trigger: 'ticket 1' })
    const large = await flow.propose({ ...REFUND, params: { order: 'o', amount: '1200.00' } })
    assert.equal(large.outcome, 'ESCALATED')
    await assert.rejects(flow.settled({ signal: AbortSignal.timeout(300) }), /abort|timeout/i)
    const waiting = flow.settled()
    assert.ok((await runtime.engine.cancel(flow.dfid, 'the customer called')).ok)
    const ended = await waiting
    assert.equal(ended.outcome, 'REJECTED')
  },
)

testBoth(
  'several steps, notes, explanations, documents, usage and the end of a flow',
  async (t, way) => {
    const { connect, calls } = await stage(t, way)
    const agent = await connect()
    await agent.putDocument('playbook', { title: 'Refunds', text: 'Broken parcels are paid back.' })
    const flow = await agent.open({ trigger: 'two parcels', steps: 'many' })
    await flow.note('two orders, one customer')
    const { explain_ref } = await flow.explain({ narrative: 'both are broken', risks: ['fraud'] })
    for (const order of ['o_1', 'o_2']) {
      const params = { order, amount: '5.00' }
      const answer = await flow.propose({ ...REFUND, step_id: order, params, explain_ref })
      assert.equal(answer.outcome, 'ACCEPTED', JSON.stringify(answer))
    }
    const found = await flow.search('broken parcels')
    assert.equal(found[0]?.title, 'Refunds')
    const { context } = flow
    const shown = await flow.refresh()
    assert.notEqual(shown.snapshot_id, context.snapshot_id)
    assert.equal(flow.context.snapshot_id, shown.snapshot_id)
    assert.equal((await flow.usage({ tokens: 40 }, { report: 'r1' })).used.tokens, '40')
    await flow.close()
    const late = await flow.propose({ ...REFUND, step_id: 'o_3' })
    assert.equal(late.outcome, 'REJECTED')
    assert.equal(calls.length, 2)
    await agent.dropDocument('playbook')
  },
)

testBoth(
  'a flow of which nothing was sent is cancelled; what cannot be done has a code',
  async (t, way) => {
    const { connect } = await stage(t, way)
    const agent = await connect()
    const flow = await agent.open({ trigger: 'ticket' })
    await flow.cancel('not needed')
    await assert.rejects(flow.note('too late'), isAgentError('FLOW_NOT_OPEN'))
    await assert.rejects(agent.settled('no-such-flow'), isAgentError('FLOW_UNKNOWN'))
    await assert.rejects(agent.open({ trigger: '' }), AgentError)
  },
)

testBoth(
  'an agent is offered what contract, writ and registry admit, and nothing else',
  async (t, way) => {
    const { connect } = await stage(t, way)
    const flow = await (await connect()).open({ trigger: 'ticket' })
    const tools = await flow.listTools()
    assert.deepEqual(tools.map(({ kind }) => kind).sort(), ['ESCALATE', 'REFUND', 'RETIRE'])
    const refund = tools.find(({ kind }) => kind === 'REFUND')
    assert.deepEqual(refund?.params.required, ['order', 'amount'])
    assert.deepEqual([refund?.risk, refund?.reversible], ['medium', false])
  },
)

testBoth('a child flow is handed to its agent, and has no more than its parent', async (t, way) => {
  const { connect } = await stage(t, way)
  const [lead, clerk] = [await connect(LEAD), await connect()]
  const handed = new Promise<string>((resolve, reject) => {
    clerk.handleFlows(async (flow) => {
      const answer = await flow.propose(REFUND)
      if (answer.outcome === 'ACCEPTED') resolve(flow.context.trigger)
      else reject(new Error(JSON.stringify(answer)))
    })
  })
  const own = await clerk.open({ trigger: 'its own' })
  const flow = await lead.open({ trigger: 'a busy day', steps: 'many' })
  const spawned = await flow.spawn({ agent: AGENT, trigger: 'ticket 7' })
  assert.equal(spawned.outcome, 'ACCEPTED', JSON.stringify(spawned))
  assert.equal(await handed, 'ticket 7')
  await own.cancel('only to be there')
})

testBoth('an agent goes on with a flow of its own, and with no other', async (t, way) => {
  const { connect } = await stage(t, way)
  const [lead, clerk] = [await connect(LEAD), await connect()]
  const { dfid } = await clerk.open({ trigger: 'ticket' })
  const resumed = await clerk.resume(dfid)
  assert.equal((await resumed.propose(REFUND)).outcome, 'ACCEPTED')
  const { dfid: other } = await clerk.open({ trigger: 'ticket' })
  await assert.rejects(lead.resume(other), isAgentError('IDENTITY_MISMATCH'))
})

testBoth('timers and what an agent keeps for itself are its own', async (t, way) => {
  const { connect } = await stage(t, way)
  const agent = await connect()
  const every_ms = 3_600_000
  const set = await agent.setTimer('hourly', { trigger: 'look around', every_ms })
  assert.deepEqual([set.name, set.every_ms], ['hourly', every_ms])
  assert.deepEqual(
    (await agent.listTimers()).map(({ name }) => name),
    ['hourly'],
  )
  await agent.dropTimer('hourly')
  assert.deepEqual(await agent.listTimers(), [])
  assert.equal(await agent.loadState(), null)
  const { version } = await agent.saveState({ seen: 3 }, null)
  assert.equal((await agent.loadState())?.version, version)
  await assert.rejects(agent.saveState({ seen: 4 }, null), isAgentError('AGENT_STATE_CONFLICT'))
})

testBoth('an agent that retires proposes nothing any more', async (t, way) => {
  const { connect, calls } = await stage(t, way)
  const agent = await connect()
  const flow = await agent.open({ trigger: 'the last one' })
  await agent.retire('the mission is over')
  const late = await flow.propose(REFUND).catch((error: AgentError) => error)
  const code = late instanceof AgentError ? late.code : 'reason_code' in late && late.reason_code
  assert.equal(code, 'AGENT_RETIRED')
  assert.deepEqual(calls, [])
})

testBoth('a connection that was closed sends nothing', async (t, way) => {
  const { connect } = await stage(t, way)
  const agent = await connect()
  const flow = await agent.open({ trigger: 'x' })
  await agent.close()
  assert.equal(agent.state.kind, 'ended')
  await assert.rejects(flow.propose(REFUND), isAgentError('CONNECTION_ENDED'))
  await assert.rejects(agent.open({ trigger: 'x' }), isAgentError('CONNECTION_ENDED'))
})

function isAgentError(code: string): (error: unknown) => boolean {
  return (error) => error instanceof AgentError && error.code === code
}
