/** What a proven intent has fixed for its failure counts as a choice once it has failed, and not before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { accept, settle } from '../samples/sample-executors.test-support.ts'
import { DFID, type Dispatched, dispatch } from '../samples/sample-ledger.test-support.ts'
import { saga } from '../samples/sample-saga.test-support.ts'
import {
  CHOICE,
  describeChoice,
  found,
  type Stage,
  stage,
  undoing,
} from '../samples/sample-undoing.test-support.ts'

/** What both say of the entry that undoes. The step itself carries no proof, which is found where it stands. */
async function judgeUndoing(
  fixed: 'REVERT_STATE' | 'ALERT_HUMAN',
  happens: (it: Stage, step: Dispatched) => void,
): Promise<readonly string[]> {
  const it = stage()
  const step = dispatch(it.builder, it.writId, { step_id: 'second', on_failure: fixed })
  happens(it, step)
  const { on_failure: _, ...intent } = step.intent
  undoing({ ...it, chosen: { ...step, intent } }, { body: { policy_kind: 'COMPENSATE' } })
  const last = `${it.builder.entries.length - 1} `
  return (await found(it)).filter((place) => place.startsWith(last))
}

function fail({ builder }: Stage, step: Dispatched, next: 'COMPENSATING' | 'MANUAL_REVIEW') {
  settle(builder, step.intent, 'FAILED')
  saga(builder, 'PARTIAL_SUCCESS_DIRTY')
  saga(builder, next, describeChoice(step))
}

test('what a proven intent fixed is no choice before it has failed, nor where it fixed something else', async () => {
  const failed = (it: Stage, step: Dispatched): void => fail(it, step, 'COMPENSATING')
  assert.deepEqual(await judgeUndoing('REVERT_STATE', failed), [])
  assert.equal((await judgeUndoing('REVERT_STATE', () => {})).length, 1)
  const told = (it: Stage, step: Dispatched): void => fail(it, step, 'MANUAL_REVIEW')
  assert.equal((await judgeUndoing('ALERT_HUMAN', told)).length, 1)
})

test('a flow that does not begin what its intent fixed is found', async () => {
  const it = stage()
  const step = dispatch(it.builder, it.writId, { step_id: 'second', on_failure: 'REVERT_STATE' })
  fail(it, step, 'MANUAL_REVIEW')
  const last = `${it.builder.entries.length - 1} `
  assert.equal((await found(it)).filter((place) => place.startsWith(last)).length, 1)
})

/** What both say of an entry that begins to take back, which is the last. */
async function judgeBeginning(
  begins: (it: Stage, step: Dispatched) => JsonObject,
): Promise<readonly string[]> {
  const it = stage()
  const step = dispatch(it.builder, it.writId, { step_id: 'second', on_failure: 'REVERT_STATE' })
  saga(it.builder, 'COMPENSATING', begins(it, step))
  const last = `${it.builder.entries.length - 1} `
  return (await found(it)).filter((place) => place.startsWith(last))
}

function failStep({ builder }: Stage, { intent }: Dispatched, status: 'FAILED' | 'MANUAL_REVIEW') {
  settle(builder, intent, status)
  saga(builder, 'PARTIAL_SUCCESS_DIRTY')
}

test('taking back does not begin before the failure for which it was fixed, nor without a choice', async () => {
  const failed = await judgeBeginning((it, step) => {
    failStep(it, step, 'FAILED')
    return describeChoice(step)
  })
  assert.deepEqual(failed, [])
  const uncertain = await judgeBeginning((it, step) => {
    failStep(it, step, 'MANUAL_REVIEW')
    return describeChoice(step)
  })
  assert.equal(uncertain.length, 1, 'it may still have happened')
  const unsettled = await judgeBeginning((it, step) => {
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    return describeChoice(step)
  })
  assert.equal(unsettled.length, 1, 'it has no outcome')
  const wrong: readonly ((it: Stage, step: Dispatched) => JsonObject)[] = [
    () => ({}),
    () => ({ details: { intent_id: 7, dfid: DFID } }),
    (_, step) => describeChoice(step, { action: 'CLOSE_ALL' }),
    ({ done }) => describeChoice(done),
    () => ({ details: { action: 'REVERT', dfid: DFID, intent_id: `sha256:${'0'.repeat(64)}` } }),
  ]
  for (const begins of wrong) {
    const found = await judgeBeginning((it, step) => {
      failStep(it, step, 'FAILED')
      return begins(it, step)
    })
    // Of two entries that are missing one is that which should have come here.
    assert.equal(found.length, 1)
  }
})

test('taking back begins with a COMPENSATE that was sent, about this flow, and asks for no person', async () => {
  const choose = (params: JsonObject) => (it: Stage) => {
    const body = { step_id: 'chosen', policy_kind: 'COMPENSATE', params }
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    return describeChoice(dispatch(it.builder, it.writId, body), { action: String(params.action) })
  }
  assert.deepEqual(await judgeBeginning(choose(CHOICE)), [])
  assert.equal((await judgeBeginning(choose({ ...CHOICE, action: 'ALERT_HUMAN' }))).length, 1)
  const other = '019c1200-0000-7000-8000-0000000000cb'
  assert.equal((await judgeBeginning(choose({ ...CHOICE, dfid: other }))).length, 1)
  const accepted = await judgeBeginning((it) => {
    const body = { step_id: 'chosen', policy_kind: 'COMPENSATE', params: CHOICE }
    saga(it.builder, 'PARTIAL_SUCCESS_DIRTY')
    return describeChoice(accept(it.builder, it.writId, body))
  })
  assert.equal(accepted.length, 1, 'it was not sent')
})
