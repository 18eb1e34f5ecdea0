/** What monitors know of an execution whose flow was erased. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Unit } from '../../ports/store.ts'
import { forgetRecords } from '../erase/flow-records.ts'
import { MEAN, type Watched, watchedStage } from './watched.test-support.ts'

const REASON = 'asked for by the customer'

async function watched(t: TestContext): Promise<Watched> {
  const stage = await watchedStage()
  t.after(() => stage.close())
  await stage.runtime().monitor(MEAN)
  return stage
}

async function readValues(stage: Watched): Promise<readonly unknown[]> {
  const { monitors } = await stage.engine().oversight.monitors()
  return monitors.map(({ verdict }) => verdict.value)
}

test('a monitor forgets what it measured with the erasure, and not with the next start', async (t) => {
  const stage = await watched(t)
  const [first] = [await stage.refund('90'), await stage.refund('10'), await stage.refund('20')]
  await stage.refund('30')
  await stage.engine().oversight.sweepMonitors()
  assert.deepEqual(await readValues(stage), ['37.5'])
  const erased = await stage.engine().oversight.erase({ dfid: first?.dfid ?? '', reason: REASON })
  assert.ok(erased.ok)
  assert.deepEqual(await readValues(stage), ['20'])
  await stage.restart()
  assert.deepEqual(await readValues(stage), ['20'])
})

test('samples that are taken between the look and the erasure go with the flow', async (t) => {
  const stage = await watched(t)
  const { dfid } = await stage.refund('90')
  const { store } = stage.runtime()
  const flow = await store.readFlow(dfid)
  assert.ok(flow !== null)
  const entries = (await stage.leaves()).filter(({ envelope }) => envelope.dfid === dfid)
  const look: Unit = await forgetRecords(stage.engine().context, flow, entries)
  await stage.engine().oversight.sweepMonitors()
  assert.ok(!(await store.commit(look)).ok, 'what was seen is not what is there')
})
