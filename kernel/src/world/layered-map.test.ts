import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LayeredMap } from './layered-map.ts'

test('a copy and its origin are maps of their own, however they are set, cleared and copied', () => {
  const step = fc.record({ of: fc.nat(7), key: fc.nat(9), what: fc.nat(3), value: fc.nat(99) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const pairs = [{ layered: new LayeredMap<number>(), plain: new Map<string, number>() }]
      for (const { of, key, what, value } of steps) {
        const pair = pairs[of % pairs.length]
        assert(pair !== undefined)
        const { layered, plain } = pair
        const name = String(key)
        if (what === 0) pairs.push({ layered: layered.copy(), plain: new Map(plain) })
        else if (what === 1) {
          layered.delete(name)
          plain.delete(name)
        } else {
          layered.set(name, value)
          plain.set(name, value)
        }
      }
      for (const { layered, plain } of pairs) {
        for (let key = 0; key < 10; key += 1)
          assert.equal(layered.get(String(key)), plain.get(String(key)))
        const sorted = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b)
        assert.deepEqual(sorted(layered.values()), sorted(plain.values()))
      }
    }),
  )
})

test('copying a large map again and again does not copy what is in it', () => {
  const map = new LayeredMap<number>()
  for (let i = 0; i < 20_000; i += 1) map.set(`large ${i}`, i)
  const copies = Array.from({ length: 20_000 }, (_, i) => {
    const copy = map.copy()
    copy.set('own', i)
    return copy
  })
  assert.equal(copies[7]?.get('own'), 7)
  assert.equal(copies[7]?.get('large 19999'), 19_999)
  assert.equal(map.get('own'), undefined)
})
