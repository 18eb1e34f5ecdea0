/** Instances that agents spawn, and that the runtime ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, formatInstant, isObject, type JsonObject, LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import type { SpawnInstance } from '../../flow.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'

const HOUR = 3_600_000
const CLERK = 'refunds_clerk'
const permissions = {
  policy_kinds: ['REFUND', 'SPAWN_INSTANCE'],
  limits: [{ id: 'amount', kind: 'range', measure: 'amount', max: '500.00' }],
}

/** `refunds_bot` above `refunds_clerk`, and `other_bot` apart from both. */
async function hierarchy(): Promise<FlowStage> {
  const stage = await flowStage()
  await stage.deploy({ permissions })
  await stage.deploy({ agent_id: CLERK, parent_agent: AGENT, permissions })
  await stage.deploy({ agent_id: 'other_bot', permissions })
  return stage
}

const open = (stage: FlowStage, agent = AGENT): Promise<Flow> =>
  stage.runtime().open({ agent, trigger: 'a busy day', steps: 'many' })

const at = (stage: FlowStage, ms: number): { readonly at: string } => ({
  at: formatInstant(stage.clock.now() + ms),
})

function spawn(flow: Flow, more: Partial<SpawnInstance>): Promise<Answer> {
  const until = { flow: flow.dfid }
  return flow.spawnInstance({ class: AGENT, instance_id: 'bot-1', until, ...more })
}

async function statusOf(stage: FlowStage, agent: string): Promise<string | undefined> {
  return (await stage.engine().context.authorities.loadLatest()).statuses.get(agent)
}

const ended = async (stage: FlowStage): Promise<number> => (await stage.engine().runDue()).ended

function made({ execution }: Answer): JsonObject {
  assert.ok(isObject(execution?.result))
  return execution.result
}

/** Why it was not made. */
async function refusal(
  stage: FlowStage,
  flow: Flow,
  more: Partial<SpawnInstance>,
): Promise<unknown> {
  const { execution } = await spawn(flow, { instance_id: 'bot-x', ...more })
  assert.equal(execution?.status, 'FAILED')
  const settled = (await stage.entries(flow.dfid)).findLast(([kind]) => kind === 'settle')
  const { details = {} } = execution
  assert.deepEqual({ ...details }, settled?.[1].details, 'the agent is told what is recorded')
  return details.code
}

test('finding 28a: an agent has instances made by proposal, and they end with their flow', async () => {
  const stage = await hierarchy()
  const flow = await open(stage)
  const narrowing = { permissions: { policy_kinds: ['REFUND'] } }
  const answer = await spawn(flow, { class: CLERK, instance_id: 'clerk-1', narrowing })
  assert.equal(answer.execution?.status, 'SUCCESS', JSON.stringify(answer))
  const { agent_id, instance_of } = made(answer)
  assert.deepEqual([agent_id, instance_of], ['clerk-1', CLERK])
  const own = await open(stage, 'clerk-1')
  assert.equal((await own.propose(refund('20', 'a'))).execution?.status, 'SUCCESS')
  assert.equal((await own.propose(refund('501', 'b'))).reason_code, 'LIMIT_EXCEEDED')
  assert.equal(await ended(stage), 0)
  await flow.close()
  assert.equal(await ended(stage), 1)
  assert.equal(await statusOf(stage, 'clerk-1'), 'RETIRED')
  assert.equal((await stage.flow(own.dfid)).state, 'ABORTED')
  assert.notEqual((await own.propose(refund('20', 'c'))).outcome, 'ACCEPTED')
  assert.equal(await ended(stage), 0, 'once')
  await assert.rejects(open(stage, 'clerk-1'), { code: 'AGENT_RETIRED' })
  await stage.close()
})

