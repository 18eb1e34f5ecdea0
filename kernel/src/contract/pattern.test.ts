import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { areCovered, matchesPattern, patternCovers, patternOverlap } from './pattern.ts'

const VALUES = ['', 'a', 'b', 'aa', 'ab', 'ba', 'aab', 'aba', 're:', 're:a']
const pattern = fc.constantFrom('a', 'b', 'aa', 'ab', 'a*', 'ab*', 'b*', '*', 're:a', 're:a+')
const engine = (expression: string, value: string): boolean =>
  new RegExp(`^(?:${expression})$`).test(value)

test('a literal matches itself only', () => {
  assert.ok(matchesPattern('ETH-USD', 'ETH-USD'))
  assert.ok(!matchesPattern('ETH-USD', 'ETH-USD2'))
  assert.ok(!matchesPattern('ETH-USD', 'eth-usd'))
})

test('a star at the end matches every continuation, also none', () => {
  assert.ok(matchesPattern('ETH-*', 'ETH-USD'))
  assert.ok(matchesPattern('ETH-*', 'ETH-'))
  assert.ok(!matchesPattern('ETH-*', 'ETH'))
  assert.ok(matchesPattern('*', ''))
})

test('without an engine an expression matches nothing, not even itself', () => {
  assert.ok(!matchesPattern('re:a', 'a'))
  assert.ok(!matchesPattern('re:a', 're:a'))
  assert.ok(matchesPattern('re:a', 'a', engine))
})

test('an expression is covered by itself and by everything', () => {
  assert.ok(patternCovers('re:a', 're:a'))
  assert.ok(patternCovers('*', 're:a'))
  assert.ok(!patternCovers('re*', 're:a'))
  assert.ok(!patternCovers('re:.*', 're:a'))
  assert.ok(!patternCovers('re:.*', 'a'))
})

test('what a covered pattern matches, its parent matches', () => {
  fc.assert(
    fc.property(pattern, pattern, (parent, child) => {
      if (!patternCovers(parent, child)) return
      for (const value of VALUES) {
        if (!matchesPattern(child, value, engine)) continue
        assert.ok(matchesPattern(parent, value, engine), `${parent} ${child} ${value}`)
      }
    }),
  )
})

test('an overlap is covered by both', () => {
  fc.assert(
    fc.property(pattern, pattern, (a, b) => {
      const both = patternOverlap(a, b)
      assert.ok(both === undefined || (patternCovers(a, both) && patternCovers(b, both)))
    }),
  )
})

test('of literals and prefixes the overlap is all that both match', () => {
  const plain = pattern.filter((one) => !one.startsWith('re:'))
  fc.assert(
    fc.property(plain, plain, fc.constantFrom(...VALUES), (a, b, value) => {
      const both = patternOverlap(a, b)
      const inBoth = matchesPattern(a, value) && matchesPattern(b, value)
      assert.equal(both !== undefined && matchesPattern(both, value), inBoth)
    }),
  )
})

test('long lists are covered exactly where each of one is by one of the other', () => {
  const many = fc.array(pattern, { minLength: 0, maxLength: 4 })
  const others = Array.from({ length: 17 }, (_, i) => `other-${i}`)
  fc.assert(
    fc.property(many, many, (parents, children) => {
      const each = children.every((child) => parents.some((one) => patternCovers(one, child)))
      assert.equal(areCovered([...parents, ...others], [...children, ...others]), each)
      assert.equal(areCovered(parents, children), each)
    }),
  )
})
