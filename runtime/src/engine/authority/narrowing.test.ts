import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { desk, LIMITS_OF_BOT } from '../approve/escalation.test-support.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'

const CLERK = 'refunds_clerk'
const limitOf = (max: string): JsonObject => ({
  id: 'amount',
  kind: 'range',
  measure: 'amount',
  max,
})
const permissions = { policy_kinds: ['REFUND', 'SPAWN_INSTANCE'], limits: [limitOf('500.00')] }
const safety_rules = { suspend_after_rejections: { count: 3, window_s: 3600 } }
const NARROW: JsonObject = { permissions: { limits: [limitOf('0')] } }

type Spawned = FlowStage & {
  propose(agent: string, amount: string): Promise<string | undefined>
  statuses(...agents: readonly string[]): Promise<readonly (string | undefined)[]>
  /** An instance of the clerk, by a proposal of another agent. */
  spawnAs(spawner: string, instance_id: string, narrowing?: JsonObject): Promise<void>
}

/** An agent and a clerk below it; refusals suspend either. */
async function staged(t: TestContext): Promise<Spawned> {
  const stage = await flowStage()
  t.after(() => stage.close())
  await stage.deploy({ permissions, safety_rules })
  await stage.deploy({ agent_id: CLERK, parent_agent: AGENT, permissions, safety_rules })
  return {
    ...stage,
    ...acting(stage),
    async spawnAs(agent, instance_id, narrowing = {}) {
      const flow = await stage.runtime().open({ agent, trigger: 'busy', steps: 'many' })
      const until = { flow: flow.dfid }
      const made = await flow.spawnInstance({ class: CLERK, instance_id, narrowing, until })
      assert.equal(made.execution?.status, 'SUCCESS', JSON.stringify(made))
    },
  }
}

function acting(stage: FlowStage): Pick<Spawned, 'propose' | 'statuses'> {
  return {
    async propose(agent, amount) {
      const flow = await stage.runtime().open({ agent, trigger: 'ticket' })
      const params = { order: flow.dfid, amount }
      const { outcome, reason_code } = await flow.propose({ policy_kind: 'REFUND', params })
      return reason_code ?? outcome
    },
    async statuses(...agents) {
      const { statuses } = await stage.engine().context.authorities.loadLatest()
      return agents.map((agent) => statuses.get(agent))
    },
  }
}

test('whoever narrows an instance never stops its class and the siblings by refusals', async (t) => {
  const stage = await staged(t)
  await stage.spawnAs(AGENT, 'honest')
  await stage.spawnAs(AGENT, 'narrow', NARROW)
  for (let i = 0; i < 3; i++) assert.equal(await stage.propose('narrow', '20.00'), 'LIMIT_EXCEEDED')
  assert.deepEqual(await stage.statuses(AGENT, CLERK, 'narrow'), [
    'ACTIVE',
    'INITIALIZING',
    'SUSPENDED',
  ])
  assert.equal(await stage.propose('honest', '20.00'), 'ACCEPTED')
})

test('no narrowing makes free what the class would have been refused too', async (t) => {
  const stage = await staged(t)
  await stage.spawnAs(AGENT, 'first', { permissions: { limits: [limitOf('499.99')] } })
  await stage.spawnAs(AGENT, 'next', {
    permissions: { policy_kinds: [...permissions.policy_kinds] },
  })
  for (const agent of ['first', 'next', 'first'])
    assert.equal(await stage.propose(agent, '600.00'), 'LIMIT_EXCEEDED')
  assert.deepEqual(await stage.statuses(CLERK, 'first'), ['SUSPENDED', 'ACTIVE'])
})

test('a class never escapes its count by narrowing instances of its own', async (t) => {
  const stage = await staged(t)
  await stage.spawnAs(CLERK, 'a', NARROW)
  await stage.spawnAs(CLERK, 'b', NARROW)
  for (const agent of ['a', 'b', 'a'])
    assert.equal(await stage.propose(agent, '20.00'), 'LIMIT_EXCEEDED')
  assert.deepEqual(await stage.statuses(CLERK), ['SUSPENDED'])
})

for (const [what, narrowing] of Object.entries({
  'a kind': { permissions: { policy_kinds: ['SPAWN_INSTANCE'], limits: [] } },
  'what it may decide': { authority: 'OBSERVE' },
  'its budget': { safety_rules: { ...safety_rules, budget_per_flow: { calls: '0' } } },
}) as [string, JsonObject][])
  test(`refusals that only the narrowing of ${what} makes never stop the class`, async (t) => {
    const stage = await staged(t)
    await stage.spawnAs(AGENT, 'narrow', narrowing)
    for (let i = 0; i < 3; i++) assert.notEqual(await stage.propose('narrow', '20.00'), 'ACCEPTED')
    assert.deepEqual(await stage.statuses(CLERK, 'narrow'), ['INITIALIZING', 'SUSPENDED'])
  })

test('refusals of a narrowed instance never use up the hour of its class', async (t) => {
  const stage = await flowStage()
  t.after(() => stage.close())
  await stage.deploy({ permissions, safety_rules: { rejections_per_hour: 2 } })
  for (const [instance, narrowing] of Object.entries({ honest: {}, narrow: NARROW }))
    assert.ok((await stage.engine().instances.spawn({ class: AGENT, instance, narrowing })).ok)
  const { propose } = acting(stage)
  for (const said of ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'AGENT_RATE'])
    assert.equal(await propose('narrow', '20.00'), said)
  assert.equal(await propose('honest', '20.00'), 'ACCEPTED')
})

test('an instance narrowed so that it asks never stops its class by questions', async (t) => {
  const stage = await desk({ contract: { safety_rules: { escalations_per_hour: 2 } } })
  t.after(() => stage.close())
  const limits = LIMITS_OF_BOT.map((one) => (one.id === 'alone' ? { ...one, max: '0' } : one))
  const narrowing = { permissions: { limits } }
  for (const [instance, change] of Object.entries({ honest: {}, narrow: narrowing }))
    assert.ok(
      (await stage.engine().instances.spawn({ class: AGENT, instance, narrowing: change })).ok,
    )
  const { propose, statuses } = acting(stage)
  const asked = [await propose('narrow', '20.00'), await propose('narrow', '20.00')]
  assert.deepEqual(asked, ['AUTHORITY_CEILING', 'AUTHORITY_CEILING'])
  assert.equal(await propose('narrow', '20.00'), 'ESCALATION_BUDGET_EXHAUSTED')
  assert.deepEqual(await statuses(AGENT, 'narrow'), ['INITIALIZING', 'SUSPENDED'])
  assert.equal(await propose('honest', '600.00'), 'AUTHORITY_CEILING', 'the class has both left')
})