test('finding 28a: what ends an instance by time survives the engine, and its contract ends with it', async () => {
  const stage = await hierarchy()
  const flow = await open(stage)
  assert.equal((await spawn(flow, { until: at(stage, HOUR) })).execution?.status, 'SUCCESS')
  const own = await open(stage, 'bot-1')
  await stage.restart()
  await stage.clock.advance(HOUR - 1)
  assert.equal(await ended(stage), 0)
  await stage.clock.advance(1)
  const late = await stage.engine().propose(own.dfid, refund())
  assert.equal(late.outcome, 'REJECTED', 'before anybody has swept')
  assert.equal(await ended(stage), 1)
  assert.equal(await statusOf(stage, 'bot-1'), 'RETIRED')
  const rows = await stage.runtime().store.listRecords('instance', 'live', { limit: 10 })
  assert.deepEqual(rows, [])
  await stage.close()
})

test('finding 28a: a narrowing does not take the end of its occasion away from an instance', async () => {
  const stage = await hierarchy()
  const flow = await open(stage)
  const narrowing = { effective_until: null, permissions: { policy_kinds: ['REFUND'] } }
  const answer = await spawn(flow, { narrowing, until: at(stage, HOUR) })
  assert.equal(answer.execution?.status, 'SUCCESS', JSON.stringify(answer))
  const own = await open(stage, 'bot-1')
  await stage.clock.advance(HOUR)
  assert.equal((await stage.engine().propose(own.dfid, refund())).outcome, 'REJECTED')
  await stage.close()
})

test('an instance that is suspended when its time is over is not kept for ever', async () => {
  const stage = await hierarchy()
  await spawn(await open(stage), { until: at(stage, HOUR) })
  const own = await open(stage, 'bot-1')
  const why = { actor: 'operator', justification: 'a look at it' } as const
  await stage.engine().moveAgent({ agent_id: 'bot-1', to: 'SUSPENDED', ...why })
  assert.equal(await ended(stage), 0, 'its time is not over')
  assert.equal(await statusOf(stage, 'bot-1'), 'SUSPENDED')
  await stage.clock.advance(HOUR)
  assert.equal(await ended(stage), 1)
  assert.equal(await statusOf(stage, 'bot-1'), 'RETIRED')
  assert.equal((await stage.flow(own.dfid)).state, 'ABORTED')
  assert.deepEqual(await stage.runtime().store.listRecords('instance', 'live', { limit: 1 }), [])
  await stage.close()
})

test('finding 28a: an instance ends with its class', async () => {
  const stage = await hierarchy()
  const flow = await open(stage)
  await spawn(flow, { class: CLERK, instance_id: 'clerk-1' })
  const own = await open(stage, 'clerk-1')
  const why = { actor: 'operator', justification: 'no more clerks' } as const
  await stage.engine().moveAgent({ agent_id: CLERK, to: 'RETIRED', ...why })
  assert.equal(await ended(stage), 1)
  assert.equal(await statusOf(stage, 'clerk-1'), 'RETIRED')
  assert.equal((await stage.flow(own.dfid)).state, 'ABORTED')
  await stage.close()
})

test('finding 28a: only inside the own hierarchy, only narrower, and only for an occasion that ends', async () => {
  const stage = await hierarchy()
  const clerk = await open(stage, CLERK)
  const why = async (more: Partial<SpawnInstance>): Promise<unknown> =>
    refusal(stage, await open(stage), more)
  assert.equal(await why({ class: 'other_bot' }), 'INSTANCE_FOREIGN')
  assert.equal(await refusal(stage, clerk, { class: AGENT }), 'INSTANCE_FOREIGN', 'not upwards')
  const above = await open(stage)
  await spawn(above, {})
  const instance = await open(stage, 'bot-1')
  const again = { class: 'bot-1', until: { flow: instance.dfid } }
  assert.equal(await refusal(stage, instance, again), 'INSTANCE_WIDENS', 'nor of an instance')
  const wide = { permissions: { policy_kinds: ['REFUND', 'PAY'] } }
  assert.equal(await why({ narrowing: wide }), 'INSTANCE_WIDENS')
  assert.equal(await why({ until: { flow: clerk.dfid } }), 'INSTANCE_UNTIL')
  assert.equal(await why({ until: at(stage, 0) }), 'INSTANCE_UNTIL')
  assert.equal(await why({ until: at(stage, LIMITS.instanceMs + HOUR) }), 'INSTANCE_UNTIL')
  const forever = { class: AGENT, instance_id: 'bot-y' } as unknown as SpawnInstance
  assert.equal((await (await open(stage)).spawnInstance(forever)).reason_code, 'ARGUMENTS_INVALID')
  await stage.close()
})

