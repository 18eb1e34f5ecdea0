import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BACKGROUND_JOBS } from '../../ports/background-job.ts'
import { COUNTERS, GAUGES, HISTOGRAMS } from '../../ports/telemetry.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { type Family, parsePrometheus, samples } from './prometheus.test-support.ts'

async function families(
  metrics: Metrics,
  readings: Parameters<Metrics['render']>[0] = [],
): Promise<ReadonlyMap<string, Family>> {
  return parsePrometheus(await metrics.render(readings))
}

/** Those that do not stand where they began. */
function risen(family: Family | undefined): ReturnType<typeof samples> {
  return samples(family).filter(([, value]) => value !== '0')
}

test('every series has the name, the type and the help that the port says', async (t) => {
  const metrics = createMetrics(10)
  t.after(() => metrics.close())
  const text = await metrics.render([])
  for (const [list, type] of [
    [COUNTERS, 'counter'],
    [HISTOGRAMS, 'histogram'],
    [GAUGES, 'gauge'],
  ] as const)
    for (const [name, { help }] of Object.entries(list)) {
      assert.ok(text.includes(`# TYPE ${name} ${type}\n`), name)
      assert.ok(text.includes(`# HELP ${name} ${help}\n`), name)
    }
})

test('the six golden signals have the names and labels of the specification', () => {
  const of = (series: { readonly labels: readonly string[] }): readonly string[] => series.labels
  assert.deepEqual(of(HISTOGRAMS.validation_latency_ms), ['type'])
  assert.deepEqual(of(COUNTERS.stale_context_reject_rate), [])
  assert.deepEqual(of(COUNTERS.escalation_count), ['agent_id', 'reason'])
  assert.deepEqual(of(GAUGES.resource_lock_contention), ['state'])
  assert.deepEqual(of(HISTOGRAMS.token_budget_burn), [])
  assert.deepEqual(of(COUNTERS.idempotency_hit_rate), [])
})

test('finding 41a: a labelled counter that an alarm watches stands at zero before anything happened', async (t) => {
  const metrics = createMetrics(10)
  t.after(() => metrics.close())
  const read = await families(metrics)
  for (const [name, { labels }] of Object.entries(COUNTERS)) {
    // Its labels are agents, and those that there are nobody knows yet; `rubicon_escalations_pending` is for alarms.
    if (name === 'escalation_count') continue
    const found = samples(read.get(name))
    assert.ok(found.length > 0, `${name} is not there`)
    for (const [given, value] of found) {
      assert.equal(value, '0', name)
      assert.deepEqual(Object.keys(given).sort(), [...labels].sort(), name)
    }
  }
  const jobs = samples(read.get('rubicon_background_failures_total')).map(([{ job }]) => job)
  assert.deepEqual(jobs, [...BACKGROUND_JOBS])
})

test('finding 41b: what the seed does not name has our prefix, base units, and the suffix of its type', () => {
  const GOLDEN =
    /^(validation_latency_ms|stale_context_reject_rate|escalation_count|resource_lock_contention|token_budget_burn|idempotency_hit_rate)$/
  const ours = (list: object): readonly string[] =>
    Object.keys(list).filter((name) => !GOLDEN.test(name))
  for (const name of [COUNTERS, HISTOGRAMS, GAUGES].flatMap(ours)) {
    assert.match(name, /^rubicon_[a-z]+(_[a-z]+)*$/)
    assert.doesNotMatch(name, /_(ms|millis|milliseconds|us|kb|percent|rate)(_|$)/)
  }
  for (const name of ours(COUNTERS)) assert.match(name, /_total$/)
  for (const name of ours(HISTOGRAMS)) assert.match(name, /_seconds$/)
  for (const name of ours(GAUGES)) assert.doesNotMatch(name, /_(total|count|sum|bucket)$/)
})

test('finding 41b: durations are told in seconds', async (t) => {
  const metrics = createMetrics(10)
  t.after(() => metrics.close())
  metrics.observe('rubicon_proposal_duration_seconds', 0.003, { outcome: 'ACCEPTED' })
  const text = await metrics.render([])
  const bucket = (le: string): string => `_bucket{le="${le}",outcome="ACCEPTED"}`
  assert.ok(text.includes(`rubicon_proposal_duration_seconds${bucket('0.0025')} 0\n`))
  assert.ok(text.includes(`rubicon_proposal_duration_seconds${bucket('0.005')} 1\n`))
})

