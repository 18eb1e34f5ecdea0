/** The bad sample of every figure is counted, and what is fine is not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCircles } from './house/circles.ts'
import { measureHouse } from './house/measure.ts'
import { listFunctionNames } from './house/names.ts'
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
