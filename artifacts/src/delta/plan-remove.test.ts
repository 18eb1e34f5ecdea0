import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { planDelta } from './plan-delta.ts'

function remove(name: string, text: string, target: string): string {
  const format = findFormat(name) ?? assert.fail()
  const planned = planDelta(parseWhole(format, text), { op: 'remove', target }, format)
  return planned.ok ? planned.value.after.text : planned.error.code
}

test('one of several declarators goes with its comma', () => {
  const text = 'const a = 1, b = 2, c = 3\n'
  assert.equal(remove('a.ts', text, 'variable:a'), 'const b = 2, c = 3\n')
  assert.equal(remove('a.ts', text, 'variable:b'), 'const a = 1, c = 3\n')
  assert.equal(remove('a.ts', text, 'variable:c'), 'const a = 1, b = 2\n')
  assert.equal(
    remove('a.ts', 'var a = 1,\n    b = 2;\nvar c = 3;\n', 'variable:b'),
    'var a = 1;\nvar c = 3;\n',
  )
  assert.equal(remove('a.ts', 'var a = 1, b = 2;\n', 'variable:a'), 'var b = 2;\n')
  assert.equal(remove('a.json', '{ "a": 1, "b": 2 }', 'key:b'), '{ "a": 1 }')
  assert.equal(remove('a.json', '[1, 2]', 'item:1'), '[1]')
})

test('the comma that goes with the last member is no part of a comment', () => {
  assert.equal(
    remove('a.jsonc', '{\n  "a": 1 /* one, two */,\n  "b": 2\n}\n', 'key:b'),
    '{\n  "a": 1 /* one, two */\n}\n',
  )
})
