import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type LibraryDeclaration, listUnsaid } from './library/declaration.ts'
import { renderLibraryPages } from './library/packages.ts'
import { PackageReader } from './library/read-package.ts'
import { renderLibraryPage } from './library/render-page.ts'
import { ROOT } from './shell.ts'

const CONFIG = {
  compilerOptions: {
    module: 'NodeNext',
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ['*.ts'],
}

const SOURCE = `
type Base = {
  /** How it is called. */
  readonly name: string
  readonly age: number
}

/** What is kept. */
export type Kept = Pick<Base, 'name'> & {
  /** When it was kept. */
  readonly at?: string
}

export type Unsaid = Base

/** One of two. */
export type Choice =
  | { readonly kind: 'a' }
  | {
      readonly kind: 'b'
      /** How many. */
      readonly many: readonly number[]
    }

/** Finds it. */
export function find(name: string, { at }: { readonly at: string }): Kept {
  return { name, at }
}

/** Holds it. */
export class Holder extends Error {
  /** What it holds. */
  readonly kept: Kept
  #own = 1
  constructor(kept: Kept) {
    super('x')
    this.kept = kept
  }
  size(): number {
    return this.#own
  }
}
`

const folder = mkdtempSync(join(tmpdir(), 'rubicon-library-'))
let declared: ReadonlyMap<string, LibraryDeclaration> = new Map()

before(() => {
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/tsconfig.json'), JSON.stringify(CONFIG))
  writeFileSync(join(folder, 'src/all.ts'), SOURCE)
  writeFileSync(
    join(folder, 'src/index.ts'),
    "export { type Choice, find, Holder, type Kept, type Unsaid } from './all.ts'\n",
  )
  const reader = new PackageReader(folder)
  try {
    const read = reader.readModule(join(folder, 'src/tsconfig.json'), join(folder, 'src/index.ts'))
    declared = new Map(read.map((one) => [one.name, one]))
  } finally {
    reader.close()
  }
})
after(() => rmSync(folder, { recursive: true, force: true }))

function describeMembers(name: string): readonly (readonly [string, string])[] {
  return (declared.get(name)?.members ?? []).map(({ text, says }) => [text, says])
}

test('members are found where a type is made of others, with their sentences', () => {
  assert.deepEqual(describeMembers('Kept').toSorted(), [
    ['at?: string', 'When it was kept.'],
    ['name: string', 'How it is called.'],
  ])
})

test('of a union every form is listed, and what tells them apart needs no sentence', () => {
  assert.deepEqual(describeMembers('Choice'), [
    ["kind: 'a'", 'Tells this form from the others'],
    ["kind: 'b'", 'Tells this form from the others'],
    ['many: readonly number[]', 'How many.'],
  ])
})

test('a function is shown without its body, and a class without what is its own', () => {
  assert.equal(
    declared.get('find')?.text,
    'function find(name: string, { at }: { readonly at: string }): Kept',
  )
  assert.equal(declared.get('Holder')?.text, 'class Holder extends Error')
  assert.deepEqual(describeMembers('Holder'), [
    ['kept: Kept', 'What it holds.'],
    ['size(): number', ''],
  ])
})

test('a name or a member without a sentence is named with its place, and has no page', () => {
  const declarations = [...declared.values()]
  assert.deepEqual(listUnsaid(declarations), [
    'src/all.ts:39: `Holder.size`',
    'src/all.ts:14: `Unsaid`',
    'src/all.ts:5: `Unsaid.age`',
  ])
  assert.throws(() => renderLibraryPage({ title: 'x', intro: [], declarations }), /`Unsaid.age`/)
})

test('every export of the packages has a sentence, and the pages are those of the sources', () => {
  const pages = Object.entries(renderLibraryPages())
  assert.equal(pages.length, 5)
  for (const [path, text] of pages)
    assert.equal(
      readFileSync(join(ROOT, path), 'utf8'),
      text,
      `${path} is stale: run node scripts/docs-reference.ts`,
    )
})
