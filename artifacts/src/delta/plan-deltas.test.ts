import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { applySplices } from '../text/splice.ts'
import type { Delta } from './delta.ts'
import { planDeltas } from './plan-deltas.ts'

const FORMAT = findFormat('a.ts') ?? assert.fail()
const TEXT = `class A {
  one(): number {
    return 1
  }
}
`
const PARSED = parseWhole(FORMAT, TEXT)

const add = (name: string, body = '{}'): Delta => ({
  op: 'addMember',
  target: 'class:A',
  fragment: `${name}() ${body}`,
})

test('each delta of a list sees what those before it did, and the whole has one inverse', () => {
  const deltas: readonly Delta[] = [
    add('two'),
    { op: 'replaceBody', target: 'class:A/method:two', fragment: '{ return 2 }' },
    { op: 'remove', target: 'class:A/method:one' },
  ]
  const planned = planDeltas(PARSED, deltas, FORMAT)
  assert.ok(planned.ok)
  const { splices, inverse, after, steps } = planned.value
  assert.equal(after.text, 'class A {\n  two() { return 2 }\n}\n')
  assert.equal(applySplices(TEXT, splices), after.text)
  assert.equal(applySplices(after.text, inverse), TEXT)
  let text = after.text
  for (const step of [...steps].reverse()) {
    assert.equal(applySplices(step.before.text, step.splices), text)
    text = applySplices(text, step.inverse) ?? assert.fail()
  }
  assert.equal(text, TEXT)
})

test('one delta that cannot be planned stops all of them, and is named', () => {
  const planned = planDeltas(PARSED, [add('two'), add('one')], FORMAT)
  assert.ok(!planned.ok)
  assert.equal(planned.error.code, 'NAME_TAKEN')
  assert.equal(planned.error.index, 1)
})

test('a list is neither empty nor longer or larger than the limits', () => {
  const { deltas, fragmentBytes, listBytes } = ARTIFACT_LIMITS
  const many = (count: number) => Array.from({ length: count }, (_, i) => add(`m${i}`))
  assert.equal(planDeltas(PARSED, [], FORMAT).ok, false)
  assert.equal(planDeltas(PARSED, many(deltas), FORMAT).ok, true)
  assert.equal(planDeltas(PARSED, many(deltas + 1), FORMAT).ok, false)
  const large = planDeltas(PARSED, [add('x', `{ '${'x'.repeat(fragmentBytes)}' }`)], FORMAT)
  assert.equal(large.ok ? null : large.error.code, 'FRAGMENT_INVALID')
  const piece = `{ '${'x'.repeat(fragmentBytes - 200)}' }`
  const count = Math.ceil(listBytes / (fragmentBytes - 200))
  const pieces = Array.from({ length: count }, (_, i) => add(`m${i}`, piece))
  const whole = planDeltas(PARSED, pieces, FORMAT)
  assert.equal(whole.ok ? null : whole.error.code, 'FRAGMENT_INVALID')
})

test('a secret in a fragment is refused, and not repeated', () => {
  const findSecret = (text: string) => (text.includes('key-123456') ? 'a key' : null)
  const planned = planDeltas(PARSED, [add('two', "{ return 'key-123456' }")], FORMAT, {
    findSecret,
  })
  assert.deepEqual(planned.ok ? null : planned.error, {
    code: 'SECRET_IN_FRAGMENT',
    detail: '`addMember` would write a key',
    index: 0,
  })
})

test('a list is held to the schema of its artifact behind its last delta', () => {
  const json = findFormat('a.json') ?? assert.fail()
  const parsed = parseWhole(json, '{ "a": 1 }')
  const judge = (value: unknown) =>
    JSON.stringify(value).includes('"b"') ? [] : [{ path: '/b', detail: 'is missing' }]
  const add: Delta = { op: 'addMember', target: '', fragment: '"b": 2' }
  const remove: Delta = { op: 'remove', target: 'key:a' }
  assert.equal(planDeltas(parsed, [remove, add], json, { judge }).ok, true)
  const planned = planDeltas(parsed, [remove], json, { judge })
  assert.equal(planned.ok ? null : planned.error.code, 'SCHEMA_VIOLATION')
})
