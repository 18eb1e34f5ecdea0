/** Reserved kinds that consist of what they write are dispatched, done and settled in one unit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, AUTHORITY, formatInstant, isObject } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import type { Failpoint } from '../../ports/failpoint.ts'
import type { Unit } from '../../ports/store.ts'
import {
  type SagaOptions,
  type SagaStage,
  sagaStage,
  TRADER,
} from '../compensate/saga-stage.test-support.ts'

const leg = { agent: TRADER, trigger: 'one leg' }
const KINDS = ['SELL', 'BUY', 'COMPENSATE', 'SPAWN_CHILD', 'SPAWN_INSTANCE']

/** Both agents have shaken hands: what would take a unit of its own is done. */
async function greeted(options: SagaOptions = {}): Promise<SagaStage> {
  const it = await sagaStage({ desk: { permissions: { policy_kinds: KINDS } }, ...options })
  await it.trade()
  await it.desk()
  return it
}

/** The units in which `work` puts entries down, by their kinds. */
async function unitsOf(
  it: SagaStage,
  work: () => Promise<unknown>,
): Promise<readonly (readonly string[])[]> {
  const { store } = it.engine().context
  const units: Unit[] = []
  const commit = store.commit.bind(store)
  store.commit = async (unit) => {
    const outcome = await commit(unit)
    if (outcome.ok) units.push(unit)
    return outcome
  }
  await work()
  store.commit = commit
  return units.map(({ writes }) =>
    writes.flatMap((write) => {
      if (write.kind === 'append_commit') return ['commit']
      return write.kind === 'append' ? [write.entry] : []
    }),
  )
}

const succeeded = (answer: Answer): void => assert.equal(answer.execution?.status, 'SUCCESS')

test('SPAWN_CHILD is one unit, and the child is handed over when it is durable', async () => {
  const it = await greeted()
  const desk = await it.desk()
  const handed: (string | undefined)[] = []
  it.runtime().on(TRADER, async (flow) => {
    handed.push((await it.runtime().store.readFlow(flow.dfid))?.parent_dfid ?? undefined)
  })
  const units = await unitsOf(it, async () => succeeded(await desk.spawn(leg)))
  assert.deepEqual(units, [['dispatch', 'writ', 'delegation', 'commit']])
  assert.deepEqual(handed, [desk.dfid])
  assert.equal((await it.flow(desk.dfid)).state, 'ACTIVE')
  assert.equal((await desk.spawn(leg)).outcome, 'REPEATED')
  await it.close()
})

test('ESCALATE is one unit, with the request', async () => {
  const it = await greeted()
  const flow = await it.trade()
  const units = await unitsOf(it, async () => succeeded(await flow.escalate('help')))
  assert.deepEqual(units, [['dispatch', 'commit', 'pending_approval']])
  assert.equal((await it.flow(flow.dfid)).state, 'ESCALATED')
  await it.close()
})

test('RETIRE is one unit, and counts from then on', async () => {
  const it = await greeted()
  const flow = await it.trade()
  const other = await it.trade()
  const units = await unitsOf(it, async () => succeeded(await flow.requestRetire('enough')))
  assert.deepEqual(units, [['dispatch', 'lifecycle', 'commit']])
  const { statuses } = it.engine().context.authorities.remembered
  assert.equal(statuses.get(TRADER), 'RETIRED', 'known here without another look')
  const late = await other.propose({ policy_kind: 'SELL', params: { asset: 'A' } })
  assert.equal(late.reason_code, 'AGENT_RETIRED')
  await it.close()
})

test('SPAWN_INSTANCE is one unit, and the instance may begin', async () => {
  const it = await greeted()
  const desk = await it.desk()
  const until = { at: formatInstant(it.clock.now() + 3_600_000) }
  const params = { class: TRADER, instance_id: 'trader-1', until }
  const units = await unitsOf(it, async () =>
    succeeded(await desk.propose({ policy_kind: 'SPAWN_INSTANCE', params })),
  )
  assert.deepEqual(units, [['dispatch', 'contract', 'lifecycle', 'lifecycle', 'commit']])
  await it.runtime().open({ agent: 'trader-1', trigger: 'begin' })
  await it.close()
})

test('a first child of an agent takes a unit for its handshake, and one for itself', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  const units = await unitsOf(it, async () => succeeded(await desk.spawn(leg)))
  assert.deepEqual(units, [['dispatch'], ['lifecycle'], ['writ', 'delegation'], ['commit']])
  await it.close()
})

async function refusedWith(it: SagaStage, { dfid }: Flow): Promise<unknown> {
  const settled = (await it.entries(dfid)).findLast(([kind]) => kind === 'settle')
  const { details = {} } = settled?.[1] ?? {}
  return isObject(details) ? details.code : undefined
}

test('a child cannot have what the step that opens it costs', async () => {
  const budget_per_flow = { calls: '10' }
  for (const isGreeted of [true, false]) {
    const desk = { safety_rules: { budget_per_flow } }
    const it = await (isGreeted ? greeted({ desk }) : sagaStage({ desk }))
    const all = await it.desk()
    const answer = await all.spawn({ ...leg, budget: { calls: '10' } })
    assert.equal(answer.execution?.status, 'FAILED')
    assert.equal(await refusedWith(it, all), 'BUDGET_EXCEEDED')
    assert.equal(await it.runtime().store.readCounter(`${all.dfid}:calls`), 0)
    const rest = await it.desk()
    succeeded(await rest.spawn({ ...leg, budget: { calls: '9' } }))
    assert.equal(await it.runtime().store.readCounter(`${rest.dfid}:calls`), 10)
    await it.close()
  }
})

async function killedAt(
  point: Failpoint,
  act: (it: SagaStage) => Promise<unknown>,
): Promise<SagaStage> {
  let armed = false
  const it = await greeted({
    failpoints: {
      reach(at) {
        if (armed && at === point) throw new Error('killed')
      },
    },
  })
  armed = true
  await assert.rejects(act(it), /killed/)
  armed = false
  await it.restart()
  return it
}

for (const [point, isWritten] of [
  ['effect.before_send', false],
  ['effect.after_send', false],
  ['dispatch.after_commit', true],
] as const) {
  test(`a crash leaves neither a dispatch without a child nor the other way: ${point}`, async () => {
    let dfid = ''
    const it = await killedAt(point, async (stage) => {
      const desk = await stage.desk()
      dfid = desk.dfid
      await desk.spawn(leg)
    })
    const children = await it.runtime().store.listFlows({ parent_dfid: dfid, limit: 9 })
    assert.equal(children.length, isWritten ? 1 : 0)
    assert.deepEqual(await it.statuses(dfid), isWritten ? { spawn: 'SUCCESS' } : {})
    await it.close()
  })

  test(`a crash leaves no agent that retired without saying so: ${point}`, async () => {
    let dfid = ''
    const it = await killedAt(point, async (stage) => {
      const flow = await stage.trade()
      dfid = flow.dfid
      await flow.requestRetire('enough')
    })
    const entries = await it.runtime().store.listEntries(AUTHORITY, 0, 1000)
    const last = entries.at(-1)?.payload ?? ''
    assert.equal(last.includes('"to":"RETIRED"'), isWritten)
    assert.deepEqual(await it.statuses(dfid), isWritten ? { retire: 'SUCCESS' } : {})
    await it.close()
  })
}
