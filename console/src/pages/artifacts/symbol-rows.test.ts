import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArtifactPlan, ArtifactSymbol } from 'rubicon-agents/client'
import {
  buildSymbolRows,
  type KnownSymbol,
  listClaims,
  listMarks,
  mergeKnownSymbols,
  toKnownSymbols,
  toSymbolPath,
} from './symbol-rows.ts'

function symbol(path: string, children = 0): ArtifactSymbol {
  const [kind = '', name = ''] = (path.split('/').at(-1) ?? '').split(':')
  const definition_hash = `sha256:${path}`
  return { path, kind, name, children, definition_hash, lines: [1, 1], order: 'free' }
}

const EARLY = [
  symbol('class:A', 2),
  symbol('class:A/method:one'),
  symbol('class:A/method:gone'),
  symbol('class:B', 0),
]
const LATE = [
  symbol('import:log'),
  symbol('class:A', 2),
  symbol('class:A/method:zero'),
  symbol('class:A/method:one'),
  symbol('class:B', 0),
  symbol('function:last'),
]

function pathsOf(rows: readonly Pick<KnownSymbol, 'path'>[]): readonly string[] {
  return rows.map(({ path }) => path)
}

test('levels follow from how many symbols each holds', () => {
  const deep = [symbol('a:1', 1), symbol('a:1/b:2', 1), symbol('a:1/b:2/c:3'), symbol('d:4')]
  assert.deepEqual(
    toKnownSymbols(deep).map(({ level }) => level),
    [1, 2, 3, 1],
  )
})

test('rows that are known stay in their order, and others come where they stand among them', () => {
  const late = toKnownSymbols(LATE)
  const both = mergeKnownSymbols(late, toKnownSymbols(EARLY))
  assert.deepEqual(pathsOf(both), [
    'import:log',
    'class:A',
    'class:A/method:zero',
    'class:A/method:one',
    'class:A/method:gone',
    'class:B',
    'function:last',
  ])
  assert.equal(mergeKnownSymbols(both, late), both)
  assert.equal(mergeKnownSymbols([], late), late)
  assert.deepEqual(pathsOf(mergeKnownSymbols(toKnownSymbols(EARLY), late)), [
    'import:log',
    'class:A',
    'class:A/method:zero',
    'class:A/method:one',
    'class:A/method:gone',
    'class:B',
    'function:last',
  ])
})

test('what is not there at a moment keeps its row, and what is folded away is counted', () => {
  const known = mergeKnownSymbols(toKnownSymbols(LATE), toKnownSymbols(EARLY))
  const marks = listMarks({
    added: [{ kind: 'method', path: 'class:A/method:zero', was: null, parts: [], lines: [1, 1] }],
    ...{ removed: [], changed: [], renamed: [], moved: [] },
  })
  const claims = new Map([['class:A/method:one', ['ann']]])
  const given = { known, symbols: LATE, marks, claims }
  const rows = buildSymbolRows({ ...given, folded: new Set() })
  assert.deepEqual(
    rows.map(({ path, symbol: found, mark }) => [path, found !== null, mark]),
    [
      ['import:log', true, null],
      ['class:A', true, null],
      ['class:A/method:zero', true, 'added'],
      ['class:A/method:one', true, null],
      ['class:A/method:gone', false, null],
      ['class:B', true, null],
      ['function:last', true, null],
    ],
  )
  assert.deepEqual(rows[3]?.plannedBy, ['ann'])
  const folded = buildSymbolRows({ ...given, folded: new Set(['class:A', 'class:B']) })
  assert.deepEqual(
    folded.map(({ path, isFolded, markedInside }) => [path, isFolded, markedInside]),
    [
      ['import:log', false, 0],
      ['class:A', true, 1],
      ['class:B', false, 0],
      ['function:last', false, 0],
    ],
  )
})

test('a name of a symbol is read back, unless it is of another artifact', () => {
  assert.equal(toSymbolPath('src/a.ts class:A', 'src/a.ts'), 'class:A')
  assert.equal(toSymbolPath('src/a.ts', 'src/a.ts'), '')
  assert.equal(toSymbolPath('src/a.tsx class:A', 'src/a.ts'), null)
})

test('only plans that are open claim symbols, each of an agent once', () => {
  const plan = (by: string, expired: boolean, symbols: readonly string[]): ArtifactPlan => ({
    ...{ plan: 'sha256:0', by, expired, symbols, until: '', what: 'changes', summary: '' },
    artifacts: [{ name: 'src/a.ts', base: 'sha256:1' }],
    entry: { seq: 1, id: 'sha256:2', at: '', dfid: null },
  })
  const claims = listClaims(
    [
      plan('ann', false, ['src/a.ts class:A', 'src/b.ts class:B']),
      plan('ann', false, ['src/a.ts class:A']),
      plan('bob', true, ['src/a.ts class:A']),
    ],
    'src/a.ts',
  )
  assert.deepEqual([...claims], [['class:A', ['ann']]])
})
