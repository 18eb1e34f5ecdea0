import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type JsonObject, parseMonitor } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { rehearseMonitors } from '../../evidence/dry-run.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'
import { MEAN, type Watched, watchedStage } from './watched.test-support.ts'

const THRESHOLD = { aggregate_thresholds: { max_average_amount_4x: '50' } }

type Staged = Watched & {
  spawn(instance: string, narrowing?: JsonObject): Promise<void>
  /** A refund of an agent, and a sweep; what was answered, or why there is no flow. */
  act(agent: string, amount: string): Promise<string | undefined>
  statuses(...agents: string[]): Promise<readonly (string | undefined)[]>
}

async function staged(t: TestContext, contract: JsonObject = THRESHOLD): Promise<Staged> {
  const stage = await watchedStage(contract)
  t.after(() => stage.close())
  let order = 0
  return {
    ...stage,
    async spawn(instance, narrowing = {}) {
      assert.equal(
        (await stage.engine().instances.spawn({ class: AGENT, instance, narrowing })).ok,
        true,
      )
    },
    async act(agent, amount) {
      order += 1
      await stage.clock.advance(1000)
      const params = { order: `o-${order}`, amount }
      const said = await stage
        .runtime()
        .open({ agent, trigger: 'ticket' })
        .then(async (flow) => (await flow.propose({ policy_kind: 'REFUND', params })).outcome)
        .catch(({ code }) => code)
      await stage.engine().oversight.sweepMonitors()
      return said
    },
    async statuses(...agents) {
      const { statuses } = await stage.engine().context.authorities.loadLatest()
      return agents.map((agent) => statuses.get(agent))
    },
  }
}

test('an agent never escapes a threshold of its contract by way of instances', async (t) => {
  const stage = await staged(t)
  for (const instance of ['a', 'b', 'c', 'd']) {
    await stage.spawn(instance)
    assert.equal(await stage.act(instance, '90'), 'ACCEPTED')
  }
  assert.deepEqual(await stage.statuses(AGENT, 'a', 'd'), ['SUSPENDED', 'ACTIVE', 'ACTIVE'])
  const [trip] = await stage.trips()
  assert.deepEqual([trip?.agent_id, trip?.samples, trip?.flows.length], [AGENT, 4, 4])
  for (const agent of [AGENT, 'a', 'd'])
    assert.equal(await stage.act(agent, '1'), 'AGENT_SUSPENDED')
})

test('a monitor never forgets what instances did that have ended', async (t) => {
  const stage = await staged(t, {})
  await stage.runtime().monitor({ ...MEAN, min_samples: 4 })
  for (const agent_id of ['a', 'b', 'c', 'd']) {
    await stage.spawn(agent_id)
    const flow = await stage.runtime().open({ agent: agent_id, trigger: 'ticket' })
    await flow.propose({ policy_kind: 'REFUND', params: { order: agent_id, amount: '90' } })
    const end = { agent_id, to: 'RETIRED', actor: 'operator', justification: 'done' } as const
    assert.ok((await stage.engine().moveAgent(end)).ok)
    await stage.engine().oversight.sweepMonitors()
  }
  assert.deepEqual(await stage.statuses(AGENT), ['SUSPENDED'])
})

test('nobody is stopped twice for executions that stopped the class', async (t) => {
  const stage = await staged(t)
  await stage.spawn('a')
  for (const amount of ['90', '90', '90', '90']) await stage.act('a', amount)
  assert.deepEqual(await stage.statuses(AGENT, 'a'), ['SUSPENDED', 'ACTIVE'])
  const paused = (await stage.engine().oversight.monitors()).monitors
  assert.deepEqual(
    paused.map(({ agent_id, agent_status }) => [agent_id, agent_status]),
    [
      [AGENT, 'SUSPENDED'],
      ['a', 'SUSPENDED'],
    ],
  )
  await stage.lift()
  for (const amount of ['90', '90', '90']) assert.equal(await stage.act('a', amount), 'ACCEPTED')
  assert.deepEqual(await stage.statuses(AGENT, 'a'), ['ACTIVE', 'ACTIVE'])
  await stage.act('a', '90')
  assert.deepEqual(await stage.statuses(AGENT, 'a'), ['SUSPENDED', 'ACTIVE'])
})

test('a threshold that only an instance has never stops its class', async (t) => {
  const stage = await staged(t)
  const own = { ...THRESHOLD.aggregate_thresholds, max_average_amount_2x: '20' }
  await stage.spawn('narrow', { aggregate_thresholds: own })
  for (const amount of ['30', '30']) await stage.act('narrow', amount)
  assert.deepEqual(await stage.statuses(AGENT, 'narrow'), ['INITIALIZING', 'SUSPENDED'])
  assert.equal(await stage.act(AGENT, '30'), 'ACCEPTED')
})

test('a rehearsal never says of instances what a monitor does not', async (t) => {
  const stage = await staged(t, {})
  await stage.runtime().monitor(MEAN)
  for (const instance of ['a', 'b', 'c']) await stage.spawn(instance)
  for (const agent of ['a', 'b', 'c']) await stage.act(agent, '90')
  await stage.lift()
  for (const agent of ['a', 'a', 'b']) await stage.act(agent, '90')
  await stage.lift()
  // Of the class the mean stays below its bound, of this instance it does not.
  for (const agent of [AGENT, AGENT, 'a', AGENT, 'a', AGENT, AGENT, 'a'])
    await stage.act(agent, agent === 'a' ? '90' : '1')
  const did = await stage.trips()
  assert.deepEqual(
    did.map(({ agent_id }) => agent_id),
    [AGENT, AGENT, 'a'],
  )
  const parsed = parseMonitor(MEAN)
  assert.ok(parsed.ok)
  const said = await rehearseMonitors(stage.runtime().store, sha256, [parsed.value])
  assert.equal(said.executions, 14)
  assert.deepEqual(
    said.trips.map(({ agent_id, verdict, flows }) => [agent_id, verdict.value, flows]),
    did.map(({ agent_id, value, flows }) => [agent_id, value, flows]),
  )
})
