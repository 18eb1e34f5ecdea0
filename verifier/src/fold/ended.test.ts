/** Nothing is begun in a flow that has ended, however it did; what it did can still be undone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, JsonObject } from 'rubicon-kernel'
import type { LedgerBuilder } from '../ledger-builder.test-support.ts'
import { accept, carryOut } from '../sample-executors.test-support.ts'
import { commit, DFID, dispatch } from '../sample-ledger.test-support.ts'
import { found, idOf, NOTHING, stage, undoing } from '../sample-undoing.test-support.ts'

const salt = 'c2FsdA=='

function close(builder: LedgerBuilder): Entry {
  const payload = { salt, source: 'agent', finding: 'closed' }
  return builder.append('main', 'evidence', payload, { dfid: DFID })
}

function cancel(builder: LedgerBuilder, change: JsonObject = {}): Entry {
  const refused = { attempt: 1, received: '', trace: [], stage: 'queue', gate: null, details: {} }
  const payload = { salt, ...refused, reason_code: 'FLOW_CANCELLED', ...change }
  return builder.append('main', 'rejection', payload, { dfid: DFID })
}

const ENDS = { 'its agent has closed it': close, 'it was cancelled': cancel }

for (const [what, end] of Object.entries(ENDS))
  test(`nothing is decided or sent in a flow after ${what}`, async () => {
    const it = stage()
    const waiting = accept(it.builder, it.writId, { step_id: 'step-2' })
    end(it.builder)
    assert.deepEqual(await found(it), [])
    dispatch(it.builder, it.writId, { step_id: 'step-3' })
    accept(it.builder, it.writId, { step_id: 'step-4' })
    carryOut(it.builder, waiting)
    assert.deepEqual(
      await found(it),
      [16, 17, 18].map((leaf) => `${leaf} AUTHORITY_ORDER`),
    )
  })

test('a flow that has ended is not closed', async () => {
  for (const end of Object.values(ENDS)) {
    const it = stage()
    end(it.builder)
    close(it.builder)
    assert.deepEqual(await found(it), ['15 AUTHORITY_ORDER'])
  }
})

test('a proposal that comes after it was cancelled is refused for that, and ends nothing', async () => {
  const it = stage()
  cancel(it.builder, { received: 'ab' })
  dispatch(it.builder, it.writId, { step_id: 'step-2' })
  assert.deepEqual(await found(it), [])
})

test('what was done in a flow is undone after its end, with executors of their own, too', async () => {
  const it = stage()
  close(it.builder)
  const undo = undoing(it, { accepted: true })
  carryOut(it.builder, undo)
  commit(it.builder, undo.intent, [], { compensates: idOf(it.done), ...NOTHING })
  assert.deepEqual(await found(it), [])
})
