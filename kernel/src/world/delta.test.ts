import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { parseDelta } from './delta.ts'

const on = { kind: 'order', id: 'o 1' }
const GOOD: readonly JsonObject[] = [
  { op: 'create', ...on, value: null },
  { op: 'create', ...on, value: {}, expected_version: 0 },
  { op: 'create', ...on, value: [], expected_version: 7 },
  { op: 'replace', ...on, expected_version: 1, value: 'x' },
  { op: 'patch', ...on, expected_version: 1, patch: { a: null } },
  { op: 'retract', ...on, expected_version: Number.MAX_SAFE_INTEGER },
  { op: 'increment', ...on, by: '-1.50' },
  { op: 'increment', ...on, by: '0', field: 'total' },
]

function refusal(value: JsonValue): string {
  const parsed = parseDelta(value)
  assert(!parsed.ok, JSON.stringify(value))
  return parsed.error
}

test('every op parses as itself', () => {
  const parsed = parseDelta(GOOD)
  assert(parsed.ok)
  assert.deepEqual(parsed.value, GOOD)
  assert(parseDelta([]).ok, 'a delta may be empty')
})

test('an unknown member is refused in every op', () => {
  for (const op of GOOD) assert.match(refusal([{ ...op, extra: 1 }]), /unknown member `extra`/)
  assert.match(refusal([{ ...GOOD[6], expected_version: 1 }]), /unknown member/)
  assert.match(refusal([{ ...GOOD[5], value: 1 }]), /unknown member `value`/)
  assert.match(refusal([JSON.parse('{"op":"retract","__proto__":1}')]), /missing/)
})

test('every member but the optional ones is needed', () => {
  const optional = new Set(['create.expected_version', 'increment.field'])
  for (const op of GOOD) {
    for (const member of Object.keys(op)) {
      const { [member]: _, ...rest } = op
      const isOptional = optional.has(`${op.op}.${member}`)
      assert.equal(parseDelta([rest]).ok, isOptional, `${op.op} without ${member}`)
    }
  }
})

test('an op that does not exist is refused, also when every object has a member of that name', () => {
  for (const op of ['delete', 'toString', '__proto__', '', 1, null]) {
    assert.match(refusal([{ op, ...on, value: 1 }]), /op 0: unknown op/)
  }
  assert.match(refusal([null]), /op 0: not an object/)
  assert.match(refusal([[]]), /op 0: not an object/)
  assert.match(refusal({}), /not a list/)
  assert.match(refusal(null), /not a list/)
})

test('a refusal names the op', () => {
  assert.match(refusal([...GOOD, { op: 'create' }]), /^op 8: `kind` is missing$/)
})

test('a delta has at most as many ops as the limit says', () => {
  const ops = Array.from({ length: LIMITS.deltaOps }, () => GOOD[0] ?? null)
  assert(parseDelta(ops).ok)
  assert.match(refusal([...ops, GOOD[0] ?? null]), /over 256 ops/)
})

test('a kind is an identifier', () => {
  const create = { op: 'create', id: 'x', value: 1 }
  assert(parseDelta([{ ...create, kind: 'A-z_0.9:@' }]).ok)
  for (const kind of ['', 'a b', 'a\0b', 'é', 'a/b', 1, null, 'x'.repeat(129)]) {
    assert.match(refusal([{ ...create, kind }]), /`kind` is not an identifier/)
  }
})

test('an id is any text up to its limit, without half characters', () => {
  const create = { op: 'create', kind: 'k', value: 1 }
  const longest = 'x'.repeat(LIMITS.resourceIdLength)
  for (const id of ['x', ' ', 'ö/😀', 'a\0b', longest]) {
    assert(parseDelta([{ ...create, id }]).ok, id)
  }
  for (const id of ['', '\ud800', 'a\udc00', `${longest}x`, 1, null]) {
    assert.match(refusal([{ ...create, id }]), /`id` is not a text/)
  }
})

test('a version is a whole number from 1, and for create from 0', () => {
  for (const expected_version of [0, -1, 1.5, 2 ** 53, '1', null]) {
    assert.match(refusal([{ op: 'retract', ...on, expected_version }]), /not a version/)
  }
  for (const expected_version of [-1, 0.5, 2 ** 53, '0', null]) {
    assert.match(refusal([{ op: 'create', ...on, value: 1, expected_version }]), /version or 0/)
  }
})

test('an increment is a decimal string, never a float', () => {
  for (const by of [1, '1e3', '+1', '1,5', '', '-0', 'NaN', null]) {
    assert.match(refusal([{ op: 'increment', ...on, by }]), /`by` is not a decimal string/)
  }
  for (const field of ['', 1, null, '\ud800']) {
    assert.match(refusal([{ op: 'increment', ...on, by: '1', field }]), /`field` is not a text/)
  }
})
