import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type JsonObject, type LifecyclePayload, parseMonitor } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { rehearseMonitors } from '../../evidence/dry-run.ts'
import type { SemanticAuditor } from '../../ports/semantic-auditor.ts'
import { unpack } from './sample-block.ts'
import { MonitorSweep } from './sweep.ts'
import { MEAN, type Watched, watchedStage } from './watched.test-support.ts'

async function watched(t: TestContext, contract: JsonObject = {}): Promise<Watched> {
  const stage = await watchedStage(contract)
  t.after(() => stage.close())
  return stage
}

const THRESHOLD = { aggregate_thresholds: { max_average_amount_3x: '50' } }

test('without monitors nothing is looked at and nothing is kept', async (t) => {
  const stage = await watched(t)
  await stage.refund('500.00')
  assert.deepEqual(await stage.engine().oversight.sweepMonitors(), {
    entries: 0,
    executions: 0,
    trips: [],
  })
  assert.deepEqual(await stage.engine().oversight.monitors(), { monitors: [], unseen: 0 })
  const { store } = stage.runtime()
  assert.equal(await store.readRecord('monitor_cursor', 'all', 'all'), null)
})

test('a trip stops the agent within one sweep, and names the flows behind it', async (t) => {
  const stage = await watched(t, THRESHOLD)
  const answers = [await stage.refund('40'), await stage.refund('60')]
  assert.deepEqual(
    (await stage.engine().oversight.sweepMonitors()).trips,
    [],
    'two are no data yet',
  )
  answers.push(await stage.refund('50.01'))
  const { trips, executions } = await stage.engine().oversight.sweepMonitors()
  assert.deepEqual([trips.length, executions], [1, 1])
  const dfids = answers.map(({ dfid }) => dfid).reverse()
  assert.deepEqual(await stage.trips(), [
    {
      agent_id: 'refunds_bot',
      monitor: 'max_average_amount_3x',
      monitor_hash: trips[0]?.monitor_hash,
      statistic: 'mean',
      value: '50.003334',
      bound: 'max',
      threshold: '50',
      window: { executions: 3 },
      samples: 3,
      unreadable: 0,
      executions_behind: 3,
      flows: dfids,
    },
  ])
  assert.equal(await stage.status(), 'SUSPENDED')
  const [notice] = await stage.runtime().store.listRecords('notice', 'due', { limit: 10 })
  const { kind, reason_code, channel } = notice?.body.notice ?? {}
  assert.deepEqual([kind, reason_code, channel], ['suspension', 'MONITOR_TRIPPED', 'operator'])
})

test('two engines that sweep at once stop the agent once, and pack nothing twice', async (t) => {
  const stage = await watched(t, THRESHOLD)
  for (const amount of ['60', '60', '60']) await stage.refund(amount)
  const other = new MonitorSweep(stage.engine().context)
  const both = await Promise.all([stage.engine().oversight.sweepMonitors(), other.sweep()])
  assert.equal(both.flatMap(({ trips }) => trips).length, 1)
  assert.equal((await stage.trips()).length, 1)
  const { store } = stage.runtime()
  const [block] = await store.listRecords('monitor_samples', 'settled refunds_bot', { limit: 10 })
  assert.ok(block !== undefined)
  assert.equal(unpack(block.body).length, 3)
  assert.deepEqual(
    (await other.report()).monitors,
    (await stage.engine().oversight.monitors()).monitors,
  )
})

test('the suspension stands before every later dispatch in the tree, and says who and why', async (t) => {
  const stage = await watched(t, THRESHOLD)
  const open = await stage.runtime().open({ agent: 'refunds_bot', trigger: 'opened before' })
  for (const amount of ['60', '60', '60']) await stage.refund(amount)
  const proposal = { policy_kind: 'REFUND', params: { order: 'late', amount: '1' } }
  // Both at once: whichever comes first in the tree, a dispatch never stands behind the suspension.
  const [answer] = await Promise.all([
    open.propose(proposal),
    stage.engine().oversight.sweepMonitors(),
  ])
  await assert.rejects(stage.refund('1'), { code: 'AGENT_SUSPENDED' })
  const leaves = await stage.leaves()
  const stopped = leaves.findLast(({ envelope }) => envelope.kind === 'lifecycle')
  const { body } = JSON.parse(stopped?.payload ?? '{}') as LifecyclePayload
  assert.deepEqual([body.to, body.actor], ['SUSPENDED', 'runtime'])
  assert.match(body.justification, /^MONITOR_TRIPPED: max_average_amount_3x is 60, max 50/)
  const behind = leaves.filter(({ leaf }) => leaf > (stopped?.leaf ?? 0))
  assert.ok(behind.every(({ envelope }) => envelope.kind !== 'dispatch'))
  assert.ok(answer.outcome === 'ACCEPTED' || answer.reason_code === 'AGENT_SUSPENDED')
})

