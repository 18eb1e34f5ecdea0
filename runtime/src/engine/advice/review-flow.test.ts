import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import type { RuntimeOptions } from '../../compose.ts'
import type { SoftGuard } from '../../ports/soft-guard.ts'
import { desk } from '../approve/escalation.test-support.ts'
import { sagaStage } from '../compensate/saga-stage.test-support.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'
import { listFlowReviews } from '../rows/review-flags.ts'
import type { ReviewedFlow } from './review-flow.ts'

const WORD = { by: 'olga', justification: 'the photo shows it' }

const story: SoftGuard = {
  name: 'story',
  check: async ({ justification }) => ({
    mismatch: justification !== 'fine',
    why: 'another story',
  }),
}

async function staged(options: RuntimeOptions = {}): Promise<FlowStage> {
  const stage = await flowStage({ softGuards: [story], ...options })
  await stage.deploy()
  return stage
}

async function flagged(stage: FlowStage, step = 'step-1'): Promise<string> {
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket', steps: 'many' })
  await flow.propose(refund('1.00', step))
  await stage.engine().context.advisers.guards.awaitSettled()
  assert.deepEqual((await stage.flow(flow.dfid)).tags, ['NEEDS_REVIEW'])
  return flow.dfid
}

async function review(stage: FlowStage, dfid: string, more: object = {}): Promise<ReviewedFlow> {
  const answer = await stage.engine().oversight.reviewFlow(dfid, { ...WORD, ...more })
  assert.ok(answer.ok, answer.ok ? '' : answer.error.code)
  return answer.value
}

async function refused(stage: FlowStage, dfid: string, more: object = {}): Promise<string> {
  const answer = await stage.engine().oversight.reviewFlow(dfid, { ...WORD, ...more })
  return answer.ok ? 'reviewed' : answer.error.code
}

/** What somebody says who was shown the flow as it is. */
async function showLast(stage: FlowStage, dfid: string): Promise<{ readonly last_flag: number }> {
  const { flags } = listFlowReviews(await stage.runtime().store.listFlowEntries(dfid))
  const last = flags.findLast(({ reviewed }) => !reviewed)
  assert.ok(last !== undefined)
  return { last_flag: last.seq }
}

async function listReviews(stage: FlowStage, dfid: string): Promise<readonly JsonObject[]> {
  const entries = await stage.entries(dfid)
  return entries.map(([, payload]) => payload).filter(({ source }) => source === 'review')
}

test('a person clears what was flagged, with a reason, on the record', async () => {
  const stage = await staged()
  const dfid = await flagged(stage)
  const { repeated, flags, by } = await review(stage, dfid, await showLast(stage, dfid))
  assert.deepEqual([repeated, flags, by], [false, 1, 'olga'])
  assert.deepEqual((await stage.flow(dfid)).tags, [])
  const [entry] = await listReviews(stage, dfid)
  assert.deepEqual({ ...(entry?.details as JsonObject) }, { ...WORD, flags: 1 })
  const known = listFlowReviews(await stage.runtime().store.listFlowEntries(dfid))
  assert.deepEqual(
    known.flags.map(({ by, why, kind, reviewed }) => [by, why, kind, reviewed]),
    [['story', 'another story', 'soft_guard', true]],
  )
  await stage.restart()
  assert.deepEqual((await stage.flow(dfid)).tags, [])
  await stage.close()
})

test('said once more it is the same review', async () => {
  const stage = await staged()
  const dfid = await flagged(stage)
  const first = await review(stage, dfid)
  const again = await review(stage, dfid, { by: 'otto', justification: 'me too' })
  assert.deepEqual(again, { ...first, repeated: true })
  assert.equal((await listReviews(stage, dfid)).length, 1)
  await stage.close()
})

test('two who review at once leave one review', async () => {
  const stage = await staged()
  const dfid = await flagged(stage)
  const both = await Promise.all([review(stage, dfid), review(stage, dfid, { by: 'otto' })])
  assert.deepEqual(both.map(({ repeated }) => repeated).toSorted(), [false, true])
  assert.equal((await listReviews(stage, dfid)).length, 1)
  await stage.close()
})

test('a flag that comes after the review opens the flow again, and nobody clears what he was not shown', async () => {
  const stage = await staged()
  const dfid = await flagged(stage)
  const shown = await showLast(stage, dfid)
  await review(stage, dfid)
  const flow = await stage.runtime().resume(dfid)
  await flow.propose(refund('2.00', 'step-2'))
  await flow.propose(refund('2.00', 'step-3'))
  await stage.engine().context.advisers.guards.awaitSettled()
  assert.deepEqual((await stage.flow(dfid)).tags, ['NEEDS_REVIEW'])
  assert.equal(await refused(stage, dfid, shown), 'REVIEW_STALE')
  assert.deepEqual((await stage.flow(dfid)).tags, ['NEEDS_REVIEW'])
  assert.equal((await review(stage, dfid, await showLast(stage, dfid))).flags, 2)
  await stage.close()
})

