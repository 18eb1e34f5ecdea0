/** Flows that operators open for agents in a branch. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAIN } from 'rubicon-kernel'
import { branchTrajectory } from '../../../../runtime/src/evidence/branch.ts'
import {
  AGENT,
  freshKey,
  get,
  post,
  problemOf,
  type Served,
  served,
} from '../served.test-support.ts'

const PATH = '/v1/trajectories/what-if/flows'
const body = { agent: AGENT, trigger: 'try a refund', steps: 'many' }

async function branch({ runtime }: Served): Promise<void> {
  const source = { trajectory: MAIN, seq: 0 }
  const made = await branchTrajectory(runtime.engine, { source, name: 'what-if', note: '' })
  assert.ok(made.ok)
}

test('an operator has an agent try something in a branch, and nothing of it is paid', async (t) => {
  const it = await served(t)
  await branch(it)
  const operator = it.person('otto', 'operator')
  const headers = freshKey()
  const opened = await post(operator, PATH, { body, headers })
  const { dfid } = opened.body
  assert.equal(opened.status, 201, JSON.stringify(opened.body))
  assert.deepEqual(opened.body, { dfid, agent: AGENT, trajectory: 'what-if' })
  const again = await post(operator, PATH, { body, headers })
  assert.equal(again.body.dfid, dfid, 'asked again under the same key it is the same flow')
  assert.equal((await it.runtime.store.listFlows({ limit: 9 })).length, 1)

  const agent = await it.agent()
  const { body: listed } = await get(agent, '/v1/flows')
  assert.deepEqual(
    listed.flows.map((flow: { dfid: string }) => flow.dfid),
    [dfid],
    'its agent sees it',
  )
  const { body: context } = await post(agent, `/v1/flows/${dfid}/refresh`, { body: {} })
  assert.equal(context.agent_id, AGENT, 'and is shown what it needs')
  const { body: tools } = await get(agent, `/v1/flows/${dfid}/tools`)
  const kinds = tools.tools.map(({ kind }: { kind: string }) => kind)
  assert.ok(!kinds.includes('REFUND'), 'it is not offered what a branch cannot do')
  const answer = await it.propose(agent, { dfid, context })
  assert.equal(answer.body.reason_code, 'BRANCH_EFFECT', JSON.stringify(answer.body))
  assert.deepEqual(it.calls, [])
})

test('nobody but an operator opens flows in a branch, and operators open none in main', async (t) => {
  const it = await served(t)
  await branch(it)
  const agent = await it.agent()
  for (const [who, place] of [
    ['agent', agent],
    ['approver', it.person('ann', 'approver')],
    ['auditor', it.person('aud', 'auditor')],
  ] as const) {
    const refused = await post(place, PATH, { body, headers: freshKey() })
    assert.equal(refused.status, 403, who)
  }
  const operator = it.person('otto', 'operator')
  for (const [trajectory, status, code] of [
    [MAIN, 403, 'FLOW_FOREIGN'],
    ['authority', 403, 'FLOW_FOREIGN'],
    ['erasure', 403, 'FLOW_FOREIGN'],
    ['nowhere', 404, 'TRAJECTORY_UNKNOWN'],
  ] as const) {
    const path = `/v1/trajectories/${trajectory}/flows`
    const refused = await post(operator, path, { body, headers: freshKey() })
    assert.deepEqual(problemOf(refused), [status, code], trajectory)
  }
  const nested = { ...body, parent: '019c1200-0000-7000-8000-000000000000' }
  const refused = await post(operator, PATH, { body: nested, headers: freshKey() })
  assert.deepEqual(problemOf(refused), [422, 'SCHEMA_INVALID'], 'nor below a flow of somebody')
  assert.deepEqual(await it.runtime.store.listFlows({ limit: 9 }), [])
})
