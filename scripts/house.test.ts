/** The bad sample of every figure is counted, and what is fine is not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summariseHouse } from './house/bars.ts'
import { findCircles } from './house/circles.ts'
import { measureHouse } from './house/measure.ts'
import { listFunctionNames } from './house/names.ts'
import { readSources } from './house/sources.ts'
import { hasLeadingVerb } from './house/verbs.ts'

test('a circle is found however long it is, and a way that only meets again is none', () => {
  const graph = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
    ['d', ['e']],
    ['e', ['f']],
    ['f', ['d']],
    ['g', ['h']],
    ['h', ['g', 'a']],
  ])
  assert.deepEqual(findCircles(graph), [
    ['d', 'e', 'f'],
    ['g', 'h'],
  ])
})

test('every kind of function is named, and nothing else', () => {
  const text = `
export async function openFlow(): Promise<void> {
  if (ready(1)) return
  const closeFlow = async (at: number): Promise<void> => { await at }
  const sum = (1 + 2) * 3
  const called = call((value) => value)
}
function* walk<T>(rows: T): Generator<T> {}
const single = value => value
const typed = <T>(value: T): { a: T } => ({ a: value })
class Store {
  constructor(private readonly rows: Rows) {}
  get size(): number { return 1 }
  async #read(key: string): Promise<{ a: number }> {
    for (const row of rows(key)) return row
  }
}
const port = {
  append(
    entry: Entry,
  ): void {},
}
type Port = { close(): void }
// function inComment() {}
`
  assert.deepEqual(
    listFunctionNames(text)
      .map(({ name, line }) => `${name}:${line}`)
      .sort(),
    ['append:19', 'closeFlow:4', 'openFlow:2', 'read:14', 'single:9', 'typed:10', 'walk:8'],
  )
})

test('a verb comes first; a word that is a noun as often needs an object', () => {
  for (const name of ['openFlow', 'isBlank', 'toText', 'requestApproval', 'sign', '_read']) {
    assert.equal(hasLeadingVerb(name), true, name)
  }
  for (const name of ['misfit', 'flowOf', 'requestOf', 'strayed', 'asked', 'openingOf']) {
    assert.equal(hasLeadingVerb(name), false, name)
  }
})

test('what the bars forbid is counted once, with its place', () => {
  const house = measureHouse(
    new Map([
      ['runtime/src/engine/a.ts', "import { b } from './rows/b.ts'\nexport function a() {}\n"],
      ['runtime/src/engine/rows/b.ts', "import type { A } from '../a.ts'\nexport type Row = 1\n"],
      ['runtime/src/engine/rows/c.ts', "import { d } from './d.ts'\nexport type Row = 2\n"],
      [
        'runtime/src/engine/rows/d.ts',
        "import { c } from './c.ts'\nconst x = y as unknown as Z\nfunction parseX() {\n  return y as unknown as Z\n}\n",
      ],
      ['verifier/src/index.ts', "export { e } from './e.ts'\n"],
      ['verifier/src/browser.ts', "export { e } from './e.ts'\n"],
      ['verifier/src/e.ts', 'export const e = 1\n'],
      ['kernel/src/row.ts', "const later = () => import('./lazy.ts')\nexport type Row = 3\n"],
      ['kernel/src/lazy.ts', "import { later } from './row.ts'\n"],
    ]),
  )
  const { circles, loose, names_without_verb, duplicate_type_names, casts } = house
  assert.deepEqual(circles, {
    value: [['runtime/src/engine/rows/c.ts', 'runtime/src/engine/rows/d.ts']],
    type_across_rooms: [['runtime/src/engine/a.ts', 'runtime/src/engine/rows/b.ts']],
  })
  assert.deepEqual(loose, {
    'runtime/src/engine': ['runtime/src/engine/a.ts'],
    'server/src/http': [],
    // Entrances for other packages are no loose files.
    'verifier/src': ['verifier/src/e.ts'],
  })
  assert.deepEqual(names_without_verb, ['runtime/src/engine/a.ts:2 a', 'kernel/src/row.ts:1 later'])
  assert.deepEqual(duplicate_type_names, [
    'runtime Row: runtime/src/engine/rows/b.ts, runtime/src/engine/rows/c.ts',
  ])
  assert.deepEqual(casts, ['runtime/src/engine/rows/d.ts:2'])
})

/** A file that breaks nothing, with enough functions that one more without a verb can be afforded. */
const FINE: readonly (readonly [string, string])[] = [
  ['kernel/src/fine.ts', 'export function readRow(): void {}\n'.repeat(100)],
]
const LOOSE = [1, 2, 3, 4, 5, 6].map((n) => [`server/src/http/f${n}.ts`, ''] as const)

