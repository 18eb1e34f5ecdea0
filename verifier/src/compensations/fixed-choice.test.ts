/** What a proven intent has fixed for its failure counts as a choice once it has failed, and not before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settle } from '../samples/sample-executors.test-support.ts'
import { type Dispatched, dispatch } from '../samples/sample-ledger.test-support.ts'
import { saga } from '../samples/sample-saga.test-support.ts'
import { found, type Stage, stage, undoing } from '../samples/sample-undoing.test-support.ts'

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

function fail({ builder }: Stage, { intent }: Dispatched, next: 'COMPENSATING' | 'MANUAL_REVIEW') {
  settle(builder, intent, 'FAILED')
  saga(builder, 'PARTIAL_SUCCESS_DIRTY')
  saga(builder, next)
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
