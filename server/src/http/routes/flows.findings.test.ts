/** What an agent was able to do over HTTP with flows that are not its own, one test a sentence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { branchTrajectory } from '../../../../runtime/src/evidence/branch.ts'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import { buildContract } from '../../demo/contract.ts'
import {
  AGENT,
  freshKey,
  get,
  type OpenFlow,
  post,
  problemOf,
  type Served,
  served,
} from '../served.test-support.ts'

type Asked = ReturnType<typeof post>

async function openAs(it: Served, name: string, body: object): Asked {
  const place = await it.agent(name)
  return post(place, '/v1/flows', { body: { trigger: 'x', ...body }, headers: freshKey() })
}

/** What an auditor finds in the whole ledger. */
async function findings({ runtime }: Served): Promise<readonly string[]> {
  await runtime.engine.checkpoint()
  const lines: string[] = []
  const done = await exportLedger(runtime.store, (line) => void lines.push(line))
  assert.ok(done.ok)
  const report = verifyAny(lines.join(''), nodeCrypto)
  return report.findings.map(({ code }) => code)
}

test('finding 6a: nobody opens a flow in the authority trajectory, and the ledger still verifies', async (t) => {
  const it = await served(t)
  const { store } = it.runtime
  const before = (await store.listEntries(AUTHORITY, 0, 100)).length
  const opened = await openAs(it, AGENT, { trajectory: AUTHORITY })
  assert.deepEqual(problemOf(opened), [403, 'FLOW_FOREIGN'])
  await assert.rejects(it.runtime.open({ agent: AGENT, trigger: 'x', trajectory: AUTHORITY }))
  const kinds = (await store.listEntries(AUTHORITY, before, 100)).map(
    ({ envelope }) => envelope.kind,
  )
  assert.deepEqual(kinds, ['key', 'lifecycle'], 'its key, its first handshake, and nothing else')
  assert.deepEqual(await findings(it), [])
})

test('finding 6b: a trajectory that does not exist is refused by name, not a bug of the server', async (t) => {
  const it = await served(t)
  const { engine, store } = it.runtime
  const unknown = await openAs(it, AGENT, { trajectory: 'nowhere' })
  assert.deepEqual(problemOf(unknown), [404, 'TRAJECTORY_UNKNOWN'])
  const inside = await engine.open({ agent: AGENT, trigger: 'x', trajectory: 'nowhere' })
  assert.equal(inside.ok ? null : inside.error.code, 'TRAJECTORY_UNKNOWN')
  assert.deepEqual(await store.listFlows({ limit: 9 }), [])

  const source = { trajectory: MAIN, seq: 0 }
  const branched = await branchTrajectory(engine, { source, name: 'what-if', note: 'x' })
  assert.ok(branched.ok)
  const foreign = await openAs(it, AGENT, { trajectory: 'what-if' })
  assert.deepEqual(problemOf(foreign), [403, 'FLOW_FOREIGN'])
  const owned = await engine.open({ agent: AGENT, trigger: 'x', trajectory: 'what-if' })
  assert.ok(owned.ok)
  const below = await openAs(it, AGENT, { parent: owned.value.flow.dfid })
  assert.equal((await store.readFlow(below.body.dfid))?.trajectory, 'what-if')
})

test('finding 7a: no agent opens a child under a flow of another, or takes of its budget', async (t) => {
  const it = await served(t)
  await it.runtime.deploy(buildContract('other_bot', ['REFUND']))
  const bot = await it.agent()
  const flow = await it.open(bot, { steps: 'many' })
  const before = await it.runtime.store.readFlow(flow.dfid)
  const taken = await openAs(it, 'other_bot', { parent: flow.dfid, budget: { calls: '100' } })
  assert.deepEqual(problemOf(taken), [403, 'FLOW_FOREIGN'])
  const unknown = await openAs(it, 'other_bot', { parent: 'nobodys' })
  assert.deepEqual(problemOf(unknown), [404, 'FLOW_UNKNOWN'])
  assert.deepEqual(await it.runtime.store.readFlow(flow.dfid), before)
  assert.equal((await it.propose(bot, flow)).body.outcome, 'ACCEPTED')
  const children = await get(bot, `/v1/flows?parent=${flow.dfid}`)
  assert.deepEqual(children.body.flows, [])
})

test('finding 5a: nobody but the agent that is asked is shown what another agent asks', async (t) => {
  const lead = buildContract('lead_bot', ['REFUND', 'RESOLVE_ESCALATION'], {
    permissions: { reads: ['market.*'] },
  })
  const bot = buildContract(AGENT, ['REFUND'], {
    parent_agent: 'lead_bot',
    permissions: {
      limits: [{ id: 'alone', measure: 'refund_usd', max: '5.00', on_breach: 'escalate' }],
    },
  })
  const spy = buildContract('spy_bot', ['REFUND'])
  const it = await served(t, { contracts: [bot, lead, spy] })
  await it.runtime.observe({ path: 'market.price', value: '7' })
  const asker = await it.agent()
  const asked = await it.propose(asker, await it.open(asker))
  assert.equal(asked.body.outcome, 'ESCALATED', JSON.stringify(asked.body))
  const [request] = await it.runtime.engine.oversight.escalations()
  assert.equal(request?.channel, 'agent:lead_bot')
  const path = `escalation.${request?.id}`

  const paths = ({ state }: OpenFlow['context']): readonly string[] =>
    state.map((fact) => fact.path)
  for (const name of ['spy_bot', AGENT, 'lead_bot']) {
    const place = await it.agent(name)
    for (const state of [['*'], ['escalation.*'], [path], ['e*']]) {
      const flow = await it.open(place, { state })
      assert.deepEqual(paths(flow.context), state[0] === '*' ? ['market.price'] : [], name)
      assert.ok(!JSON.stringify(flow.context).includes(path), `${name} is told that it exists`)
      const again = await post(place, `/v1/flows/${flow.dfid}/refresh`, { body: { state } })
      assert.ok(!JSON.stringify(again.body).includes(path), `${name} looks again`)
    }
  }

  const [shown] = await it.runtime.store
    .listFlows({ agent_id: 'lead_bot', limit: 9 })
    .then((flows) => flows.filter(({ trigger }) => trigger.startsWith('escalation ')))
  const parent = await it.agent('lead_bot')
  const look = await post(parent, `/v1/flows/${shown?.dfid}/refresh`, { body: { state: ['*'] } })
  assert.equal(look.status, 200, JSON.stringify(look.body))
  assert.deepEqual(paths(look.body), [path, 'market.price'], 'the agent that is asked sees it')
})

