import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, LIMITS, listMonitorsInForce, type Sample } from 'rubicon-kernel'
import { createScriptedProvider } from '../../compose.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'
import { listModelMarks } from './model-marks.ts'
import { loadMonitorSeries, type MonitorSeries } from './series.ts'
import { groupStreams } from './streams.ts'
import { MEAN, type Watched, watchedStage } from './watched.test-support.ts'

function samples(models: readonly (string | null)[]): readonly Sample[] {
  return models.map((model, leaf) => ({
    leaf,
    at: leaf * 1_000,
    policy_kind: 'REFUND',
    status: 'SUCCESS',
    values: model === null ? {} : { model },
  }))
}

function marks(models: readonly (string | null)[]): readonly (readonly unknown[])[] {
  return listModelMarks(samples(models)).map(({ kind, leaf, seq, label }) => [
    kind,
    leaf,
    seq,
    label,
  ])
}

test('a model that answers for the first time after another is a change', () => {
  assert.deepEqual(marks(['a', 'a', 'b', 'b']), [['model', 2, null, 'model b, after a']])
  assert.deepEqual(marks(['a', null, 'a']), [], 'without a model nothing is known')
  assert.deepEqual(marks([null, null, 'a']), [], 'the first one is no change')
})

test('two models in turn are one change, and one that comes back after a while is another', () => {
  assert.equal(marks(['a', 'b', 'a', 'b', 'a', 'b']).length, 1)
  const whole = (model: string): readonly string[] =>
    Array.from({ length: LIMITS.seriesModels }, () => model)
  assert.equal(marks(['a', ...whole('b').slice(1), 'a']).length, 1)
  assert.equal(marks(['a', ...whole('b'), 'a']).length, 2)
})

test('an agent that uses a model for each step leaves no more marks than are shown', () => {
  const many = Array.from({ length: 3 * LIMITS.seriesMarks }, (_, i) => `m-${i}`)
  assert.equal(listModelMarks(samples(many)).length, LIMITS.seriesMarks)
})

async function decided(stage: Watched, model: string | null, amount = '10.00'): Promise<void> {
  await stage.clock.advance(1_000)
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const request = { messages: [{ role: 'user', text: 'hm' }], max_tokens: 10 } as const
  if (model !== null) await flow.generate({ model, ...request })
  const params = { order: flow.dfid, amount }
  assert.equal((await flow.propose({ policy_kind: 'REFUND', params })).outcome, 'ACCEPTED')
}

async function readSeries(stage: Watched): Promise<MonitorSeries> {
  await stage.engine().oversight.sweepMonitors()
  const { authorities, store, sha256 } = stage.engine().context
  const authority = await authorities.loadLatest()
  const { now } = await store.readNow('authority')
  const [stream] = groupStreams(listMonitorsInForce(authority, now, sha256)).values()
  const [monitor] = stream?.monitors ?? []
  assert.ok(stream !== undefined && monitor !== undefined)
  return loadMonitorSeries({ store, authority, stream, watched: monitor, pause: async () => {} })
}

test('a series is marked where another model answers the agent, by the one that answered', async () => {
  const acme = createScriptedProvider({
    script: ({ model }) => (model === 'latest' ? { text: 'x', model: 'm-2\u202e' } : 'x'),
  })
  const stage = await watchedStage({}, { models: { acme } })
  await stage.runtime().monitor(MEAN)
  for (const model of ['m-1', null, 'm-1', 'latest', 'latest']) await decided(stage, model)
  const { marks: found, points } = await readSeries(stage)
  const own = found.filter(({ kind }) => kind === 'model')
  assert.deepEqual(
    own.map(({ label, leaf, at }) => [label, leaf, at]),
    [['model acme/m-2, after acme/m-1', points[3]?.leaf, points[3]?.at]],
  )
  assert.equal(points.length, 5)
  await stage.restart()
  const again = await readSeries(stage)
  assert.deepEqual(again.marks, found)
  await stage.close()
})

test('a model that is asked after the step was decided is not behind it', async () => {
  const acme = createScriptedProvider({ script: () => 'x' })
  const stage = await watchedStage({}, { models: { acme } })
  await stage.runtime().monitor(MEAN)
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'late', steps: 'many' })
  await decided(stage, 'm-1')
  await readSeries(stage)
  // The beginning of the flow has been looked at: what is known of it is read from the store, whole.
  await stage.restart()
  const flow = await stage.runtime().resume(dfid)
  const params: JsonObject = { order: 'o', amount: '1.00' }
  await flow.propose({ policy_kind: 'REFUND', step_id: 's', params })
  const messages = [{ role: 'user', text: 'hm' }] as const
  await flow.generate({ model: 'm-9', messages, max_tokens: 10 })
  assert.deepEqual(
    (await readSeries(stage)).marks.filter(({ kind }) => kind === 'model'),
    [],
  )
  await stage.close()
})
