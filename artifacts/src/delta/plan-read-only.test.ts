import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../formats/formats.ts'
import type { Delta } from './delta.ts'
import { planDelta } from './plan-delta.ts'
import { planDeltas } from './plan-deltas.ts'

const TEXT = '{\n  "a": 1,\n  "b": 2\n}\n'
const DELTA: Delta = { op: 'removeKey', target: 'key:a' }

test('what lies below an external root is never written', () => {
  for (const [name, expected] of [
    ['a.json', null],
    ['node_modules/x/a.json', 'TARGET_READ_ONLY'],
    ['package-lock.json', 'TARGET_READ_ONLY'],
  ] as const) {
    const format = findFormat(name)
    assert.ok(format !== undefined)
    const parsed = format.parse(TEXT)
    assert.ok(parsed.ok)
    for (const planned of [
      planDelta(parsed.value, DELTA, format),
      planDeltas(parsed.value, [DELTA], format),
    ])
      assert.equal(planned.ok ? null : planned.error.code, expected, name)
  }
})