test('what is told and read stands in the text, as a standard parser reads it', async (t) => {
  const metrics = createMetrics(10)
  t.after(() => metrics.close())
  metrics.count('stale_context_reject_rate')
  metrics.count('escalation_count', { agent_id: 'trader', reason: 'LOW_CONFIDENCE' }, 2)
  metrics.observe('validation_latency_ms', 3, { type: 'hard' })
  metrics.observe('validation_latency_ms', 40, { type: 'hard' })
  metrics.observe('token_budget_burn', 700)
  const read = await families(metrics, [
    { name: 'resource_lock_contention', labels: { state: 'held' }, value: 3 },
    { name: 'resource_lock_contention', labels: { state: 'limit' }, value: 64 },
    { name: 'rubicon_flows_open', value: 5 },
  ])
  assert.deepEqual(samples(read.get('stale_context_reject_rate')), [[{}, '1']])
  assert.deepEqual(samples(read.get('escalation_count')), [
    [{ agent_id: 'trader', reason: 'LOW_CONFIDENCE' }, '2'],
  ])
  assert.deepEqual(samples(read.get('resource_lock_contention')), [
    [{ state: 'held' }, '3'],
    [{ state: 'limit' }, '64'],
  ])
  assert.deepEqual(samples(read.get('rubicon_flows_open')), [[{}, '5']])
  assert.equal(read.get('validation_latency_ms')?.type, 'HISTOGRAM')
  const burn = read.get('token_budget_burn')?.metrics[0]?.buckets
  assert.deepEqual([burn?.['500'], burn?.['1000'], burn?.['+Inf']], ['0', '1', '1'])
  // The parser leaves the labels of a histogram out.
  const text = await metrics.render([])
  assert.ok(text.includes('validation_latency_ms_bucket{le="2.5",type="hard"} 0\n'))
  assert.ok(text.includes('validation_latency_ms_bucket{le="5",type="hard"} 1\n'))
  assert.ok(text.includes('validation_latency_ms_count{type="hard"} 2\n'))
})

test('a gauge that is not read any more is not shown any more', async (t) => {
  const metrics = createMetrics(10)
  t.after(() => metrics.close())
  const suspended = { name: 'rubicon_agents', labels: { state: 'SUSPENDED' }, value: 1 } as const
  assert.equal(samples((await families(metrics, [suspended])).get('rubicon_agents')).length, 1)
  assert.equal(samples((await families(metrics)).get('rubicon_agents')).length, 0)
})

test('of two agents that may be told apart the third is other, and stays so', async (t) => {
  const metrics = createMetrics(2)
  t.after(() => metrics.close())
  for (const agent_id of ['a', 'b', 'c', 'd', 'a', 'c'])
    metrics.count('escalation_count', { agent_id, reason: 'SILENCE' })
  const counted = samples((await families(metrics)).get('escalation_count'))
  assert.deepEqual(
    counted.map(([{ agent_id }, value]) => [agent_id, value]),
    [
      ['a', '2'],
      ['b', '1'],
      ['other', '3'],
    ],
  )
})

test('a reason that is on no list is other; a state that is no word, too', async (t) => {
  const metrics = createMetrics(2)
  t.after(() => metrics.close())
  for (const reason of ['STATE_DRIFT_DETECTED', 'MY_OWN_WORD', 'jane@example.com', 'STORE_FULL'])
    metrics.count('rubicon_proposals_total', { outcome: 'REJECTED', reason })
  metrics.count('rubicon_effects_total', { status: 'a secret with spaces' })
  const read = await families(metrics)
  assert.deepEqual(
    risen(read.get('rubicon_proposals_total')).map(([{ reason }, value]) => [reason, value]),
    [
      ['STATE_DRIFT_DETECTED', '1'],
      ['other', '2'],
      ['STORE_FULL', '1'],
    ],
  )
  assert.deepEqual(risen(read.get('rubicon_effects_total')), [[{ status: 'other' }, '1']])
})

test('words of a label are bounded, however many there are', async (t) => {
  const metrics = createMetrics(2)
  t.after(() => metrics.close())
  for (let n = 0; n < 1_000; n += 1) metrics.count('rubicon_effects_total', { status: `S${n}` })
  assert.equal(samples((await families(metrics)).get('rubicon_effects_total')).length, 65)
})
