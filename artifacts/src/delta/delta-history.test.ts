import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { createWordFormat } from '../claims/word-references.test-support.ts'
import type { Delta } from './delta.ts'
import { type DeltaHistory, recordList } from './delta-history.ts'
import { planDeltas } from './plan-deltas.ts'

const FORMAT = createWordFormat('a.ts')
const TEXT = `class A {
  one() {}
}

function two() {}
`

function record(...deltas: readonly Delta[]): DeltaHistory {
  const parsed = parseWhole(FORMAT, TEXT)
  const planned = planDeltas(parsed, deltas, FORMAT)
  assert.ok(planned.ok, planned.ok ? '' : planned.error.detail)
  return recordList(parsed, planned.value, FORMAT)
}

function undo(history: DeltaHistory, id: string): readonly string[] | null {
  const undone = history.undo(id)
  if (undone.ok) return null
  assert.equal(undone.error.code, 'UNDO_BLOCKED')
  return undone.error.candidates ?? []
}

const add = (target: string, fragment: string): Delta => ({ op: 'addMember', target, fragment })

test('deltas that do not meet are undone in any order', () => {
  for (const order of ['012', '021', '102', '120', '201', '210']) {
    const history = record(
      add('class:A', 'three() {}'),
      { op: 'replaceBody', target: 'function:two', fragment: '{ return 2 }' },
      add('', 'function four() {}'),
    )
    for (const id of order) assert.equal(undo(history, id), null, order)
    assert.equal(history.getParsed().text, TEXT)
    assert.deepEqual(history.listLive(), [])
  }
})

test('what a later one has changed is not undone before it is', () => {
  const history = record(add('class:A', 'three() {}'), {
    op: 'replaceBody',
    target: 'class:A/method:three',
    fragment: '{ return 3 }',
  })
  assert.deepEqual(undo(history, '0'), ['1'])
  assert.equal(undo(history, '1'), null)
  assert.equal(undo(history, '0'), null)
  assert.equal(history.getParsed().text, TEXT)
})

test('what a later one refers to is not undone before it is', () => {
  const history = record(
    add('', 'function three() {}'),
    add('', 'function four() {}'),
    add('class:A', 'five() {\n  three()\n}'),
  )
  assert.deepEqual(undo(history, '0'), ['2'])
  assert.equal(undo(history, '1'), null)
  assert.equal(undo(history, '2'), null)
  assert.equal(undo(history, '0'), null)
  assert.equal(history.getParsed().text, TEXT)
})

test('a name that a later one has taken does not come back before it is given up', () => {
  const history = record(
    { op: 'remove', target: 'class:A/method:one' },
    add('class:A', 'one(again: 1) {}'),
  )
  assert.deepEqual(undo(history, '0'), ['1'])
  assert.equal(undo(history, '1'), null)
  assert.equal(undo(history, '0'), null)
  assert.equal(history.getParsed().text, TEXT)
})

test('what the first text refers to, or an earlier one, does not hold what came later', () => {
  const history = record(
    { op: 'replaceBody', target: 'function:two', fragment: '{ three() }' },
    add('', 'function three() {}'),
    add('', 'function four() {}'),
  )
  assert.equal(undo(history, '1'), null)
  assert.equal(undo(history, '0'), null)
  assert.equal(undo(history, '2'), null)
  assert.equal(history.getParsed().text, TEXT)
})

test('what is undone is not undone again', () => {
  const history = record(add('class:A', 'three() {}'))
  assert.equal(undo(history, '0'), null)
  const again = history.undo('0')
  assert.equal(again.ok ? null : again.error.code, 'TARGET_MISSING')
})