test('an agent has so many instances at once, and no more', async () => {
  const stage = await hierarchy()
  const flow = await open(stage)
  const { store } = stage.runtime()
  const body = { class: AGENT, spawner: AGENT, until: { flow: flow.dfid }, ends_at: '2999' }
  const put = (n: number): Promise<unknown> => {
    const place = { record: 'instance', group: 'live', key: `made-up-${n}` } as const
    return store.commit({ guards: [], writes: [{ kind: 'put_record', ...place, body }] })
  }
  for (let n = 1; n < LIMITS.instancesPerSpawner; n += 1) await put(n)
  assert.equal((await spawn(flow, { instance_id: 'last' })).execution?.status, 'SUCCESS')
  assert.equal(await refusal(stage, flow, { instance_id: 'one-more' }), 'INSTANCE_LIMIT')
  await stage.close()
})

test('finding 28a: an agent is not told that it made an instance which another has', async () => {
  const stage = await hierarchy()
  const until = at(stage, HOUR)
  assert.equal((await spawn(await open(stage), { until })).execution?.status, 'SUCCESS')
  const other = await open(stage, 'other_bot')
  assert.equal(await refusal(stage, other, { instance_id: 'bot-1', until }), 'AGENT_EXISTS')
  const later = { instance_id: 'bot-1', until }
  assert.equal(await refusal(stage, await open(stage), later), 'AGENT_EXISTS', 'in another flow')
  await stage.close()
})

test('finding 28a: a class has so many instances made in an hour, however short they live', async () => {
  const stage = await hierarchy()
  const flow = await open(stage)
  await spawn(flow, {})
  const { store } = stage.runtime()
  const hour = Math.floor(stage.clock.now() / HOUR)
  const by = LIMITS.instancesPerHour - 1
  const write = { kind: 'count', id: `spawned ${AGENT} ${hour}`, by } as const
  await store.commit({ guards: [], writes: [write] })
  assert.equal(await refusal(stage, flow, { instance_id: 'one-more' }), 'INSTANCE_LIMIT')
  await stage.clock.advance(HOUR)
  const next = await spawn(await open(stage), { instance_id: 'next-hour' })
  assert.equal(next.execution?.status, 'SUCCESS', JSON.stringify(next))
  await stage.close()
})

test('finding 28a: the contract of an instance is not larger than is kept for ever', async () => {
  const stage = await hierarchy()
  const reason_codes = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [
      `CODE_${n}`,
      { kernel: 'LIMIT_EXCEEDED', summary: 'x'.repeat(400) },
    ]),
  )
  const flow = await open(stage)
  assert.equal(await refusal(stage, flow, { narrowing: { reason_codes } }), 'CONTRACT_INVALID')
  await stage.close()
})

test('a contract that does not list it may not spawn', async () => {
  const stage = await flowStage()
  await stage.deploy()
  assert.equal((await spawn(await open(stage), {})).reason_code, 'RBAC_DENIED')
  await stage.close()
})

test('the same step finds the instance that it made, also after that has ended', async () => {
  const stage = await hierarchy()
  const flow = await open(stage)
  const first = await spawn(flow, { until: at(stage, HOUR) })
  const again = await spawn(flow, { until: at(stage, HOUR) })
  assert.deepEqual([again.outcome, again.execution], ['REPEATED', first.execution])
  await stage.clock.advance(HOUR)
  await ended(stage)
  assert.equal((await spawn(flow, { until: untilOf(first) })).outcome, 'REPEATED')
  await stage.close()
})

function untilOf(answer: Answer): { readonly at: string } {
  return { at: String(made(answer).ends_at) }
}
