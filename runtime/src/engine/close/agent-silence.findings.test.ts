/** An agent that has no flow open is silent too, where its contract watches the agent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import { AGENT, type FlowStage, flowStage, plain, refund } from '../flow/flow-stage.test-support.ts'

const MINUTE = 60_000

/** The clock of the stage starts on a Monday at 12:00 UTC. */
async function watched(more: JsonObject = {}): Promise<FlowStage> {
  const stage = await flowStage()
  const silence_watchdog = { minutes: 30, scope: 'agent', ...more }
  await stage.deploy({ safety_rules: { silence_watchdog } })
  await decide(stage)
  return stage
}

async function decide(stage: FlowStage): Promise<void> {
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const { execution } = await flow.propose(refund('20.00', flow.dfid))
  assert.equal(execution?.status, 'SUCCESS')
}

const silent = async (stage: FlowStage): Promise<number> => (await stage.engine().runDue()).silent

async function asking(stage: FlowStage): Promise<readonly FlowRow[]> {
  return (await stage.flows()).filter(({ state }) => state === 'ESCALATED')
}

test('finding 28b: an agent without an open flow is not silent unnoticed', async () => {
  const stage = await watched()
  assert.equal(await silent(stage), 0, 'from here on it is watched')
  await stage.clock.advance(30 * MINUTE)
  assert.equal(await silent(stage), 0)
  await stage.clock.advance(1)
  assert.equal(await silent(stage), 1)
  const [flow] = await asking(stage)
  assert.ok(flow !== undefined)
  assert.deepEqual([flow.agent_id, flow.attempts], [AGENT, 0])
  const entries = await stage.entries(flow.dfid)
  assert.deepEqual(
    entries.map(([kind]) => kind),
    ['writ', 'rejection', 'pending_approval'],
  )
  const { details, reason_code } = plain(entries[1]?.[1] ?? {}) as JsonObject
  assert.equal(reason_code, 'SILENCE')
  assert.equal((details as JsonObject).scope, 'agent')
  await stage.close()
})

test('it is asked once for each silence, also after a restart, and again once the agent has spoken', async () => {
  const stage = await watched()
  await silent(stage)
  await stage.clock.advance(31 * MINUTE)
  const rounds = await Promise.all([silent(stage), silent(stage), silent(stage)])
  assert.equal(
    rounds.reduce((a, b) => a + b),
    1,
  )
  await stage.restart()
  await stage.clock.advance(10 * 60 * MINUTE)
  await stage.engine().runDue()
  assert.equal(await silent(stage), 0)
  assert.equal((await asking(stage)).length, 0, 'nobody answered, so the request has expired')
  await decide(stage)
  await stage.clock.advance(31 * MINUTE)
  assert.equal(await silent(stage), 1)
  await stage.close()
})

test('an engine that dies before anybody was asked leaves a flow that the next one finds', async () => {
  const stage = await watched()
  await silent(stage)
  const { store } = stage.runtime()
  const dfid = await openedByHand(stage)
  const known = (await store.readRecord('silence', 'agents', AGENT)) ?? assert.fail()
  const at = (await store.readNow('main')).now
  const place = { record: 'silence', group: 'agents', key: AGENT } as const
  const body = { ...known.body, asked: { dfid, at } }
  await store.commit({ guards: [], writes: [{ kind: 'put_record', ...place, body }] })
  assert.equal(await silent(stage), 1)
  assert.equal((await stage.flow(dfid)).state, 'ESCALATED')
  await stage.close()
})

async function openedByHand(stage: FlowStage): Promise<string> {
  return (await stage.runtime().open({ agent: AGENT, trigger: 'nothing was decided' })).dfid
}

test('hours in which nothing is expected are not counted, and only who is active is watched', async () => {
  // 12:00 UTC is 14:00 in Warsaw in June.
  const stage = await watched({ active: 'Mon-Fri 09:00-14:10 Europe/Warsaw' })
  await silent(stage)
  await stage.clock.advance(60 * MINUTE)
  assert.equal(await silent(stage), 0, 'ten minutes were expected')
  await stage.clock.advance(18.5 * 60 * MINUTE)
  const { engine } = stage.runtime()
  const move = { agent_id: AGENT, to: 'SUSPENDED', justification: 'a drill' } as const
  const moved = await engine.moveAgent({ ...move, actor: 'operator', by: 'olga' })
  assert.ok(moved.ok)
  assert.equal(await silent(stage), 0, 'whoever is suspended may be silent')
  await stage.close()
})

test('with flows as its scope, and by default, only flows are watched', async () => {
  for (const silence_watchdog of [{ minutes: 30 }, { minutes: 30, scope: 'flow' }]) {
    const stage = await flowStage()
    await stage.deploy({ safety_rules: { silence_watchdog } })
    await decide(stage)
    await silent(stage)
    await stage.clock.advance(120 * MINUTE)
    assert.equal(await silent(stage), 0)
    await stage.close()
  }
})
