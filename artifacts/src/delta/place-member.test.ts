import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { ROOT } from './delta.ts'
import { planDelta } from './plan-delta.ts'

const FORMAT = findFormat('a.ts') ?? assert.fail()

function add(text: string): string {
  const delta = { op: 'addMember', target: ROOT, fragment: 'const b = 1' } as const
  const planned = planDelta(parseWhole(FORMAT, text), delta, FORMAT)
  assert.ok(planned.ok, planned.ok ? '' : planned.error.detail)
  return planned.value.after.text
}

test('what is put behind a semicolon that ends no statement leaves its line as it is', () => {
  const before = 'function a() {\n};'
  assert.equal(add(`${before}\n`), `${before}\nconst b = 1\n`)
  assert.equal(add('a()\r\n; \t\r\n'), 'a()\r\n; \t\r\nconst b = 1\r\n')
  assert.equal(add(before), `${before}\nconst b = 1`)
})

test('blank lines behind the last statement stay behind what is put there', () => {
  assert.equal(add('const a = 1\n\n\n'), 'const a = 1\nconst b = 1\n\n\n')
  assert.equal(add('function a() {\n};\n\n'), 'function a() {\n};\nconst b = 1\n\n')
})

test('a statement is put below the line of several', () => {
  assert.equal(add('a(); c()\n'), 'a(); c()\nconst b = 1\n')
})
