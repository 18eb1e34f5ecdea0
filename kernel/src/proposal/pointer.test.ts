import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import {
  convertDottedName,
  formatPointer,
  isConcretePointer,
  parsePointer,
  resolvePointer,
} from './pointer.ts'

/** Each place as its pointer and what stands there. */
function places(params: JsonObject, text: string): readonly (readonly unknown[])[] {
  return resolvePointer(params, text).map((place) =>
    place.kind === 'found' ? [place.pointer, place.value] : [place.pointer, `(${place.kind})`],
  )
}

test('a pointer is read as RFC 6901 has it, and is written back the same', () => {
  const pointers = {
    '/a': ['a'],
    '/a/0/b': ['a', '0', 'b'],
    '/~0/~1x~01': ['~', '/x~1'],
    '/': [''],
  }
  for (const [text, names] of Object.entries(pointers)) {
    assert.deepEqual(parsePointer(text), names)
    assert.equal(formatPointer(names), text)
  }
})

test('what is no pointer to a parameter is not read as one', () => {
  for (const text of ['', 'a', 'a.b', 'a/b', '/~', '/~2', '/a~', '/__proto__', '/a/constructor'])
    assert.equal(parsePointer(text), undefined, text)
  const longest = `/${'a'.repeat(LIMITS.pointerLength - 1)}`
  assert.notEqual(parsePointer(longest), undefined)
  assert.equal(parsePointer(`${longest}a`), undefined)
})

test('it leads to a member, and a name that looks like a path is only a name', () => {
  const params = { to: { account: 'A' }, 'to.account': 'B', '/to/account': 'C', 'a/b~': 'D' }
  assert.deepEqual(places(params, '/to/account'), [['/to/account', 'A']])
  assert.deepEqual(places(params, '/to.account'), [['/to.account', 'B']])
  assert.deepEqual(places(params, '/a~1b~0'), [['/a~1b~0', 'D']])
})

test('a star is each element, and every place has its own pointer', () => {
  const params = { pay: [{ to: ['A', 'B'] }, { to: [] }, { to: ['C'] }, {}] }
  assert.deepEqual(places(params, '/pay/*/to/*'), [
    ['/pay/0/to/0', 'A'],
    ['/pay/0/to/1', 'B'],
    ['/pay/2/to/0', 'C'],
    ['/pay/3/to/*', '(absent)'],
  ])
  assert.deepEqual(places(params, '/pay/2/to/0'), [['/pay/2/to/0', 'C']])
  assert.deepEqual(places({ pay: [] }, '/pay/*'), [])
})

test('what is missing is absent, and what stands in the way is not overlooked', () => {
  assert.deepEqual(places({}, '/a/b'), [['/a/b', '(absent)']])
  assert.deepEqual(places({ a: null }, '/a/b'), [['/a/b', '(absent)']])
  assert.deepEqual(places({ a: null }, '/a'), [['/a', null]])
  for (const index of ['1', '123456789'])
    assert.deepEqual(places({ a: [1] }, `/a/${index}`), [[`/a/${index}`, '(absent)']])
  assert.deepEqual(places({ a: 'text' }, '/a/length'), [['/a/length', '(blocked)']])
  for (const name of ['b', '00', '01', '-', '1x', '1234567890'])
    assert.deepEqual(places({ a: [1] }, `/a/${name}`), [[`/a/${name}`, '(blocked)']])
  assert.deepEqual(places({ a: [1] }, '/a/b/c'), [['/a/b/c', '(blocked)']])
  assert.deepEqual(places({ a: { 0: 1, '*': 2 } }, '/a/*'), [['/a/*', '(blocked)']])
  assert.deepEqual(places({ a: 1 }, 'a'), [['a', '(blocked)']])
  assert.deepEqual(places({}, '/toString'), [['/toString', '(absent)']])
})

test('one place is named without a star, and a dotted name is told its pointer', () => {
  assert.equal(isConcretePointer('/a/0'), true)
  assert.equal(isConcretePointer('/a/*'), false)
  assert.equal(isConcretePointer('a'), false)
  assert.equal(convertDottedName('to.account'), '/to/account')
})

test('an empty name is no element of a list', () => {
  assert.deepEqual(places({ list: [7] }, '/list/'), [['/list/', '(blocked)']])
  assert.deepEqual(places({ list: [7] }, '/list/0'), [['/list/0', 7]])
})
