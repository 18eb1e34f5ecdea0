import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { AGENT, type FlowStage, flowStage } from '../../flow/flow-stage.test-support.ts'

async function staged(t: TestContext): Promise<FlowStage> {
  const stage = await flowStage()
  t.after(() => stage.close())
  await stage.deploy()
  return stage
}

async function spawn(stage: FlowStage, instance: string, narrowing: JsonObject = {}) {
  assert.ok((await stage.engine().instances.spawn({ class: AGENT, instance, narrowing })).ok)
}

/** Proposes in a flow of the agent, on a mission of another. */
async function onMission(stage: FlowStage, agent: string, mission_context_hash: string) {
  const flow = await stage.runtime().open({ agent, trigger: 'ticket' })
  const params = { order: flow.dfid, amount: '20.00' }
  return flow.propose({ policy_kind: 'REFUND', mission_context_hash, params })
}

async function statuses(stage: FlowStage, ...agents: readonly string[]) {
  const authority = await stage.engine().context.authorities.loadLatest()
  return agents.map((agent) => authority.statuses.get(agent))
}

test('an agent on another mission does not go on with the next instance', async (t) => {
  const stage = await staged(t)
  for (const instance of ['bot-1', 'bot-2']) await spawn(stage, instance)
  const { reason_code } = await onMission(stage, 'bot-1', `sha256:${'0'.repeat(64)}`)
  assert.equal(reason_code, 'MISSION_DISSONANCE')
  assert.deepEqual(await statuses(stage, AGENT, 'bot-2'), ['SUSPENDED', 'ACTIVE'])
  for (const agent of [AGENT, 'bot-1', 'bot-2'])
    await assert.rejects(stage.runtime().open({ agent, trigger: 'on' }), {
      code: 'AGENT_SUSPENDED',
    })
  const more = await stage.engine().instances.spawn({ class: AGENT, instance: 'bot-3' })
  assert.equal(more.ok, false)
})

test('an instance that names the mission of its class never stops the class', async (t) => {
  const stage = await staged(t)
  await spawn(stage, 'narrow', { safety_rules: { max_intent_retries: 2 } })
  const { context } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { reason_code } = await onMission(stage, 'narrow', context.mission_context_hash)
  assert.equal(reason_code, 'MISSION_DISSONANCE')
  assert.deepEqual(await statuses(stage, AGENT, 'narrow'), ['ACTIVE', 'SUSPENDED'])
})