test('finding 13a: an ended flow records three proposals, and only counts the others', async (t) => {
  const it = await served(t)
  const { store } = it.runtime
  const bot = await it.agent()
  const flow = await it.open(bot)
  assert.equal((await it.propose(bot, flow)).body.outcome, 'ACCEPTED')
  assert.equal((await store.readFlow(flow.dfid))?.state, 'CLOSED')
  const before = (await store.listFlowEntries(flow.dfid)).length
  const params = { order: 'x'.repeat(200_000), amount: '1.00' }
  const codes: string[] = []
  for (let i = 0; i < 20; i += 1) {
    const step = i % 2 === 0 ? {} : { step_id: `other-${i}` }
    const { body } = await it.propose(bot, flow, { params, ...step })
    codes.push(body.reason_code ?? body.code)
  }
  assert.deepEqual(codes.slice(0, 4), [
    'STEP_PARAMS_MISMATCH',
    'FLOW_NOT_OPEN',
    'STEP_PARAMS_MISMATCH',
    'FLOW_ENDED',
  ])
  assert.ok(codes.slice(3).every((code) => code === 'FLOW_ENDED'))
  const unreadable = await post(bot, `/v1/flows/${flow.dfid}/proposals`, { body: { dfid: 7 } })
  assert.deepEqual(problemOf(unreadable), [409, 'FLOW_ENDED'])
  const entries = (await store.listFlowEntries(flow.dfid)).slice(before)
  assert.deepEqual(
    entries.map(({ envelope }) => envelope.kind),
    ['rejection', 'rejection', 'rejection'],
  )
  assert.equal(await store.readCounter(`late ${flow.dfid}`), 21)
  const again = await it.propose(bot, flow)
  assert.equal(again.body.outcome, 'REPEATED', 'the first answer is still to be had')
})

test('AGENT_RATE: refusals of an agent count over all its flows, by the hour', async (t) => {
  const bot = buildContract(AGENT, ['REFUND'], { safety_rules: { rejections_per_hour: 4 } })
  const it = await served(t, { contracts: [bot, buildContract('other_bot', ['REFUND'])] })
  const { store } = it.runtime
  const place = await it.agent()
  const refusals: string[] = []
  for (let i = 0; i < 6; i += 1) {
    const flow = await it.open(place)
    const { body } = await it.propose(place, flow, i % 2 === 0 ? { params: {} } : { params: 7 })
    refusals.push(body.reason_code ?? body.code)
  }
  assert.deepEqual(refusals.slice(0, 4), [
    'ARGUMENTS_INVALID',
    'SCHEMA_INVALID',
    'ARGUMENTS_INVALID',
    'SCHEMA_INVALID',
  ])
  assert.deepEqual(refusals.slice(4), ['AGENT_RATE', 'AGENT_RATE'])
  const leaves = await store.countLeaves()
  const flow = await it.open(place)
  const good = await it.propose(place, flow)
  assert.deepEqual(problemOf(good), [429, 'AGENT_RATE'])
  assert.equal(good.headers.get('retry-after'), '1')
  assert.equal(await store.countLeaves(), leaves + 1, 'the opening, and no entry for the proposal')
  const other = await it.agent('other_bot')
  assert.equal((await it.propose(other, await it.open(other))).body.outcome, 'ACCEPTED')
})

test('finding 13b: a fresh flow does not start the budget of its agent anew', async (t) => {
  const budget_per_agent = { window_s: 2_678_400, calls: 3 }
  const bot = buildContract(AGENT, ['REFUND'], { safety_rules: { budget_per_agent } })
  const it = await served(t, { contracts: [bot, buildContract('other_bot', ['REFUND'])] })
  const place = await it.agent()
  const flows = await Promise.all(Array.from({ length: 6 }, () => it.open(place)))
  const said = await Promise.all(flows.map((flow) => it.propose(place, flow)))
  const outcomes = said.map(({ body }) => body.outcome).sort()
  assert.deepEqual(outcomes, [...Array(3).fill('ACCEPTED'), ...Array(3).fill('REJECTED')])
  const refused = said.find(({ body }) => body.outcome === 'REJECTED')?.body
  assert.equal(refused.reason_code, 'BUDGET_EXCEEDED')
  const { measures, window } = refused.feedback.details
  assert.deepEqual([measures, window.of, window.window_s], [['calls'], AGENT, 2_678_400])
  assert.equal(it.calls.length, 3, 'three reached the provider')
  const other = await it.agent('other_bot')
  assert.equal((await it.propose(other, await it.open(other))).body.outcome, 'ACCEPTED')
})
