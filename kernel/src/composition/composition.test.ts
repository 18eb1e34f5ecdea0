import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkComposition } from './check-composition.ts'
import type { ClaimSet, InsertClaim, SymbolPath, WrittenPart } from './claim.ts'
import { COMPOSITION_LIMITS } from './limits.ts'
import { isOverlappingInsert, isOverlappingWrite, isSamePath, isWithinPath } from './overlap.ts'
import type { CompositionProblem } from './problem.ts'
import { STRATEGIES, type StrategyName, type StrategyTree } from './strategy.ts'

const EMPTY = { artifact: 'x', writes: [], inserts: [], reads: [], redefines: [] }

function claim(key: string, more: Partial<ClaimSet> = {}): ClaimSet {
  return { ...EMPTY, key, ...more }
}

function write(path: string, part: WrittenPart = 'body'): Pick<ClaimSet, 'writes'> {
  return { writes: [{ path: toPath(path), part }] }
}

function insert(path: string, order: InsertClaim['order'] = 'free'): Pick<ClaimSet, 'inserts'> {
  const segments = toPath(path)
  return {
    inserts: [{ container: segments.slice(0, -1), segment: segments.at(-1) ?? '', order }],
  }
}

function read(path: string, part: 'header' | 'definition' = 'definition'): Pick<ClaimSet, 'reads'> {
  return { reads: [{ kind: 'symbol', path: toPath(path), part, hash: 'sha256:00' }] }
}

function toPath(path: string): SymbolPath {
  return path === '' ? [] : path.split('/')
}

function check(strategy: StrategyTree | StrategyName, ...sets: readonly ClaimSet[]): string {
  const tree = typeof strategy === 'string' ? STRATEGIES[strategy] : strategy
  return checkComposition(tree, sets)
    .map(({ kind }) => kind)
    .join(' ')
}

const NAMES = ['SingleWriter', 'CommutativeBatch', 'Ordered', 'Hybrid'] as const

/** Of two authors, without an order and with two; `-`: composed. */
const TABLE: readonly (readonly [
  title: string,
  one: Partial<ClaimSet>,
  other: Partial<ClaimSet>,
  unordered: readonly [single: string, commutative: string, hybrid: string],
  ordered: string,
])[] = [
  ['apart', write('a'), write('b'), ['-', '-', '-'], '-'],
  ['one part of one symbol', write('a'), write('a'), ['O', 'O', 'O'], '-'],
  ['two parts of one symbol', write('a'), write('a', 'name'), ['O', 'O', '-'], '-'],
  ['a part and what lies below', write('a'), write('a/b'), ['O', '-', '-'], '-'],
  ['a subtree and what lies in it', write('a', 'subtree'), write('a/b'), ['O', 'O', 'O'], '-'],
  ['a subtree and its own part', write('a', 'subtree'), write('a'), ['O', 'O', 'O'], '-'],
  ['names that begin alike', write('a', 'subtree'), write('ab'), ['-', '-', '-'], '-'],
  ['into what is taken away', write('a', 'subtree'), insert('a/b'), ['O', 'O', 'O'], '-'],
  ['into what is below it', write('a', 'subtree'), insert('a/b/c'), ['O', 'O', 'O'], '-'],
  ['into a value that is set', write('a', 'value'), insert('a/b'), ['O', 'O', 'O'], '-'],
  ['into a container whose body is written', write('a'), insert('a/b'), ['-', '-', '-'], '-'],
  ['a name and a write of it', write('a/b'), insert('a/b'), ['O', 'O', 'O'], '-'],
  ['one name twice', insert('a/b'), insert('a/b'), ['N', 'N', 'N'], 'N'],
  ['two names', insert('a/b'), insert('a/c'), ['-', '-', '-'], '-'],
  ['two fixed ones', insert('a/b', 'fixed'), insert('a/c', 'fixed'), ['C', 'CCC', 'CCC'], '-'],
  ['a fixed and a free one', insert('a/b', 'fixed'), insert('a/c'), ['-', 'C', 'C'], '-'],
  [
    'fixed ones of two containers',
    insert('a/b', 'fixed'),
    insert('d/c', 'fixed'),
    ['-', 'CC', 'CC'],
    '-',
  ],
  ['a caller and a new signature', read('a'), { redefines: [['a']] }, ['R', 'R', 'R'], 'R'],
  ['a caller and a new holder', read('a/b'), { redefines: [['a']] }, ['R', 'R', 'R'], 'R'],
  ['a caller of the holder', read('a'), { redefines: [['a', 'b']] }, ['-', '-', '-'], '-'],
  ['a definition and new members', read('a'), { memberships: [['a']] }, ['R', 'R', 'R'], 'R'],
  ['a header and new members', read('a', 'header'), { memberships: [['a']] }, ['-', '-', '-'], '-'],
  [
    'a symbol that both redefine from elsewhere',
    { redefines: [['a']] },
    { redefines: [['a']] },
    ['C', 'C', 'C'],
    '-',
  ],
  [
    'a body and the header it was written for',
    { ...write('a'), ...read('a') },
    { ...write('a', 'signature'), redefines: [['a']] },
    ['OR', 'OR', 'R'],
    '-',
  ],
]

