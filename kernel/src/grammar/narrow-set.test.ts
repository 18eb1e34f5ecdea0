import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../canonical/json-value.ts'
import type { Regex } from '../contract/pattern.ts'
import { type AllowedSet, narrowSet } from './narrow-set.ts'
import type { GrammarNode, TextNode } from './node.ts'

const regex: Regex = (expression, value) => new RegExp(`^(?:${expression})$`).test(value)
const text: TextNode = { kind: 'text', min: 0, max: 256, isLengthStated: false }
const values = (...list: readonly JsonValue[]): GrammarNode => ({ kind: 'values', values: list })

test('listed values are held against what is allowed and what is denied, one by one', () => {
  const listed = values('a1', 'a2', 'b1', 7, true, null, ['a1'], { a: 'a1' })
  for (const [set, left] of [
    [{ allowed: ['a*'] }, ['a1', 'a2']],
    [{ allowed: ['a*', 'b1'], denied: ['a2'] }, ['a1', 'b1']],
    [{ denied: ['a*'] }, ['b1', 7, true]],
    [{ denied: [] }, ['a1', 'a2', 'b1', 7, true]],
    [{}, ['a1', 'a2', 'b1', 7, true]],
    [{ allowed: ['7', 'true'] }, [7, true]],
    [{ allowed: ['*'], isText: true }, ['a1', 'a2', 'b1']],
    [{ allowed: ['*'], isText: false }, ['a1', 'a2', 'b1', 7, true]],
  ] satisfies readonly (readonly [AllowedSet, readonly JsonValue[]])[])
    assert.deepEqual(narrowSet(listed, set), values(...left), JSON.stringify(set))
  for (const set of [{ allowed: [] }, { allowed: ['c*'] }, { allowed: ['7'], isText: true }])
    assert.equal(narrowSet(listed, set), 'empty')
})

test('a value of which nobody knows whether it matches is neither allowed nor free of what is denied', () => {
  const listed = values('a1', 'b1')
  assert.deepEqual(narrowSet(listed, { allowed: ['re:a.'] }, regex), values('a1'))
  assert.deepEqual(narrowSet(listed, { denied: ['re:a.'] }, regex), values('b1'))
  assert.equal(narrowSet(listed, { allowed: ['re:a.'] }), 'empty')
  assert.equal(narrowSet(listed, { denied: ['re:a.'] }), 'empty')
  // What another pattern says for certain is enough.
  assert.deepEqual(narrowSet(listed, { allowed: ['re:a.', 'b1'] }), values('b1'))
  assert.equal(narrowSet(listed, { denied: ['re:a.', 'b1'] }), 'empty')
})

test('a text becomes the literals that fit its schema, each once and without those that are denied', () => {
  const set = { allowed: ['a', 'bc', 'a', '€€', 'def'], denied: ['bc'] }
  assert.deepEqual(narrowSet(text, set), values('a', '€€', 'def'))
  const stated = { ...text, isLengthStated: true }
  assert.deepEqual(narrowSet({ ...stated, min: 2, max: 2 }, set), values('€€'))
  assert.deepEqual(narrowSet({ ...stated, min: 1, max: 3 }, set), values('a', '€€', 'def'))
  assert.equal(narrowSet({ ...stated, min: 4 }, set), 'empty')
  // What every grammar bounds nobody stated: the tool takes longer ones.
  const long = 'x'.repeat(300)
  assert.deepEqual(narrowSet(text, { allowed: [long] }), values(long))
})

test('a text is left as it is where a list of values cannot say what is allowed', () => {
  for (const allowed of [['a*'], ['a', 're:b'], undefined])
    assert.equal(narrowSet(text, { allowed }), 'unsaid')
  const many = Array.from({ length: 1_024 }, (_, nth) => `v${nth}`)
  assert.deepEqual(narrowSet(text, { allowed: many }), values(...many))
  assert.equal(narrowSet(text, { allowed: [...many, 'v'] }), 'unsaid')
})

test('literals are held against the pattern of the schema where it is one of the whole text', () => {
  const allowed = ['ab', 'xx', 'b']
  const at = (pattern: string, by?: Regex): unknown =>
    narrowSet({ ...text, pattern }, { allowed }, by)
  assert.deepEqual(at('^[ab]+$', regex), values('ab', 'b'))
  assert.equal(at('^z$', regex), 'empty')
  for (const pattern of ['[ab]+$', '^[ab]+', '[ab]', '^a|b$'])
    assert.equal(at(pattern, regex), 'unsaid', pattern)
  assert.equal(at('^[ab]+$'), 'unsaid')
  assert.equal(
    at('^[ab]+$', () => undefined),
    'unsaid',
  )
})

test('what is no text is outside of a set of texts, and what cannot be listed stays', () => {
  const allowed = ['1']
  const integer: GrammarNode = { kind: 'integer', min: 0n, max: 9n }
  assert.equal(narrowSet(integer, { allowed, isText: true }), 'empty')
  assert.equal(narrowSet(integer, { allowed }), 'unsaid')
  assert.equal(narrowSet({ kind: 'object', members: [] }, { allowed }), 'empty')
  const nought = { digits: 0n, scale: 0 }
  for (const node of [
    { kind: 'number', min: null, max: null },
    { kind: 'decimal', min: nought, max: nought, scale: 0 },
    { kind: 'list', items: text, min: 0, max: 1 },
    { kind: 'choice', of: [text] },
  ] satisfies readonly GrammarNode[])
    assert.equal(narrowSet(node, { allowed }), 'unsaid', node.kind)
})
