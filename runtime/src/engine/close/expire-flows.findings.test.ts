/** A flow that nobody will ever move again ends by rule, and says so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import type { Effect } from '../../ports/capability.ts'
import { AGENT, type FlowStage, flowStage, plain, refund } from '../flow/flow-stage.test-support.ts'
import type { OpenRequest } from '../flow/open.ts'

const open = (stage: FlowStage, more: Partial<OpenRequest> = {}): Promise<Flow> =>
  stage.runtime().open({ agent: AGENT, trigger: 'ticket', steps: 'many', ...more })

const expired = async (stage: FlowStage): Promise<number> => {
  return (await stage.engine().runDue()).expired
}

test('finding 28c: a flow whose proposals are refused does not stay ACTIVE for ever', async () => {
  const stage = await flowStage()
  await stage.deploy()
  const flow = await open(stage)
  assert.equal((await flow.propose(refund('501'))).outcome, 'REJECTED')
  await stage.clock.advance(LIMITS.flowWritMs - 1)
  assert.equal(await expired(stage), 0, 'until its writ ends')
  await stage.clock.advance(1)
  assert.equal(await expired(stage), 1)
  const { state, history, opened_at, expires_at } = await stage.flow(flow.dfid)
  assert.deepEqual([state, history.at(-1)?.from], ['ABORTED', 'ACTIVE'])
  const [kind, payload] = (await stage.entries(flow.dfid)).at(-1) ?? assert.fail()
  assert.equal(kind, 'rejection')
  assert.deepEqual(plain(payload), {
    attempt: 1,
    received: '',
    trace: [],
    stage: 'queue',
    gate: null,
    reason_code: 'FLOW_EXPIRED',
    details: { opened_at, expired_at: expires_at },
    ended_flow: 'FLOW_EXPIRED',
  })
  assert.equal((await flow.settled()).reason_code, 'FLOW_EXPIRED')
  assert.equal(await expired(stage), 0, 'once')
  await stage.close()
})

test('an engine that starts after the end of a writ finds its flow', async () => {
  const stage = await flowStage()
  await stage.deploy()
  const { dfid } = await open(stage)
  await stage.clock.advance(3 * LIMITS.flowWritMs)
  await stage.restart()
  assert.equal(await expired(stage), 1)
  assert.equal((await stage.flow(dfid)).state, 'ABORTED')
  await stage.close()
})

test('children end first, and what they held of the budget goes back', async () => {
  const stage = await flowStage()
  await stage.deploy({
    permissions: { policy_kinds: ['REFUND', 'SPAWN_CHILD'] },
    safety_rules: { budget_per_flow: { usd: '10' } },
  })
  const parent = await open(stage)
  await stage.clock.advance(1)
  const answer = await parent.spawn({ agent: AGENT, trigger: 'a part', budget: { usd: '4' } })
  assert.equal(answer.outcome, 'ACCEPTED', JSON.stringify(answer))
  const [child] = await stage.runtime().store.listFlows({ parent_dfid: parent.dfid, limit: 1 })
  assert.ok(child !== undefined)
  await stage.clock.advance(LIMITS.flowWritMs - 1)
  assert.equal(await expired(stage), 1, 'the parent has an open child')
  assert.equal((await stage.flow(child.dfid)).state, 'ABORTED')
  const returned = (await stage.entries(parent.dfid)).filter(([kind]) => kind === 'delegation')
  assert.equal(returned.at(-1)?.[1].child_dfid, child.dfid)
  assert.equal(await expired(stage), 1)
  assert.equal((await stage.flow(parent.dfid)).state, 'ABORTED')
  await stage.close()
})

test('what is on its way is waited for', async () => {
  const answered = Promise.withResolvers<Effect>()
  const sent = Promise.withResolvers<void>()
  const execute = (): Promise<Effect> => {
    sent.resolve()
    return answered.promise
  }
  const slow = { ...exampleCapability(() => {}), execute }
  const stage = await flowStage({ capabilities: [slow] })
  await stage.deploy()
  const flow = await open(stage)
  const pending = flow.propose(refund())
  await sent.promise
  await stage.clock.advance(LIMITS.flowWritMs)
  assert.equal(await expired(stage), 0)
  answered.resolve({ result: 'done' })
  await pending
  assert.equal(await expired(stage), 0, 'also while its outcome is unknown')
  await stage.close()
})