const LETTERS: Readonly<Record<string, string>> = {
  OVERLAPPING_WRITES: 'O',
  NAME_CLAIMED_TWICE: 'N',
  NOT_COMMUTATIVE: 'C',
  READS_WHAT_CHANGES: 'R',
}

function toLetters(problems: readonly CompositionProblem[]): string {
  const letters = problems.map(({ kind }) => LETTERS[kind] ?? kind).sort()
  return letters.length === 0 ? '-' : letters.join('')
}

test('what two authors may do beside each other, by strategy', () => {
  for (const [title, one, other, [single, commutative, hybrid], ordered] of TABLE) {
    const expected = {
      SingleWriter: single,
      CommutativeBatch: commutative,
      Hybrid: hybrid,
    } as const
    for (const name of ['SingleWriter', 'CommutativeBatch', 'Hybrid'] as const) {
      const sets = [claim('1', one), claim('2', other)]
      const wanted = expected[name].split('').sort().join('')
      assert.equal(toLetters(checkComposition(STRATEGIES[name], sets)), wanted, `${title}: ${name}`)
    }
    for (const name of ['Ordered', 'Hybrid'] as const) {
      const sets = [claim('1', { ...one, order: 1 }), claim('2', { ...other, order: 2 })]
      assert.equal(
        toLetters(checkComposition(STRATEGIES[name], sets)),
        ordered,
        `${title}: ${name}`,
      )
    }
  }
})

test('an order is there where one is asked for, once, and nowhere else', () => {
  const [one, other] = [write('a'), write('b')]
  assert.equal(check('Ordered', claim('1', one)), 'ORDER_MISSING')
  assert.equal(check('SingleWriter', claim('1', { ...one, order: 1 })), 'ORDER_NOT_ALLOWED')
  assert.equal(check('CommutativeBatch', claim('1', { ...one, order: 1 })), 'ORDER_NOT_ALLOWED')
  const twins = [claim('1', { ...one, order: 4 }), claim('2', { ...other, order: 4 })]
  for (const name of ['Ordered', 'Hybrid'] as const) {
    assert.equal(check(name, ...twins), 'ORDER_TWICE')
    const [, twin] = twins
    const apart = { ...(twin ?? claim('2')), artifact: 'y' }
    assert.equal(check(name, claim('1', { ...one, order: 4 }), apart), '')
  }
})

test('those with an order and those without do not write over each other', () => {
  const [one, other] = [claim('1', { ...write('a'), order: 3 }), claim('2', write('a'))]
  const [problem, ...more] = checkComposition(STRATEGIES.Hybrid, [other, one])
  assert.deepEqual(more, [])
  assert.equal(problem?.kind, 'ORDERED_AND_UNORDERED')
  assert.deepEqual(problem?.fixes, [{ kind: 'set_order', key: '2', order: 4 }])
})

