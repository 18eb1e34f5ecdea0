import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '../../ports/notifier.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

async function told(stage: FlowStage): Promise<readonly Notice[]> {
  const due = await stage.runtime().store.listRecords('notice', 'due', { limit: 10 })
  return due.map(({ body }) => body.notice)
}

test('an agent that the runtime suspends is told of, in the unit that suspends it', async () => {
  const stage = await flowStage()
  await stage.deploy({ safety_rules: { suspend_after_rejections: { count: 1, window_s: 60 } } })
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'too much' })
  await flow.propose({ policy_kind: 'REFUND', params: { order: 'o', amount: '501.00' } })
  const [notice, ...more] = await told(stage)
  assert.deepEqual(more, [])
  const { seq } = await stage.engine().context.authorities.loadLatest()
  assert.deepEqual(notice, {
    id: `${AGENT}:suspension:${seq}`,
    kind: 'suspension',
    agent_id: AGENT,
    reason_code: 'LIMIT_EXCEEDED',
    channel: 'operator',
    at: new Date(stage.clock.now()).toISOString(),
    details: { authority_seq: seq },
  })
  await stage.close()
})

test('what an operator does himself is no news to him', async () => {
  const stage = await flowStage()
  await stage.deploy()
  const by = { agent_id: AGENT, actor: 'operator', justification: 'a drill' } as const
  assert.ok((await stage.engine().moveAgent({ ...by, to: 'SUSPENDED' })).ok)
  assert.ok((await stage.engine().moveAgent({ ...by, to: 'ACTIVE' })).ok)
  assert.deepEqual(await told(stage), [])
  await stage.close()
})
