import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { describeObject, UNKNOWN_NAMING } from './object.ts'

test('a proposal is about the resources that it names', () => {
  assert.equal(
    describeObject({ scopes: { accounts: '/to' }, params: {} }, { to: 'acc_1', amount: '5.00' }),
    'acc_1',
  )
})

test('where it names none it is about its first three plain parameters', () => {
  const params = { order: 'o_1', items: ['a'], note: null, where: { at: 1 }, amount: '20.00' }
  assert.equal(describeObject(UNKNOWN_NAMING, params), 'order o_1, amount 20.00')
  assert.equal(describeObject(UNKNOWN_NAMING, { a: 1, b: true, c: 'x', d: 4 }), 'a 1, b true, c x')
  assert.equal(describeObject(UNKNOWN_NAMING, {}), '')
})

test('parameters stand in the order in which the schema requires them, however they were written down', () => {
  const schema = { required: ['order', 'amount', 'absent', 7] }
  for (const params of [
    { amount: '20.00', order: 'o_1', at: 1 },
    { at: 1, order: 'o_1', amount: '20.00' },
  ])
    assert.equal(
      describeObject({ scopes: {}, params: schema }, params),
      'order o_1, amount 20.00, at 1',
    )
  assert.equal(
    describeObject({ scopes: {}, params: { required: 'b' } }, { b: 1, a: 2 }),
    'b 1, a 2',
  )
})

test('eighty characters stay, the next is cut off, and no character is cut in two', () => {
  const room = 80 - 'a '.length
  assert.equal(describeObject(UNKNOWN_NAMING, { a: '🜁'.repeat(room) }), `a ${'🜁'.repeat(room)}`)
  assert.equal(
    describeObject(UNKNOWN_NAMING, { a: '🜁'.repeat(room + 1) }),
    `a ${'🜁'.repeat(room)}…`,
  )
})

test('a value makes another parameter of itself', () => {
  const params = { order: 'o_1, amount 5.00', amount: '9000.00' }
  assert.equal(describeObject(UNKNOWN_NAMING, params), 'order "o_1, amount 5.00", amount 9000.00')
  const padded = { order: `o_1, amount 5.00${' '.repeat(70)}`, amount: '9000.00' }
  assert.match(describeObject(UNKNOWN_NAMING, padded), /^order "o_1, amount 5\.00 +…$/)
  assert.equal(
    describeObject(UNKNOWN_NAMING, { 'a b': 1, c: '"x"', d: '' }),
    '"a b" 1, c "\\"x\\"", d ""',
  )
  assert.equal(describeObject(UNKNOWN_NAMING, { a: -0, b: 'x \ud800' }), 'a 0, b "x \\ud800"')
  assert.equal(
    describeObject(UNKNOWN_NAMING, { a: 'x\u2800y', b: 'x\u3000y' }),
    'a "x\u2800y", b "x\u3000y"',
  )
})

test('of what an agent made long no more is looked at than a row shows', (t) => {
  const looked = t.mock.method(String.prototype, 'trim')
  const long = 'x'.repeat(LIMITS.json.bytes)
  const said = describeObject(UNKNOWN_NAMING, { a: long, [long]: '1', b: `${long} y` })
  assert.equal(said, `a ${'x'.repeat(78)}…`)
  assert.ok(looked.mock.callCount() < 1_000, `${looked.mock.callCount()} characters`)
})