test('executions are judged one by one, however they fall into sweeps', async (t) => {
  const stage = await watched(t, THRESHOLD)
  // Three that trip, then three that would calm the mean again: the end of the page is fine.
  for (const amount of ['60', '60', '60', '1', '1', '1']) await stage.refund(amount)
  const { trips } = await stage.engine().oversight.sweepMonitors()
  assert.deepEqual(
    trips.map(({ verdict }) => verdict.value),
    ['60'],
  )
})

test('only a person lifts it, and then the monitor starts after the lift', async (t) => {
  const stage = await watched(t, THRESHOLD)
  for (const amount of ['60', '60', '60']) await stage.refund(amount)
  await stage.engine().oversight.sweepMonitors()
  const runtimeMove = { agent_id: 'refunds_bot', to: 'ACTIVE', actor: 'runtime' } as const
  const moved = await stage.engine().moveAgent({ ...runtimeMove, justification: 'enough' })
  assert.equal(moved.ok, false)
  await stage.lift()
  for (const amount of ['60', '60']) await stage.refund(amount)
  await stage.engine().oversight.sweepMonitors()
  assert.equal(await stage.status(), 'ACTIVE', 'the old executions are not counted again')
  const report = await stage.engine().oversight.monitors()
  assert.deepEqual(report.monitors[0]?.verdict.kind, 'no_data')
  await stage.refund('60')
  await stage.engine().oversight.sweepMonitors()
  assert.equal(await stage.status(), 'SUSPENDED')
  assert.equal((await stage.trips()).length, 2)
})

for (const point of ['monitor.before_trip', 'monitor.after_trip'] as const)
  test(`killed at ${point}, the trip is there once after a restart`, async (t) => {
    const stage = await watched(t, THRESHOLD)
    for (const amount of ['60', '60', '60']) await stage.refund(amount)
    stage.kill(point)
    await assert.rejects(stage.engine().oversight.sweepMonitors(), /killed at/)
    await stage.restart()
    await stage.engine().oversight.sweepMonitors()
    await stage.engine().oversight.sweepMonitors()
    assert.equal((await stage.trips()).length, 1)
    assert.equal(await stage.status(), 'SUSPENDED')
    await stage.lift()
    await stage.engine().oversight.sweepMonitors()
    assert.equal(await stage.status(), 'ACTIVE', 'nothing is judged twice')
  })

test('a window that was lost with its process is the same after a restart', async (t) => {
  const stage = await watched(t)
  await stage.runtime().monitor(MEAN)
  for (const amount of ['90', '30', '40']) await stage.refund(amount)
  await stage.engine().oversight.sweepMonitors()
  assert.equal(await stage.status(), 'SUSPENDED', '53 of three')
  await stage.lift()
  for (const amount of ['20', '70', '30', '60']) await stage.refund(amount)
  await stage.engine().oversight.sweepMonitors()
  const before = await stage.engine().oversight.monitors()
  await stage.restart()
  assert.deepEqual(await stage.engine().oversight.monitors(), before)
  assert.deepEqual(
    before.monitors.map(({ verdict }) => [verdict.kind, verdict.value, verdict.samples]),
    [['ok', '45', 4]],
  )
  await stage.refund('41')
  const { trips } = await stage.engine().oversight.sweepMonitors()
  assert.deepEqual(
    trips.map(({ verdict }) => verdict.value),
    ['50.25'],
    'the twenty has left the window, and nothing else',
  )
})