test('nobody clears as many flags as he was shown, if they are others', async () => {
  const stage = await staged()
  const dfid = await flagged(stage)
  const shown = await showLast(stage, dfid)
  await review(stage, dfid)
  const flow = await stage.runtime().resume(dfid)
  await flow.propose(refund('2.00', 'step-2'))
  await stage.engine().context.advisers.guards.awaitSettled()
  assert.equal(await refused(stage, dfid, shown), 'REVIEW_STALE')
  assert.deepEqual((await stage.flow(dfid)).tags, ['NEEDS_REVIEW'])
  await stage.close()
})

test('without a flag, a person or a reason nothing is reviewed', async () => {
  const stage = await staged()
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  await flow.propose({ ...refund('1.00', 'fine'), justification: 'fine' })
  await stage.engine().context.advisers.guards.awaitSettled()
  assert.equal(await refused(stage, flow.dfid), 'REVIEW_NOT_NEEDED')
  assert.equal(await refused(stage, 'nobody'), 'FLOW_UNKNOWN')
  const dfid = await flagged(stage)
  for (const word of [{ by: ' ' }, { justification: '\u200b' }])
    assert.equal(await refused(stage, dfid, word), 'JUSTIFICATION_REQUIRED')
  assert.equal(await refused(stage, dfid, { justification: 'seen \ud800' }), 'RESOLUTION_INVALID')
  assert.deepEqual((await stage.flow(dfid)).tags, ['NEEDS_REVIEW'])
  await stage.close()
})

test('a limit that would have asked is reviewed like the word of a guard', async () => {
  const stage = await desk({ contract: { authority: 'EXECUTE_FULL' } })
  const { flow } = await stage.ask('800.00')
  assert.deepEqual((await stage.flow(flow.dfid)).tags, ['NEEDS_REVIEW'])
  const { flags } = listFlowReviews(await stage.engine().context.store.listFlowEntries(flow.dfid))
  assert.deepEqual(
    flags.map(({ kind, why, reviewed }) => [kind, why, reviewed]),
    [['limit', 'AUTHORITY_CEILING', false]],
  )
  assert.equal((await review(stage, flow.dfid, await showLast(stage, flow.dfid))).flags, 1)
  assert.deepEqual((await stage.flow(flow.dfid)).tags, [])
  await stage.close()
})

const says = { outcome: 'abandon', evidence: {}, justification: 'leave it', by: 'olga' } as const

test('half a job is settled and not reviewed away, and settling it clears nothing that a guard said', async () => {
  const it = await sagaStage({ softGuards: [story] })
  const dfid = await it.half()
  await it.engine().context.advisers.guards.awaitSettled()
  assert.deepEqual((await it.flow(dfid)).tags.toSorted(), ['DIRTY', 'NEEDS_REVIEW'])
  assert.equal(await refused(it, dfid), 'REVIEW_UNSETTLED')
  assert.ok((await it.engine().oversight.resolveDirty(dfid, says)).ok)
  assert.deepEqual((await it.flow(dfid)).tags, ['NEEDS_REVIEW'])
  await review(it, dfid)
  assert.deepEqual((await it.flow(dfid)).tags, [])
  await it.close()
})

test('what the runtime took back itself nobody has looked at', async () => {
  const it = await sagaStage({ softGuards: [story] })
  const dfid = await it.half()
  await it.engine().context.advisers.guards.awaitSettled()
  const chooser = await it.desk()
  const params = { dfid, action: 'REVERT' }
  await chooser.propose({ policy_kind: 'COMPENSATE', step_id: 'undo', params })
  assert.deepEqual((await it.flow(dfid)).tags.toSorted(), ['COMPENSATED', 'NEEDS_REVIEW'])
  await it.close()
})

test('what an agent reported and then looked at is taken for the review of a person', async () => {
  const stage = await staged()
  const dfid = await flagged(stage)
  const claim = { path: `claims.${AGENT}.note`, value: { source: 'review', details: WORD } }
  const { contextStore } = stage.engine()
  assert.ok((await contextStore.observe(claim, { kind: 'agent', agent_id: AGENT })).ok)
  const flow = await stage.runtime().resume(dfid)
  await flow.refresh({ state: [claim.path] })
  const { flags, reviews } = listFlowReviews(await stage.runtime().store.listFlowEntries(dfid))
  assert.deepEqual(reviews, [])
  assert.deepEqual(
    flags.map(({ reviewed }) => reviewed),
    [false],
  )
  assert.equal((await review(stage, dfid, { last_flag: flags[0]?.seq })).flags, 1)
  await stage.close()
})
