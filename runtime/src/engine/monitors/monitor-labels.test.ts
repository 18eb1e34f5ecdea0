/** What a monitor believes: it decides, and reads State as everything does that decides. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { AGENT } from '../flow/flow-stage.test-support.ts'
import type { Speaker } from '../observe/speaker.ts'
import { MEAN, type Watched, watchedStage } from './watched.test-support.ts'

const CLAIM = `claims.${AGENT}.cap`
const SOURCES = [
  { source_id: 'press', label: 'external', paths: ['news.cap'] },
  { source_id: 'finance', label: 'operator', paths: ['books.cap'] },
] as const

/** Two refunds of 60 in a row, each above what stands at a path; and whether the agent was stopped. */
async function isStopped(path: string, speaker: Speaker): Promise<boolean> {
  const stage = await watchedStage({}, { sources: SOURCES })
  const { runtime, engine } = stage
  const statistic = { kind: 'streak', value: 'measure:amount', when: { above: `state:${path}` } }
  const { window: _, min_samples: __, ...monitor } = MEAN
  await runtime().monitor({ ...monitor, statistic: { ...statistic, length: 2 } } as JsonObject)
  const said = await engine().contextStore.observe({ path, value: '1000' }, speaker)
  assert.ok(said.ok, said.ok ? '' : said.error.summary)
  await refundSeeing(stage, path, 'o-1')
  await refundSeeing(stage, path, 'o-2')
  await engine().oversight.sweepMonitors()
  const status = await stage.status()
  await stage.close()
  return status === 'SUSPENDED'
}

async function refundSeeing({ runtime, clock }: Watched, path: string, order: string) {
  await clock.advance(1000)
  const flow = await runtime().open({ agent: AGENT, trigger: order, state: [path] })
  const answer = await flow.propose({ policy_kind: 'REFUND', params: { order, amount: '60' } })
  assert.equal(answer.outcome, 'ACCEPTED')
}

test('an agent does not raise the bound of its monitor by a claim', async () => {
  assert.equal(await isStopped(CLAIM, { kind: 'agent', agent_id: AGENT }), true)
})

test('what an outsider says is no bound of a monitor, and what its owner says of the books is', async () => {
  assert.equal(await isStopped('news.cap', { kind: 'source', source_id: 'press' }), true)
  assert.equal(await isStopped('books.cap', { kind: 'source', source_id: 'finance' }), false)
})