test('the innermost container that names a strategy decides, and what crosses two satisfies both', () => {
  const within = [{ path: ['a'], strategy: STRATEGIES.Ordered }]
  const tree = { ...STRATEGIES.SingleWriter, within }
  assert.equal(check(tree, claim('1', write('b')), claim('2', write('c'))), '')
  assert.equal(check(tree, claim('1', write('a/b'))), 'ORDER_MISSING')
  assert.equal(check(tree, claim('1', { ...write('a/b'), order: 1 })), '')
  const both = [
    claim('1', { ...write('a/b'), order: 1 }),
    claim('2', { ...write('a/b'), order: 2 }),
  ]
  assert.equal(check(tree, ...both), '')
  // The container itself is a member of what holds it.
  assert.equal(check(tree, claim('1', write('a'))), '')
  // All of it is under both: one asks for an order, the other has none.
  assert.equal(check(tree, claim('1', write('a', 'subtree'))), 'ORDER_MISSING')
  assert.equal(check(tree, claim('1', { ...write('a', 'subtree'), order: 1 })), 'ORDER_NOT_ALLOWED')
  const inner = { path: ['a', 'b'], strategy: STRATEGIES.SingleWriter }
  const deeper = { ...tree, within: [...within, inner] }
  assert.equal(check(deeper, claim('1', write('a/b/c')), claim('2', insert('a/b/d'))), '')
  assert.equal(check(deeper, claim('1', insert('a/d'))), 'ORDER_MISSING')
  const elsewhere = { ...STRATEGIES.SingleWriter, within: [{ ...inner, artifact: 'y' }] }
  assert.equal(check(elsewhere, claim('1', { ...write('a/b/c'), order: 1 })), 'ORDER_NOT_ALLOWED')
})

test('a part above is in the way where either of the two strategies goes by subtrees', () => {
  const within = [{ path: ['a'], strategy: STRATEGIES.CommutativeBatch }]
  const sets = [claim('1', write('a', 'signature')), claim('2', write('a/b'))]
  assert.equal(check({ ...STRATEGIES.SingleWriter, within }, ...sets), 'OVERLAPPING_WRITES')
  assert.equal(check('CommutativeBatch', ...sets), '')
})

test('what one author claims of two artifacts is no conflict, and a read may be of another artifact', () => {
  const one = claim('1', { redefines: [['a']] })
  const reads = [
    { kind: 'symbol', artifact: 'x', path: ['a'], part: 'definition', hash: '' },
  ] as const
  assert.equal(check('SingleWriter', one, claim('1', { artifact: 'y', reads })), '')
  assert.equal(
    check('SingleWriter', one, claim('2', { artifact: 'y', reads })),
    'READS_WHAT_CHANGES',
  )
  assert.equal(
    check('SingleWriter', claim('1', write('a')), claim('2', { ...write('a'), artifact: 'y' })),
    '',
  )
  assert.equal(
    check('SingleWriter', claim('1', write('a')), claim('1', write('a', 'name'))),
    'OVERLAPPING_WRITES',
  )
})