test('a monitor counts from where it came into force, and a changed one anew', async (t) => {
  const stage = await watched(t)
  for (const amount of ['90', '90', '90']) await stage.refund(amount)
  await stage.runtime().monitor(MEAN)
  for (const amount of ['40', '40']) await stage.refund(amount)
  await stage.engine().oversight.sweepMonitors()
  const samples = async (): Promise<readonly unknown[]> => {
    const { monitors, unseen } = await stage.engine().oversight.monitors()
    return [monitors.map(({ verdict }) => verdict.samples), unseen]
  }
  assert.deepEqual(await samples(), [[2], 0])
  assert.equal((await stage.runtime().monitor(MEAN)).unchanged, true)
  await stage.refund('40')
  assert.deepEqual((await samples())[1] !== 0, true, 'not looked at yet')
  await stage.engine().oversight.sweepMonitors()
  assert.deepEqual(await samples(), [[3], 0])
  await stage.runtime().monitor({ ...MEAN, min_samples: 2 })
  await stage.engine().oversight.sweepMonitors()
  assert.deepEqual(await samples(), [[0], 0])
  assert.ok((await stage.engine().oversight.withdrawMonitor('mean_refund', 'noise')).ok)
  assert.deepEqual(await samples(), [[], 0])
})

test('a threshold goes on under a new version of the contract that repeats it', async (t) => {
  const stage = await watched(t, THRESHOLD)
  for (const amount of ['60', '60']) await stage.refund(amount)
  await stage.deploy({ ...THRESHOLD, version: '1.1.0' })
  await stage.refund('60')
  assert.equal((await stage.engine().oversight.sweepMonitors()).trips.length, 1)
})

test('failures, parameters, results and a window of time are watched too', async (t) => {
  const stage = await watched(t)
  const rate = { kind: 'rate', value: 'param:amount', when: { above: 'result:refunded' }, max: '0' }
  await stage.runtime().monitor({ ...MEAN, name: 'honest', statistic: rate })
  const recent = { window: { duration: '1m' }, min_samples: 1 }
  await stage.runtime().monitor({ ...MEAN, name: 'recent', ...recent })
  for (const amount of ['10', '20']) await stage.refund(amount)
  await stage.clock.advance(57_000)
  await stage.refund('30')
  await stage.engine().oversight.sweepMonitors()
  const said = async (): Promise<unknown> =>
    (await stage.engine().oversight.monitors()).monitors.map(({ monitor, verdict }) => [
      monitor.name,
      verdict.value,
      verdict.samples,
    ])
  assert.deepEqual(await said(), [
    ['honest', '0', 3],
    ['recent', '20', 3],
  ])
  await stage.clock.advance(1_000)
  assert.deepEqual(await said(), [
    ['honest', '0', 3],
    ['recent', '25', 2],
  ])
  await stage.clock.advance(600_000)
  const { monitors } = await stage.engine().oversight.monitors()
  assert.deepEqual(
    monitors.map(({ verdict }) => verdict.kind),
    ['ok', 'no_data'],
    'what is too old says nothing any more',
  )
})

test('an unreadable value counts against the agent', async (t) => {
  const stage = await watched(t)
  await stage.runtime().monitor({ ...MEAN, statistic: { ...mean('result:nothing') } })
  for (const amount of ['1', '1', '1']) await stage.refund(amount)
  const { trips } = await stage.engine().oversight.sweepMonitors()
  assert.deepEqual(trips[0]?.verdict.breach, { bound: 'unreadable', threshold: '0' })
  assert.equal((await stage.trips())[0]?.unreadable, 3)
  assert.equal(await stage.status(), 'SUSPENDED')
})

