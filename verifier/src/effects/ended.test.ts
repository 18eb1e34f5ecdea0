/** Nothing is begun in a flow that has ended, however it did; what it did can still be undone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, JsonObject } from 'rubicon-kernel'
import type { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { accept, carryOut, learn, settle } from '../samples/sample-executors.test-support.ts'
import { commit, DFID, dispatch } from '../samples/sample-ledger.test-support.ts'
import { saga } from '../samples/sample-saga.test-support.ts'
import {
  found,
  idOf,
  NOTHING,
  type Stage,
  stage as stageOfChoice,
  undoing,
} from '../samples/sample-undoing.test-support.ts'

const salt = 'c2FsdA=='

const CLOSED: JsonObject = { salt, source: 'agent', finding: 'closed' }

/** Nothing is on its way: the choice is committed at leaf 14. */
function stage(): Stage {
  const it = stageOfChoice()
  commit(it.builder, it.chosen.intent, [], NOTHING)
  return it
}

function close(builder: LedgerBuilder): Entry {
  return builder.append('main', 'evidence', CLOSED, { dfid: DFID })
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
    end(it.builder)
    assert.deepEqual(await found(it), [])
    dispatch(it.builder, it.writId, { step_id: 'step-3' })
    const waiting = accept(it.builder, it.writId, { step_id: 'step-4' })
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
    assert.deepEqual(await found(it), ['16 AUTHORITY_ORDER'])
  }
})

test('a flow is not closed while a step of it has no outcome', async () => {
  for (const status of ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW']) {
    const it = stage()
    const begin = status === 'ACCEPTED' ? accept : dispatch
    const { intent } = begin(it.builder, it.writId, { step_id: 'step-2' })
    if (status !== 'ACCEPTED' && status !== 'DISPATCHED') settle(it.builder, intent, status)
    const leaf = it.builder.entries.length
    close(it.builder)
    assert.deepEqual(await found(it), [`${leaf} AUTHORITY_ORDER`], status)
  }
  const it = stage()
  const { intent } = dispatch(it.builder, it.writId, { step_id: 'step-2' })
  settle(it.builder, intent, 'MANUAL_REVIEW')
  learn(it.builder, intent, 'person', 'inconclusive')
  settle(it.builder, intent, 'ABANDONED')
  undoing(it)
  close(it.builder)
  assert.deepEqual(await found(it), [], 'what takes back moves no flow')
})

test('what is said of a flow stands in that flow, which was opened', async () => {
  const it = stage()
  const { builder } = it
  const other = '019c1200-0000-7000-8000-0000000000ca'
  builder.append('side', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  builder.append('main', 'evidence', CLOSED)
  builder.append('main', 'evidence', CLOSED, { dfid: other })
  builder.append('side', 'evidence', CLOSED, { dfid: DFID })
  saga(builder, 'PARTIAL_SUCCESS_DIRTY', {}, other)
  assert.deepEqual(
    await found(it),
    [16, 17, 18, 19].map((leaf) => `${leaf} AUTHORITY_ORDER`),
  )
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