test('a problem says where, between which claims, and what can be done', () => {
  const [twice] = checkComposition(STRATEGIES.SingleWriter, [
    claim('2', insert('a/method:b')),
    claim('1', insert('a/method:b')),
    claim('3', insert('a/method:b2')),
  ])
  assert.deepEqual(twice, {
    kind: 'NAME_CLAIMED_TWICE',
    between: ['1', '2'],
    artifact: 'x',
    path: ['a', 'method:b'],
    claims: [
      { key: '1', claim: 'insert', path: ['a', 'method:b'] },
      { key: '2', claim: 'insert', path: ['a', 'method:b'] },
    ],
    fixes: [{ kind: 'rename', key: '2', path: ['a', 'method:b'], to: 'method:b3' }],
  })
  const [stale] = checkComposition(STRATEGIES.SingleWriter, [
    claim('1', read('a')),
    claim('2', { redefines: [['a']] }),
  ])
  assert.deepEqual(stale?.fixes, [{ kind: 'put_first', first: '2', next: '1' }])
  const [missing] = checkComposition(STRATEGIES.Ordered, [
    claim('1', { ...write('a'), order: 7 }),
    claim('2', write('b')),
  ])
  assert.deepEqual(missing?.fixes, [{ kind: 'set_order', key: '2', order: 8 }])
})

test('what is claimed, how deep, and how much is answered has a limit', () => {
  const deep = Array.from({ length: COMPOSITION_LIMITS.segments + 1 }, () => 's')
  const at = (path: SymbolPath): ClaimSet => claim('1', { writes: [{ path, part: 'body' }] })
  assert.equal(check('SingleWriter', at(deep.slice(1))), '')
  assert.equal(check('SingleWriter', at(deep)), 'TOO_MUCH_CLAIMED')
  assert.equal(check('SingleWriter', claim('1', { redefines: [deep] })), 'TOO_MUCH_CLAIMED')
  const many = Array.from({ length: COMPOSITION_LIMITS.sets + 1 }, (_, i) => claim(`${i}`))
  assert.equal(check('SingleWriter', ...many), 'TOO_MUCH_CLAIMED')
  assert.equal(check('SingleWriter', ...many.slice(1)), '')
  const same = many.slice(0, 400).map((set) => ({ ...set, ...write('a') }))
  const problems = checkComposition(STRATEGIES.SingleWriter, same)
  assert.equal(problems.length, COMPOSITION_LIMITS.problems)
})

test('of more problems than are reported, the same are reported whatever came first', () => {
  const several = (parts: (i: number) => Partial<ClaimSet>): readonly ClaimSet[] =>
    Array.from({ length: 400 }, (_, i) => claim(`${i}`, parts(i)))
  const cases: readonly (readonly ClaimSet[])[] = [
    [claim('w', { redefines: [['a']] }), ...several(() => read('a'))],
    several(() => ({ redefines: [['a']] })),
    several(() => insert('a/b')),
    several((i) => insert(`a/b${i}`, 'fixed')),
    [claim('w', write('a', 'subtree')), ...several((i) => insert(`a/b${i}`))],
    [claim('w', write('a', 'subtree')), ...several((i) => write(`a/b${i}`))],
    [
      claim('w', { writes: several((i) => write(`a/b${i}`)).flatMap((set) => set.writes) }),
      claim('v', write('a', 'subtree')),
    ],
  ]
  for (const sets of cases) {
    const found = checkComposition(STRATEGIES.SingleWriter, sets)
    assert.equal(found.length, COMPOSITION_LIMITS.problems)
    assert.deepEqual(checkComposition(STRATEGIES.SingleWriter, sets.toReversed()), found)
  }
})

test('a member follows into the container whose header was changed before it, by an order', () => {
  const header = { ...write('a', 'signature'), redefines: [['a']], order: 1 }
  const member = { ...insert('a/b'), ...read('a', 'header'), order: 2 }
  assert.equal(check('Ordered', claim('1', header), claim('2', member)), '')
  const loose = claim('1', { ...write('a', 'signature'), redefines: [['a']] })
  assert.equal(check('Hybrid', loose, claim('2', member)), 'READS_WHAT_CHANGES')
})

