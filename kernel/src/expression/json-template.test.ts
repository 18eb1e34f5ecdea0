import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import { fillJsonTemplate, listTemplateExpressions } from './json-template.ts'

const scope = { params: { a: '1', b: { c: null } } }

function fill(template: JsonValue): JsonValue | string {
  const filled = fillJsonTemplate(template, scope)
  if (filled.ok) return JSON.parse(JSON.stringify(filled.value))
  return filled.error.kind === 'absent' ? `absent ${filled.error.path}` : filled.error.kind
}

const A = { $: { param: '/a' } }
const ABSENT = { $: { param: '/x' } }

test('expressions are replaced by their values wherever they stand, and everything else stays', () => {
  const template = { one: A, list: [A, 2, [A], { deep: { $: { param: '/b' } } }], $$: null }
  assert.deepEqual(fill(template), {
    one: '1',
    list: ['1', 2, ['1'], { deep: { c: null } }],
    $$: null,
  })
  for (const plain of [null, false, 0, '', '$', [], {}]) assert.deepEqual(fill(plain), plain)
  assert.deepEqual(fill(A), '1')
})

test('one expression without a value leaves nothing of the whole, wherever it stands', () => {
  for (const template of [
    ABSENT,
    [ABSENT],
    [A, ABSENT, A],
    { a: A, x: ABSENT },
    [[{ x: [ABSENT] }]],
  ])
    assert.equal(fill(template), 'absent /x', JSON.stringify(template))
})

test('all expressions of a template are listed, in its order', () => {
  const listed = listTemplateExpressions({ one: A, list: [1, ABSENT, { two: [A] }], word: '$' })
  assert.deepEqual(listed, [A.$, ABSENT.$, A.$])
  assert.deepEqual(listTemplateExpressions('x'), [])
})
