import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desk } from '../engine/approve/escalation.test-support.ts'
import { sagaStage } from '../engine/compensate/saga-stage.test-support.ts'
import type { Store } from '../ports/store.ts'
import { buildEpisode, type Episode } from './episode.ts'

async function readEpisode(store: Store, dfid: string): Promise<Episode> {
  const flow = (await store.readFlow(dfid)) ?? assert.fail(`no flow ${dfid}`)
  return buildEpisode(flow, await store.listFlowEntries(dfid))
}

test('an episode says what was shown, proposed, decided and done', async () => {
  const it = await desk()
  const { flow, answer } = await it.ask('20.00')
  assert.equal(answer.outcome, 'ACCEPTED')
  const { contexts, steps, reward } = await readEpisode(it.runtime().store, flow.dfid)
  const [step] = steps
  assert.equal(steps.length, 1)
  assert.deepEqual(step?.verdict, { outcome: 'ACCEPTED', code: null, stage: null, details: {} })
  const proposal = step?.proposal as { context_ref: string; params: object }
  assert.deepEqual(proposal.params, { order: 'o-1', amount: '20.00' })
  assert.ok(contexts[proposal.context_ref] !== undefined, 'with the context it refers to')
  assert.equal(step?.effect?.status, 'SUCCESS')
  assert.equal(step?.effect?.delta[0]?.op, 'create')
  assert.deepEqual([reward.accepted, reward.succeeded, reward.rejected], [1, 1, 0])
  await it.close()
})

test('a refusal is a step of its own, with its reason', async () => {
  const it = await desk()
  const { flow } = await it.ask('9500.00')
  const { steps, reward } = await readEpisode(it.runtime().store, flow.dfid)
  assert.equal(steps[0]?.verdict.outcome, 'REJECTED')
  assert.equal(steps[0]?.verdict.code, 'LIMIT_EXCEEDED')
  assert.equal(steps[0]?.effect, null)
  assert.equal(reward.rejected, 1)
  await it.close()
})

test('what a person changed is told beside what the agent proposed, and not who it was', async () => {
  const it = await desk()
  const { flow } = await it.ask('800.00')
  const modified = { params: { order: 'o-1', amount: '700.00' } }
  assert.ok((await it.decide({ decision: 'MODIFY', modified })).ok)
  const episode = await readEpisode(it.runtime().store, flow.dfid)
  const [step] = episode.steps
  assert.equal(episode.steps.length, 1, 'the release is no step of the agent')
  assert.equal(step?.verdict.outcome, 'ESCALATED')
  assert.equal(step?.decisions[0]?.decision, 'MODIFY')
  const ran = step?.decisions[0]?.proposal as { params: { amount: string } }
  assert.equal(ran.params.amount, '700.00')
  assert.equal(step?.effect?.status, 'SUCCESS')
  assert.ok(!JSON.stringify(episode).includes('ann@example.com'))
  await it.close()
})

test('an effect that was taken back says so', async () => {
  const it = await sagaStage()
  const dfid = await it.half()
  const above = await it.desk()
  assert.equal((await above.compensate(dfid, 'REVERT')).outcome, 'ACCEPTED')
  const { steps, reward } = await readEpisode(it.runtime().store, dfid)
  const told = steps.map(({ effect }) => [effect?.status, effect?.taken_back])
  assert.deepEqual(told, [
    ['SUCCESS', true],
    ['FAILED', false],
  ])
  assert.deepEqual([reward.taken_back, reward.failed], [1, 1])
  await it.close()
})

test('what was erased is counted and not made up', async () => {
  const it = await desk()
  const { flow } = await it.ask('20.00')
  assert.ok((await it.engine().oversight.erase({ dfid: flow.dfid, reason: 'asked for' })).ok)
  const { steps, contexts, erased } = await readEpisode(it.runtime().store, flow.dfid)
  assert.deepEqual([steps, { ...contexts }], [[], {}])
  assert.ok(erased >= 3)
  await it.close()
})