/** What breaks a bar, the bar, and the same within it. */
const BROKEN: readonly {
  readonly bar: string
  readonly bad: readonly (readonly [string, string])[]
  readonly good: readonly (readonly [string, string])[]
}[] = [
  {
    bar: 'circles of values',
    bad: [
      ['kernel/src/a.ts', "import { b } from './b.ts'\n"],
      ['kernel/src/b.ts', "import { a } from './a.ts'\n"],
    ],
    good: [
      ['kernel/src/a.ts', "import { b } from './b.ts'\n"],
      ['kernel/src/b.ts', "import type { A } from './a.ts'\n"],
    ],
  },
  {
    bar: 'circles of types across folders',
    bad: [
      ['kernel/src/a.ts', "import { b } from './room/b.ts'\n"],
      ['kernel/src/room/b.ts', "import type { A } from '../a.ts'\n"],
    ],
    good: [
      ['kernel/src/a.ts', "import { b } from './room/b.ts'\n"],
      ['kernel/src/room/b.ts', "import type { C } from '../c.ts'\n"],
    ],
  },
  {
    bar: 'loose files in server/src/http',
    bad: [...LOOSE, ['server/src/http/f7.ts', '']],
    good: LOOSE,
  },
  {
    bar: 'names without a verb',
    bad: [
      ['kernel/src/a.ts', 'function misfit() {}\nfunction strayed() {}\nfunction asked() {}\n'],
    ],
    good: [['kernel/src/a.ts', 'function misfit() {}\nfunction strayed() {}\n']],
  },
  {
    bar: 'type names used twice',
    bad: [
      ['kernel/src/a.ts', 'export type Row = 1\n'],
      ['kernel/src/b.ts', 'export interface Row {}\n'],
    ],
    good: [
      ['kernel/src/a.ts', 'export type Row = 1\n'],
      ['kernel/src/b.ts', "export type { Row } from './a.ts'\n"],
      ['agents/src/b.ts', 'export interface Row {}\n'],
    ],
  },
  {
    bar: 'double casts',
    bad: [['kernel/src/a.ts', 'function readRow() {\n  return x as unknown as Row\n}\n']],
    good: [['kernel/src/a.ts', 'function parseRow() {\n  return x as unknown as Row\n}\n']],
  },
]

test('every bar can be missed, and what is just within it is not', () => {
  const listMissed = (files: readonly (readonly [string, string])[]): readonly string[] =>
    summariseHouse(measureHouse(new Map([...FINE, ...files]))).missed
  for (const { bar, bad, good } of BROKEN) {
    assert.deepEqual(listMissed(bad), [bar])
    assert.deepEqual(listMissed(good), [], bar)
  }
})

test('a house of which nothing was read is not a good one', () => {
  assert.equal(summariseHouse(measureHouse(new Map())).ok, false)
})

test('the house meets every bar', () => {
  const house = measureHouse(readSources())
  const { circles, loose, duplicate_type_names, casts } = house
  const places = JSON.stringify({ circles, loose, duplicate_type_names, casts }, null, 1)
  assert.deepEqual(summariseHouse(house).missed, [], places)
})
