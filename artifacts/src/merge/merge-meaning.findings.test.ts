/** Merges that parse, count right, and mean something else than either side wrote. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFormat } from '../formats/formats.ts'
import { createGitMergeLines } from '../git/merge-file.ts'
import type { MergeResult } from './merge.ts'
import { mergeTexts } from './merge-texts.ts'

const mergeLines = createGitMergeLines()

function merge(base: string, ours: string, theirs: string, name = 'a.ts'): MergeResult {
  const format = findFormat(name)
  const one = mergeTexts({ base, ours, theirs }, format, { mergeLines })
  const other = mergeTexts({ base, ours: theirs, theirs: ours }, format, { mergeLines })
  assert.equal(one.conflicts.length === 0, other.conflicts.length === 0)
  return one
}

function assertRefused(result: MergeResult, reason: RegExp): void {
  const said = [result.fallback ?? '', ...result.conflicts.map((one) => one.reason)].join('\n')
  assert.notEqual(result.conflicts.length, 0, result.text)
  assert.match(said, reason)
  assert.match(result.text, /^<{7} /mu)
}

const STEPS = '  const a = items.length\n  const b = a * 2\n  const c = b + 1\n  const d = c\n'
const HEAD = 'const limit = 10\n\nexport function f(items: number[]) {\n'
const write = (head: string, first: string, last: string): string =>
  `${head}${first}${STEPS}${last}  return d\n}\n`
const USE = '  d.use(limit)\n'

describe('a merge in which a name means something else', () => {
  test('a new declaration of one side does not catch a new use of the other', () => {
    const base = write(HEAD, '', '')
    const theirs = write(HEAD, '', USE)
    const local = write(HEAD, '  const limit = items.length\n  use(limit)\n', '')
    assertRefused(
      merge(base, local, theirs),
      /`limit`, which theirs uses, stands for something else/u,
    )
    const lines = (text: string): string =>
      text.replace('items: number[]', '\n  items: number[],\n')
    const parameter = lines(base).replace(',\n)', ',\n  limit = 3,\n)')
    assertRefused(merge(lines(base), parameter, lines(theirs)), /`limit`.*something else/u)
  })

  test('a local that one side removed or renamed is not left to a new use of the other', () => {
    const head = 'export function f(items: number[]) {\n'
    const first = '  const limit = 3\n  use(limit)\n'
    const base = write(head, first, '')
    const theirs = write(head, first, USE)
    assertRefused(merge(base, write(head, '', ''), theirs), /`limit`.*stands for nothing/u)
    const renamed = write(head, first.replaceAll('limit', 'most'), '')
    assertRefused(merge(base, renamed, theirs), /`limit`.*stands for nothing/u)
  })

  test('both sides declare one name in one function', () => {
    const head = 'export function f(items) {\n'
    for (const word of ['const', 'var']) {
      const ours = write(head, `  ${word} n = 1\n  use(n)\n`, '')
      const theirs = write(head, '', `  ${word} n = 2\n  use(n)\n`)
      assertRefused(
        merge(write(head, '', ''), ours, theirs, 'a.js'),
        /both sides declare a new `n`/u,
      )
    }
  })

  test('an import that gets a name, and a declaration of that name', () => {
    const rest = '\nexport function f() {\n  return a()\n}\n'
    const base = `import { a } from './m'\n${rest}`
    const ours = `import { a, log } from './m'\n${rest.replace('a()', 'a(log)')}`
    const theirs = `${base}\nfunction log() {\n  return 1\n}\n`
    assertRefused(merge(base, ours, theirs), /both sides declare a new `log`/u)
  })

  test('a constant that one side moved is not declared behind what the other makes of it', () => {
    const rest = 'function q() {\n  return 3\n}\n'
    const base = `const a = load()\n\n${rest}`
    const ours = `${rest}\nconst a = load()\n`
    const theirs = `const a = load()\n\nconst b = a.x\n\n${rest}`
    assertRefused(merge(base, ours, theirs), /`a`.*is declared behind it/u)
  })

  test('a new use of what the other side left as it was goes together with its other changes', () => {
    const base = write(HEAD, '', '')
    const ours = write(HEAD, '  const most = items.length\n  use(most)\n', '')
    const merged = merge(base, ours, write(HEAD, '', USE))
    assert.deepEqual(merged.conflicts, [])
    assert.equal(merged.text, write(HEAD, '  const most = items.length\n  use(most)\n', USE))
  })
})