test('the word of an auditor is watched when it comes, not when the effect settles', async (t) => {
  const auditor: SemanticAuditor = {
    name: 'rule_reader',
    review: async (steps) =>
      steps.map(({ dfid, step_id, params }) => ({
        dfid,
        step_id,
        verdict: params.amount === '35' ? 'drifted' : 'aligned',
        why: 'scripted',
      })),
  }
  const stage = await watchedStage({}, { auditors: [auditor] })
  t.after(() => stage.close())
  const when = { is: 'drifted' }
  const statistic = { kind: 'rate', value: 'finding:rule_reader', when, max: '0.5' }
  await stage.runtime().monitor({ ...MEAN, statistic })
  for (const amount of ['20', '35', '35']) await stage.refund(amount)
  assert.equal(
    (await stage.engine().oversight.sweepMonitors()).executions,
    0,
    'nobody has spoken yet',
  )
  const { advisers } = stage.engine().context
  await advisers.round()
  await advisers.awaitSettled()
  const { executions, trips } = await stage.engine().oversight.sweepMonitors()
  assert.deepEqual([executions, trips[0]?.verdict.value], [3, '0.666667'])
  assert.equal((await stage.trips())[0]?.executions_behind, 2)
})

test('an auditor without an opinion stops nobody, and speaks for nobody', async (t) => {
  const auditor: SemanticAuditor = {
    name: 'rule_reader',
    review: async (steps) =>
      steps.map(({ dfid, step_id, params }) => ({
        dfid,
        step_id,
        verdict: params.amount === '35' ? 'drifted' : 'no_opinion',
        why: 'scripted',
      })),
  }
  const stage = await watchedStage({}, { auditors: [auditor] })
  t.after(() => stage.close())
  const statistic = {
    kind: 'rate',
    value: 'finding:rule_reader',
    when: { is: 'drifted' },
    max: '0.9',
  }
  await stage.runtime().monitor({ ...MEAN, statistic })
  const sweep = async (amounts: readonly string[]): Promise<number> => {
    for (const amount of amounts) await stage.refund(amount)
    const { advisers } = stage.engine().context
    await advisers.round()
    await advisers.awaitSettled()
    return (await stage.engine().oversight.sweepMonitors()).trips.length
  }
  assert.equal(await sweep(['20', '20', '20', '20']), 0, 'four times nobody could tell')
  assert.equal(await sweep(['35', '20', '35']), 0)
  assert.equal(await sweep(['20', '35']), 1, 'three of three that somebody could tell of')
})

const mean = (value: string): JsonObject => ({ kind: 'mean', value, max: '50' })

test('what could never be watched is refused', async (t) => {
  const stage = await watched(t)
  const refused = async (change: JsonObject): Promise<string> => {
    const parsed = parseMonitor({ ...MEAN, ...change })
    assert.ok(parsed.ok)
    const deployed = await stage.engine().oversight.deployMonitor(parsed.value)
    return deployed.ok ? '' : `${deployed.error.code} ${deployed.error.summary}`
  }
  assert.match(
    await refused({ statistic: mean('measure:amont') }),
    /^MONITOR_INVALID .*no capability measures `amont`/,
  )
  assert.match(await refused({ agents: ['nobody'] }), /^MONITOR_INVALID .*no agent `nobody`/)
  const unknown = await stage.engine().oversight.withdrawMonitor('nothing', 'x')
  assert.equal(unknown.ok ? '' : unknown.error.code, 'MONITOR_UNKNOWN')
})

test('a rehearsal over the history says what the monitor did', async (t) => {
  const stage = await watched(t)
  await stage.runtime().monitor(MEAN)
  for (const amount of ['90', '30', '40']) {
    await stage.refund(amount)
    await stage.engine().oversight.sweepMonitors()
  }
  await stage.lift()
  for (const amount of ['20', '70', '30', '60', '41']) await stage.refund(amount)
  await stage.engine().oversight.sweepMonitors()
  await stage.lift()
  await stage.refund('10')
  const parsed = parseMonitor(MEAN)
  assert.ok(parsed.ok)
  const rehearsal = await rehearseMonitors(stage.runtime().store, sha256, [parsed.value])
  const did = await stage.trips()
  assert.equal(did.length, 2)
  assert.deepEqual(
    rehearsal.trips.map(({ verdict, behind, flows }) => [verdict.value, behind.length, flows]),
    did.map(({ value, executions_behind, flows }) => [value, executions_behind, flows]),
  )
  assert.deepEqual([rehearsal.ok, rehearsal.executions], [false, 9])
  const lax = { ...parsed.value, statistic: { ...parsed.value.statistic, max: '60' } }
  assert.equal((await rehearseMonitors(stage.runtime().store, sha256, [lax as never])).ok, true)
})
