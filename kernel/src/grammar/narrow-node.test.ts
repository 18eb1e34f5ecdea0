import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Narrow, narrowAt, narrowEach } from './narrow-node.ts'
import type { GrammarNode } from './node.ts'

const text: GrammarNode = { kind: 'text', min: 0, max: 256, isLengthStated: false }
const integer: GrammarNode = { kind: 'integer', min: 0n, max: 9n }
const one: GrammarNode = { kind: 'values', values: ['a'] }
const object = (node: GrammarNode, required = false): GrammarNode => ({
  kind: 'object',
  members: [
    { name: 'a', required, node },
    { name: 'b', required: false, node: integer },
  ],
})
const list = (items: GrammarNode, min = 0, max = 3): GrammarNode => ({
  kind: 'list',
  items,
  min,
  max,
})
const choice = (...of: readonly GrammarNode[]): GrammarNode => ({ kind: 'choice', of })

/** Texts become one value, whole numbers cannot be said, everything else is outside. */
const narrow: Narrow = (node) =>
  node.kind === 'text' ? one : node.kind === 'integer' ? 'unsaid' : 'empty'

test('the place that a pointer leads to is narrowed and required, and nothing else is touched', () => {
  assert.deepEqual(narrowAt(text, [], narrow), one)
  assert.deepEqual(narrowAt(object(text), ['a'], narrow), object(one, true))
  const inner = narrowAt(object(object(text)), ['a', 'a'], narrow)
  assert.deepEqual(inner, object(object(one, true), true))
  assert.equal(narrowAt(object(text), ['b'], narrow), 'unsaid')
  assert.equal(narrowAt(object(list(text)), ['a'], narrow), 'empty')
})

test('where nothing can stand at the place, no value is left', () => {
  assert.equal(narrowAt(object(text), ['c'], narrow), 'empty')
  for (const node of [text, integer])
    assert.equal(narrowAt(object(node), ['a', 'x'], narrow), 'empty')
  // A listed value may be an object, which nobody looks into.
  assert.equal(narrowAt(object(one), ['a', 'x'], narrow), 'unsaid')
})

test('a list on the way has an element, all are narrowed, and one element alone cannot be named', () => {
  assert.deepEqual(narrowAt(list(text), ['*'], narrow), list(one, 1))
  assert.deepEqual(narrowAt(list(text, 2), ['*'], narrow), list(one, 2))
  assert.deepEqual(narrowAt(list(text, 0, 1), ['*'], narrow), list(one, 1, 1))
  assert.equal(narrowAt(list(text, 0, 0), ['*'], narrow), 'empty')
  assert.equal(narrowAt(list(text), ['0'], narrow), 'unsaid')
  assert.equal(narrowAt(list(integer), ['*'], narrow), 'unsaid')
  assert.equal(narrowAt(list(object(text)), ['*', 'c'], narrow), 'empty')
  assert.deepEqual(narrowAt(list(object(text)), ['*', 'a'], narrow), list(object(one, true), 1))
})

test('of alternatives those are left that can be inside, and where one cannot be said all stay', () => {
  assert.deepEqual(narrowAt(choice(text, one, text), [], narrow), choice(one, one))
  assert.deepEqual(narrowAt(choice(one, text), [], narrow), one)
  assert.equal(narrowAt(choice(one, list(text)), [], narrow), 'empty')
  assert.equal(narrowAt(choice(text, integer), [], narrow), 'unsaid')
  const members = narrowAt(choice(object(text), text, object(object(text))), ['a'], narrow)
  assert.deepEqual(members, object(one, true))
  const deeper = narrowAt(choice(object(object(text)), text), ['a', 'a'], narrow)
  assert.deepEqual(deeper, object(object(one, true), true))
  assert.deepEqual(
    narrowAt(choice(list(text), list(text)), ['*'], narrow),
    choice(list(one, 1), list(one, 1)),
  )
})

test('where a list of values counts as a value each element is narrowed, and one is required', () => {
  const each = narrowEach(narrow)
  assert.deepEqual(each(text), one)
  assert.equal(each(integer), 'unsaid')
  assert.deepEqual(each(list(text)), list(one, 1))
  assert.deepEqual(each(list(text, 2)), list(one, 2))
  assert.deepEqual(each(list(text, 0, 1)), list(one, 1, 1))
  assert.equal(each(list(text, 0, 0)), 'empty')
  assert.equal(each(list(one)), 'empty')
  assert.equal(each(list(integer)), 'unsaid')
  assert.deepEqual(each(list(choice(text, one))), list(one, 1))
  assert.equal(each(list(choice(text, integer))), 'unsaid')
  assert.equal(each(list(choice(one, list(text)))), 'empty')
})
