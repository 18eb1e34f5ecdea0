import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../limits.ts'
import { findHierarchyProblem, hasAncestorOrSelf } from './hierarchy.ts'

const parents = (map: Readonly<Record<string, string>>) => (agent: string) => map[agent]

/** `a0` answers to `a1`, and so on, over so many links. */
function line(links: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: links }, (_, i) => [`a${i}`, `a${i + 1}`]))
}

test('a chain that ends is fine, also at a parent that nobody deployed', () => {
  assert.equal(findHierarchyProblem('a', parents({})), null)
  assert.equal(findHierarchyProblem('a', parents({ a: 'b', b: 'c' })), null)
})

test('a circle is refused wherever it is entered', () => {
  assert.deepEqual(findHierarchyProblem('a', parents({ a: 'b', b: 'a' })), {
    problem: 'cycle',
    chain: ['a', 'b', 'a'],
  })
  assert.deepEqual(findHierarchyProblem('x', parents({ x: 'a', a: 'b', b: 'a' })), {
    problem: 'cycle',
    chain: ['x', 'a', 'b', 'a'],
  })
  assert.equal(findHierarchyProblem('a', parents({ a: 'a' }))?.problem, 'cycle')
})

test('as many links as authority may be handed down pass, and one more does not', () => {
  const { delegationDepth } = LIMITS
  assert.equal(findHierarchyProblem('a0', parents(line(delegationDepth))), null)
  const deep = findHierarchyProblem('a0', parents(line(delegationDepth + 1)))
  assert.equal(deep?.problem, 'too_deep')
  assert.equal(deep?.chain.length, delegationDepth + 2)
})

test('an agent is answered for by every one of its chain, itself and the last that may be, and by no other', () => {
  const parentOf = parents(line(LIMITS.delegationDepth + 1))
  for (let nth = 0; nth <= LIMITS.delegationDepth; nth += 1)
    assert.ok(hasAncestorOrSelf('a0', `a${nth}`, parentOf), String(nth))
  assert.ok(!hasAncestorOrSelf('a0', `a${LIMITS.delegationDepth + 1}`, parentOf))
  assert.ok(!hasAncestorOrSelf('a1', 'a0', parentOf))
  assert.ok(!hasAncestorOrSelf('a', 'c', parents({ a: 'b', b: 'a' })), 'a circle ends')
})