const PATH = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
const CLAIMS: fc.Arbitrary<readonly ClaimSet[]> = fc.array(
  fc.record({
    key: fc.constantFrom('1', '2', '3', '4', '5'),
    artifact: fc.constantFrom('x', 'y'),
    writes: fc.array(
      fc.record({
        path: PATH,
        part: fc.constantFrom<WrittenPart>('subtree', 'body', 'signature', 'name', 'value'),
      }),
      { maxLength: 3 },
    ),
    inserts: fc.array(
      fc.record({
        container: PATH,
        segment: fc.constantFrom('a', 'd', 'e'),
        order: fc.constantFrom<InsertClaim['order']>('free', 'fixed'),
      }),
      { maxLength: 3 },
    ),
    reads: fc.array(
      fc.record({
        kind: fc.constant<'symbol'>('symbol'),
        path: PATH,
        part: fc.constantFrom<'header' | 'definition'>('header', 'definition'),
        hash: fc.constant(''),
      }),
      { maxLength: 2 },
    ),
    redefines: fc.array(PATH, { maxLength: 2 }),
    memberships: fc.array(PATH, { maxLength: 2 }),
  }),
  { maxLength: 5 },
)

const TREE: fc.Arbitrary<StrategyTree> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    within: fc.array(fc.record({ path: PATH, name: fc.constantFrom(...NAMES) }), { maxLength: 2 }),
  })
  .map(({ name, within }) => ({
    ...STRATEGIES[name],
    within: within.map((one) => ({ path: one.path, strategy: STRATEGIES[one.name] })),
  }))

test('the answer does not depend on the order of claims (C3)', () => {
  fc.assert(
    fc.property(
      CLAIMS,
      TREE,
      fc.array(fc.nat(20), { minLength: 5, maxLength: 5 }),
      (sets, tree, picks) => {
        const turned = sets
          .map((set, i) => ({ set, at: picks[i] ?? 0 }))
          .sort((a, b) => a.at - b.at)
          .map(({ set }) => ({
            ...set,
            writes: set.writes.toReversed(),
            inserts: set.inserts.toReversed(),
            reads: set.reads.toReversed(),
            redefines: set.redefines.toReversed(),
          }))
        assert.deepEqual(checkComposition(tree, turned), checkComposition(tree, sets))
      },
    ),
    { seed: 18, numRuns: 400 },
  )
})

test('the index finds exactly the pairs that comparing all with all finds', () => {
  fc.assert(
    fc.property(
      CLAIMS,
      fc.constantFrom('SingleWriter', 'CommutativeBatch', 'Hybrid'),
      (drawn, name) => {
        const sets = drawn.map((set, i) => ({ ...set, key: `${i}` }))
        const strategy = STRATEGIES[name]
        const wanted = new Set<string>()
        for (const [i, one] of sets.entries())
          for (const [j, other] of sets.entries()) {
            if (i === j || one.artifact !== other.artifact) continue
            const between = [`${Math.min(i, j)}`, `${Math.max(i, j)}`].join()
            for (const mine of one.writes)
              for (const theirs of other.writes)
                if (isOverlappingWrite(mine, theirs, strategy.granularity))
                  wanted.add(`O ${between}`)
            for (const mine of one.inserts) {
              for (const theirs of other.writes)
                if (isOverlappingInsert(mine, theirs)) wanted.add(`O ${between}`)
              for (const theirs of other.inserts) {
                if (!isSamePath(mine.container, theirs.container)) continue
                if (mine.segment === theirs.segment) wanted.add(`N ${between}`)
              }
            }
            for (const read of one.reads) {
              if (read.kind !== 'symbol') continue
              const { path, part } = read
              const isChanged =
                other.redefines.some((changed) => isWithinPath(path, changed)) ||
                (part === 'definition' && other.memberships?.some((held) => isSamePath(held, path)))
              if (isChanged) wanted.add(`R ${between}`)
            }
          }
        const found = checkComposition(strategy, sets)
          .filter(({ kind }) => kind !== 'NOT_COMMUTATIVE')
          .map(({ kind, between }) => `${LETTERS[kind]} ${between.join()}`)
        assert.deepEqual([...new Set(found)].sort(), [...wanted].sort())
      },
    ),
    { seed: 19, numRuns: 600 },
  )
})
