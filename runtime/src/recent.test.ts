import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Recent } from './recent.ts'

test('what is asked for again and again stays, however many others come', () => {
  const recent = new Recent<number>(4)
  recent.set('kept', 1)
  for (let i = 0; i < 100; i += 1) {
    recent.set(`other ${i}`, i)
    assert.equal(recent.get('kept'), 1)
  }
})

test('no more is known than may be, and what nobody asked for is gone', () => {
  const recent = new Recent<number>(4)
  const names = Array.from({ length: 9 }, (_, i) => `n${i}`)
  for (const [i, name] of names.entries()) recent.set(name, i)
  const known = names.filter((name) => recent.get(name) !== undefined)
  assert.ok(known.length <= 4 && known.includes('n8'))
  assert.equal(recent.get('n0'), undefined)
})

test('a name that is set again has its new value, also where the old one was old already', () => {
  const recent = new Recent<number>(4)
  for (const [i, name] of ['a', 'b', 'c', 'd'].entries()) recent.set(name, i)
  recent.set('a', 7)
  assert.equal(recent.get('a'), 7)
  for (const name of ['e', 'f']) recent.set(name, 0)
  assert.equal(recent.get('a'), 7)
})
