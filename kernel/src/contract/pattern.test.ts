import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { intersectPatterns, isEachCovered, isPatternCovering, matchPattern } from './pattern.ts'

const VALUES = ['', 'a', 'b', 'aa', 'ab', 'ba', 'aab', 'aba', 're:', 're:a']
const pattern = fc.constantFrom('a', 'b', 'aa', 'ab', 'a*', 'ab*', 'b*', '*', 're:a', 're:a+')
const engine = (expression: string, value: string): boolean =>
  new RegExp(`^(?:${expression})$`).test(value)

test('a literal matches itself only', () => {
  assert.ok(matchPattern('ETH-USD', 'ETH-USD'))
  assert.ok(!matchPattern('ETH-USD', 'ETH-USD2'))
  assert.ok(!matchPattern('ETH-USD', 'eth-usd'))
})

test('a star at the end matches every continuation, also none', () => {
  assert.ok(matchPattern('ETH-*', 'ETH-USD'))
  assert.ok(matchPattern('ETH-*', 'ETH-'))
  assert.ok(!matchPattern('ETH-*', 'ETH'))
  assert.ok(matchPattern('*', ''))
})

test('without an engine an expression matches nothing, not even itself', () => {
  assert.ok(!matchPattern('re:a', 'a'))
  assert.ok(!matchPattern('re:a', 're:a'))
  assert.ok(matchPattern('re:a', 'a', engine))
})

test('an expression is covered by itself and by everything', () => {
  assert.ok(isPatternCovering('re:a', 're:a'))
  assert.ok(isPatternCovering('*', 're:a'))
  assert.ok(!isPatternCovering('re*', 're:a'))
  assert.ok(!isPatternCovering('re:.*', 're:a'))
  assert.ok(!isPatternCovering('re:.*', 'a'))
})

test('what a covered pattern matches, its parent matches', () => {
  fc.assert(
    fc.property(pattern, pattern, (parent, child) => {
      if (!isPatternCovering(parent, child)) return
      for (const value of VALUES) {
        if (!matchPattern(child, value, engine)) continue
        assert.ok(matchPattern(parent, value, engine), `${parent} ${child} ${value}`)
      }
    }),
  )
})

test('an overlap is covered by both', () => {
  fc.assert(
    fc.property(pattern, pattern, (a, b) => {
      const both = intersectPatterns(a, b)
      assert.ok(both === undefined || (isPatternCovering(a, both) && isPatternCovering(b, both)))
    }),
  )
})

test('of literals and prefixes the overlap is all that both match', () => {
  const plain = pattern.filter((one) => !one.startsWith('re:'))
  fc.assert(
    fc.property(plain, plain, fc.constantFrom(...VALUES), (a, b, value) => {
      const both = intersectPatterns(a, b)
      const inBoth = matchPattern(a, value) && matchPattern(b, value)
      assert.equal(both !== undefined && matchPattern(both, value), inBoth)
    }),
  )
})

test('long lists are covered exactly where each of one is by one of the other', () => {
  const many = fc.array(pattern, { minLength: 0, maxLength: 4 })
  const others = Array.from({ length: 17 }, (_, i) => `other-${i}`)
  fc.assert(
    fc.property(many, many, (parents, children) => {
      const each = children.every((child) => parents.some((one) => isPatternCovering(one, child)))
      assert.equal(isEachCovered([...parents, ...others], [...children, ...others]), each)
      assert.equal(isEachCovered(parents, children), each)
    }),
  )
})

test('in a long list a prefix covers what begins with it, and no expression', () => {
  const others = Array.from({ length: 17 }, (_, i) => `other-${i}`)
  const isIn = (child: string): boolean => isEachCovered(['a*', ...others], [child, ...others])
  for (const child of ['ab', 'ab*', 'a', 'a*']) assert.ok(isIn(child), child)
  for (const child of ['b', 'b*', '*', 're:ab', 're:a*']) assert.ok(!isIn(child), child)
})
