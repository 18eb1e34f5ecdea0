/** Authority or time moves after something was decided and before it is durable: it is decided again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, type JsonObject } from 'rubicon-kernel'
import type { Runtime } from '../../compose.ts'
import { AGENT, type FlowStage, flowStage } from '../flow/flow-stage.test-support.ts'
import { takeUnitsOfTheirOwn } from '../reserved-kinds/own-units.test-support.ts'

const HOUR = 3_600_000
/** Before a send is given up. */
const SOON = 1_000
const CLERK = 'refunds_clerk'
const permissions = { policy_kinds: ['REFUND', 'SPAWN_CHILD', 'SPAWN_INSTANCE'] }

type Overtaken = FlowStage & {
  /** The next time that an engine comes to this point. */
  at(point: string, happens: () => Promise<unknown>): void
}

async function stage(): Promise<Overtaken> {
  const armed = new Map<string, () => Promise<unknown>>()
  const failpoints = {
    async reach(point: string): Promise<void> {
      const happens = armed.get(point)
      armed.delete(point)
      await happens?.()
    },
  }
  const made = await flowStage({ failpoints })
  await made.deploy({ permissions })
  await made.deploy({ agent_id: CLERK, parent_agent: AGENT, permissions })
  return { ...made, at: (point, happens) => void armed.set(point, happens) }
}

async function suspend(it: Overtaken, agent_id: string): Promise<void> {
  const move = { agent_id, to: 'SUSPENDED', actor: 'operator', justification: 'a drill' } as const
  assert.ok((await it.engine().moveAgent(move)).ok)
}

const open = (it: Overtaken, agent = AGENT): ReturnType<Runtime['open']> =>
  it.runtime().open({ agent, trigger: 'a busy day', steps: 'many' })

test('a flow is not opened for an agent that is suspended on the way', async () => {
  const it = await stage()
  it.at('open.before_commit', () => suspend(it, AGENT))
  await assert.rejects(open(it), { code: 'AGENT_SUSPENDED' })
  assert.deepEqual(await it.flows(), [])
  await it.close()
})

test('a flow is not opened under a version whose time ends on the way', async () => {
  const it = await stage()
  const turn = formatInstant(it.clock.now() + HOUR)
  await it.deploy({ permissions, version: '2.0.0', effective_from: turn })
  it.at('open.before_commit', () => it.clock.advance(HOUR))
  const { dfid } = await open(it)
  const { contract_hash } = await it.flow(dfid)
  const versions = (await it.engine().context.authorities.loadLatest()).contracts.get(AGENT)
  assert.equal(versions?.find(({ hash }) => hash === contract_hash)?.contract.version, '2.0.0')
  await it.close()
})

/** Why the step was not done. */
async function refusal(it: Overtaken, kind: string, params: JsonObject): Promise<unknown> {
  const flow = await open(it)
  await flow.propose({ policy_kind: kind, params })
  await it.engine().context.inFlight.awaitDrained()
  const [row] = await it.runtime().store.listExecutions({ dfid: flow.dfid, limit: 1 })
  assert.equal(row?.status, 'FAILED')
  const settled = (await it.entries(flow.dfid)).findLast(([one]) => one === 'settle')
  return (settled?.[1].details as JsonObject | undefined)?.code
}

/** Why the step was not even dispatched. */
async function rejection(it: Overtaken, kind: string, params: JsonObject): Promise<unknown> {
  const flow = await open(it)
  const { reason_code } = await flow.propose({ policy_kind: kind, params })
  assert.deepEqual(await it.runtime().store.listExecutions({ dfid: flow.dfid, limit: 1 }), [])
  return reason_code
}

test('an agent that is suspended while its step is under way has neither child nor instance', async () => {
  for (const isGreeted of [true, false]) {
    const child = await stage()
    if (isGreeted) await open(child, CLERK)
    child.at('effect.before_send', () => suspend(child, AGENT))
    const params = { agent: CLERK, trigger: 'part' }
    assert.equal(await rejection(child, 'SPAWN_CHILD', params), 'AGENT_SUSPENDED')
    assert.equal((await child.flows()).length, isGreeted ? 2 : 1)
    await child.close()
  }
  const instance = await stage()
  instance.at('effect.before_send', () => suspend(instance, AGENT))
  const made = clerk(instance)
  assert.equal(await rejection(instance, 'SPAWN_INSTANCE', made), 'AGENT_SUSPENDED')
  await instance.close()
})

test('nor where the dispatch was durable before: the step is refused when it is carried out', async () => {
  for (const kind of ['SPAWN_CHILD', 'SPAWN_INSTANCE']) {
    const it = await stage()
    takeUnitsOfTheirOwn(it.engine())
    it.at('effect.before_send', () => suspend(it, AGENT))
    const params = kind === 'SPAWN_CHILD' ? { agent: CLERK, trigger: 'part' } : clerk(it)
    assert.equal(await refusal(it, kind, params), 'AGENT_SUSPENDED')
    assert.equal((await it.flows()).length, 1)
    await it.close()
  }
})

function clerk({ clock }: Overtaken): JsonObject {
  const until = { at: formatInstant(clock.now() + 2 * HOUR) }
  return { class: CLERK, instance_id: 'clerk-1', until }
}

test('an instance is not made of an agent that is another’s by then', async () => {
  const it = await stage()
  const turn = formatInstant(it.clock.now() + SOON)
  await it.deploy({ agent_id: CLERK, permissions, version: '2.0.0', effective_from: turn })
  const made = clerk(it)
  it.at('effect.after_send', () => it.clock.advance(SOON))
  assert.equal(await refusal(it, 'SPAWN_INSTANCE', made), 'INSTANCE_FOREIGN')
  await it.close()
})
