import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkComposition } from './check-composition.ts'
import type { ClaimSet, ReadClaim } from './claim.ts'
import { STRATEGIES } from './strategy.ts'

const EMPTY = { writes: [], inserts: [], reads: [], redefines: [] }

function claim(key: string, parts: Partial<ClaimSet>): ClaimSet {
  return { key, artifact: 'a', ...EMPTY, ...parts }
}

function read(
  part: 'header' | 'definition',
  path: readonly string[],
  artifact?: string,
): ReadClaim {
  return { kind: 'symbol', path, part, hash: 'h', ...(artifact === undefined ? {} : { artifact }) }
}

function findProblems(one: ClaimSet, other: ClaimSet): readonly string[] {
  const check = (...sets: readonly ClaimSet[]) =>
    checkComposition(STRATEGIES.CommutativeBatch, sets)
  assert.deepEqual(check(one, other), check(other, one))
  return check(one, other).map(({ kind, path }) => `${kind} ${path.join('/')}`)
}

test('whoever relies on a definition does not compose with who changes it or what holds it', () => {
  const reader = claim('a', { reads: [read('definition', ['class:A', 'method:b'])] })
  const stale = ['READS_WHAT_CHANGES class:A/method:b']
  assert.deepEqual(
    findProblems(reader, claim('b', { redefines: [['class:A', 'method:b']] })),
    stale,
  )
  assert.deepEqual(findProblems(reader, claim('b', { redefines: [['class:A']] })), stale)
  assert.deepEqual(findProblems(reader, claim('b', { redefines: [['class:A', 'method:c']] })), [])
})

test('other members are another definition, and the same header', () => {
  const grown = claim('b', { memberships: [['interface:I']] })
  assert.deepEqual(
    findProblems(claim('a', { reads: [read('header', ['interface:I'])] }), grown),
    [],
  )
  assert.deepEqual(
    findProblems(claim('a', { reads: [read('definition', ['interface:I'])] }), grown),
    ['READS_WHAT_CHANGES interface:I'],
  )
  const member = claim('a', { reads: [read('definition', ['interface:I', 'method:b'])] })
  assert.deepEqual(findProblems(member, grown), [])
})

test('what is read of another artifact is stale when that one changes, and no other', () => {
  const reader = claim('a', { reads: [read('definition', ['function:f'], 'b')] })
  const redefines = [['function:f']]
  assert.deepEqual(findProblems(reader, claim('b', { artifact: 'b', redefines })), [
    'READS_WHAT_CHANGES function:f',
  ])
  assert.deepEqual(findProblems(reader, claim('b', { redefines })), [])
  assert.deepEqual(findProblems(reader, claim('b', { artifact: 'c', redefines })), [])
})

test('an export whose artifact nobody named is for the project to judge', () => {
  const reads: readonly ReadClaim[] = [{ kind: 'export', from: './b.ts', name: 'f' }]
  const writer = claim('b', { artifact: 'b', redefines: [['function:f']] })
  assert.deepEqual(findProblems(claim('a', { reads }), writer), [])
})

test('what overlaps in different artifacts does not overlap', () => {
  const writes = [{ path: ['function:f'], part: 'body' }] as const
  assert.deepEqual(findProblems(claim('a', { writes }), claim('b', { artifact: 'b', writes })), [])
})
