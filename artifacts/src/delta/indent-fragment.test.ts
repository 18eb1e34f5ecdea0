import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { planDelta } from './plan-delta.ts'

const FORMAT = findFormat('a.ts') ?? assert.fail()

function add(fragment: string): string {
  const parsed = parseWhole(FORMAT, 'class A {\n  a() {}\n}\n')
  const planned = planDelta(parsed, { op: 'addMember', target: 'class:A', fragment }, FORMAT)
  assert.ok(planned.ok, planned.ok ? '' : planned.error.detail)
  return planned.value.after.text
}

test('documentation is indented with what it is about', () => {
  assert.equal(
    add('/**\n * B.\n */\nb() {\n  return 1\n}'),
    'class A {\n  a() {}\n  /**\n   * B.\n   */\n  b() {\n    return 1\n  }\n}\n',
  )
})

test('texts, templates and other comments are put in as they are', () => {
  const inner = '/* one\n two */ `\n  x\n`'
  assert.ok(add(`b() {\n  return ${inner}\n}`).includes(inner))
})
