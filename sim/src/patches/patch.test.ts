import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { getPatch, PATCHES } from './all.ts'
import { applyEdit, type Edit, PatchNotApplied } from './patch.ts'

const ROOT = join(import.meta.dirname, '../../..')

for (const { name, edits } of PATCHES) {
  test(`patch ${name} applies to the source as it is, and leaves a program`, () => {
    const sources = new Map(
      edits.map(({ file }) => [file, readFileSync(join(ROOT, file), 'utf8')] as const),
    )
    for (const edit of edits) {
      const source = sources.get(edit.file) ?? ''
      const patched = applyEdit(source, edit)
      assert.notEqual(patched, source, `${name} changes nothing in ${edit.file}`)
      sources.set(edit.file, patched)
    }
    for (const patched of sources.values()) stripTypeScriptTypes(patched)
  })
}

const SOURCE = `
const LIMIT = 3

export function first({
  a,
  b,
}: Two): number {
  second(
    a,
  )
  if (a > LIMIT) return a

  return b
}

export const second = (a: number): number =>
  a > LIMIT
    ? a
    : 0

class Desk {
  readonly #size: number

  get size(): number {
    return this.#size
  }

  async #record(
    a: number,
  ): Promise<void> {
    await this.save(a > LIMIT)
  }

  save(big: boolean): void {
    this.size(big)
    getSize(LIMIT)
  }
}

class Shelf {
  save(big: boolean): void {
    drop(big)
  }
}
`

function edit(name: string, before: string, after = 'CHANGED'): Edit {
  return { file: 'a.ts', function: name, before, after }
}

test('an edit changes its text in its function, and nowhere else', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['LIMIT', '3'],
    ['first', 'return a'],
    ['first', 'LIMIT'],
    ['first', 'a,\n  b,'],
    ['second', 'LIMIT'],
    ['second', ': 0'],
    ['size', 'this.#size'],
    ['#record', 'LIMIT'],
    ['save', 'getSize'],
    ['save', 'drop'],
  ]
  for (const [name, before] of cases) {
    const patched = applyEdit(SOURCE, edit(name, before))
    const [start = '', end = ''] = patched.split('CHANGED')
    assert.equal(start + before + end, SOURCE, `${name}: ${before}`)
  }
  assert.match(applyEdit(SOURCE, edit('second', 'LIMIT', '0')), /=>\n {2}a > 0/)
  assert.match(applyEdit(SOURCE, edit('#record', 'LIMIT', '0')), /save\(a > 0\)/)
})

test('an edit whose function or text is gone, or not alone, throws with all three', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['third', 'LIMIT', 'the function is gone'],
    ['getSize', 'LIMIT', 'the function is gone'],
    ['fir', 'LIMIT', 'the function is gone'],
    ['first', 'drop', 'the text is gone'],
    ['first', '', 'the text is gone'],
    ['size', 'getSize', 'the text is gone'],
    ['save', 'big: boolean', 'the text occurs 2 times'],
  ]
  for (const [name, before, why] of cases) {
    assert.throws(
      () => applyEdit(SOURCE, edit(name, before)),
      (error) =>
        error instanceof PatchNotApplied &&
        [why, `\`${name}\``, `\`${before}\``, 'a.ts'].every((part) => error.message.includes(part)),
      `${name}: ${before}`,
    )
  }
})

test('a name that no patch has is an error', () => {
  assert.throws(() => getPatch('nobody'), /no patch is named `nobody`/)
})
