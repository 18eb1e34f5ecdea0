import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SettlePayload, SignedIntent } from 'rubicon-kernel'
import { AuditedHolds } from './holds.ts'
import type { Line } from './report.ts'

type Need = SignedIntent['resources'][number]

function audit(): { readonly holds: AuditedHolds; readonly found: string[] } {
  const found: string[] = []
  return { holds: new AuditedHolds((invariant) => void found.push(invariant)), found }
}

const LINE = { trajectory: 'main', seq: 7 } as Line

function effect(dfid: string, ...resources: readonly Need[]): SignedIntent {
  return { dfid, step_id: 'step-1', resources } as unknown as SignedIntent
}

function share(amount: string, capacity: string): Need {
  return { id: 'till', amount, capacity }
}

const WHOLE: Need = { id: 'till', amount: '1' }

/** Invariants that break when these are dispatched one after the other. */
function broken(...intents: readonly SignedIntent[]): readonly string[] {
  const { holds, found } = audit()
  for (const intent of intents) holds.auditDispatch(LINE, intent)
  return found
}

test('amounts share a resource up to its capacity, to the last digit', () => {
  const first = effect('a', share('0.1', '0.3'))
  assert.deepEqual(broken(first, effect('b', share('0.2', '0.3'))), [])
  assert.deepEqual(broken(first, effect('b', share('0.20000000000000000001', '0.3'))), ['I6'])
  assert.deepEqual(broken(effect('a', share('2', '1.99'))), ['I6'])
})

test('what has no capacity is held by one, whatever the others say', () => {
  assert.deepEqual(broken(effect('a', WHOLE)), [])
  assert.deepEqual(broken(effect('a', WHOLE), effect('b', WHOLE)), ['I6'])
  assert.deepEqual(broken(effect('a', WHOLE), effect('b', share('0', '9'))), ['I6'])
  assert.deepEqual(broken(effect('a', share('0', '9')), effect('b', WHOLE)), ['I6'])
})

test('other resources, and the same step, are not in the way', () => {
  const other = { id: 'shelf', amount: '1' }
  assert.deepEqual(broken(effect('a', WHOLE), effect('b', other)), [])
  assert.deepEqual(broken(effect('a', WHOLE), effect('a', WHOLE)), [])
})

test('the capacity is that of the one that is dispatched', () => {
  const first = effect('a', share('6', '10'))
  assert.deepEqual(broken(first, effect('b', share('6', '12'))), [])
  assert.deepEqual(broken(first, effect('b', share('4', '9'))), ['I6'])
})

test('an effect lets go with its outcome, and not before', () => {
  const statuses: readonly (readonly [SettlePayload['status'], readonly string[]])[] = [
    ['SUCCESS', []],
    ['FAILED', []],
    ['ABANDONED', []],
    ['UNKNOWN', ['I6']],
    ['NOT_APPLIED', ['I6']],
    ['MANUAL_REVIEW', ['I6']],
  ]
  for (const [status, expected] of statuses) {
    const { holds, found } = audit()
    const first = effect('a', WHOLE)
    holds.auditDispatch(LINE, first)
    holds.auditSettle(first, { status })
    holds.auditDispatch(LINE, effect('b', WHOLE))
    assert.deepEqual(found, expected, status)
  }
  const { holds, found } = audit()
  const first = effect('a', WHOLE)
  holds.auditDispatch(LINE, first)
  holds.releaseHolds(first)
  holds.auditDispatch(LINE, effect('b', WHOLE))
  assert.deepEqual(found, [])
})

test('an executor dispatches before what was taken runs out, by the time of the ledger', () => {
  const accepted = '2026-06-01T12:00:00.000Z'
  const carried = (at: string, ...resources: readonly Need[]): readonly string[] => {
    const { holds, found } = audit()
    holds.auditCarryOut({ ...LINE, at }, effect('a', ...resources), accepted)
    return found
  }
  assert.deepEqual(carried('2026-06-01T12:00:19.999Z', WHOLE), [])
  assert.deepEqual(carried('2026-06-01T12:00:20.000Z', WHOLE), ['I6'])
  assert.deepEqual(carried('2026-06-01T12:00:20.000Z'), [])
})

test('in the end the store holds what the ledger says, no more and no less', () => {
  const held = { resource: 'till', holder: 'a:step-1', amount: '1' }
  const cases: readonly (readonly [readonly (typeof held)[], readonly string[]])[] = [
    [[held], []],
    [[], ['I6']],
    [[{ ...held, amount: '2' }], ['I6']],
    [[held, { ...held, holder: 'b:step-1' }], ['I6']],
  ]
  for (const [stored, expected] of cases) {
    const { holds, found } = audit()
    holds.auditDispatch(LINE, effect('a', WHOLE))
    holds.finish(stored)
    assert.deepEqual(found, expected)
  }
})
