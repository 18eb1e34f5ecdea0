/** What a module takes from others, and merges that would take it away from whoever begins to use it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../formats/formats.ts'
import { createGitMergeLines } from '../git/merge-file.ts'
import type { MergeResult } from './merge.ts'
import { mergeTexts } from './merge-texts.ts'

const mergeLines = createGitMergeLines()

function merge(base: string, ours: string, theirs: string): MergeResult {
  const format = findFormat('a.ts')
  const one = mergeTexts({ base, ours, theirs }, format, { mergeLines })
  const other = mergeTexts({ base, ours: theirs, theirs: ours }, format, { mergeLines })
  assert.equal(one.conflicts.length === 0, other.conflicts.length === 0)
  if (one.conflicts.length === 0) assert.equal(one.text, other.text)
  return one
}

const REST = '\nexport function g() {\n  return b()\n}\n'
const F = '\nexport function f() {\n  return a() + b()\n}\n'
const NONE = F.replace('a() + ', '')
const NEW = '\nexport function h() {\n  return a()\n}\n'

test('a name that one side takes out of an import stays where the other begins to use it', () => {
  const base = `import { a, b } from './m'\n${F}${REST}`
  const theirs = `import { a, b } from './m'\n${F}${REST}${NEW}`
  const ours = `import { b } from './m'\n${NONE}${REST}`
  const merged = merge(base, ours, theirs)
  assert.deepEqual(merged.conflicts, [])
  assert.equal(merged.text, `import { a, b } from './m'\n${NONE}${REST}${NEW}`)
  const renamed = `import { a as c, b } from './m'\n${F.replace('a()', 'c()')}${REST}`
  const both = merge(base, renamed, theirs)
  assert.deepEqual(both.conflicts, [])
  assert.match(both.text, /^import \{ a, a as c, b \} from/u)
})

test('an import that one side makes one of types is not left to a new use of the other', () => {
  const rest = '\nexport function f(x: A) {\n  return x\n}\n'
  const use = '\nexport function h() {\n  return new A()\n}\n'
  for (const [before, after] of [
    ['import { A }', 'import type { A }'],
    ['import { A, b }', 'import { type A, b }'],
    ['import A', 'import type A'],
  ] as const) {
    const write = (head: string, more: string): string => `${head} from './m'\n${rest}${more}`
    const merged = merge(write(before, ''), write(after, ''), write(before, use))
    assert.equal(merged.conflicts[0]?.kind, 'signature', merged.text)
    assert.match(merged.conflicts[0]?.reason ?? '', /uses `A`/u)
  }
})

test('a name that both sides export, each in its place, is a conflict', () => {
  for (const [one, other] of [
    ['export default function p() {\n  return 1\n}\n', 'export default class Q {}\n'],
    ['export { f as q }\n', 'export { g as q }\n'],
  ] as const) {
    const base = `${F}${REST}`
    const merged = merge(base, `${one}${base}`, `${base}\n${other}`)
    assert.notEqual(merged.conflicts.length, 0, merged.text)
    assert.match(merged.fallback ?? '', /would be exported twice/u)
  }
})

test('nothing is put between an overload and its function', () => {
  for (const word of ['', 'export function ']) {
    const wrap = (text: string): string => (word === '' ? `class A {\n${text}}\n` : text)
    const foo = `${word}foo(a: any) {\n  return a\n}\n`
    const one = `${word}one() {\n  return 1\n}\n\n`
    const overload = `${word}foo(a: string): string\n`
    const zap = `${word}zap() {\n  return 1\n}\n\n`
    const merged = merge(
      wrap(`${one}${foo}`),
      wrap(`${one}${overload}${foo}`),
      wrap(`${one}${zap}${foo}`),
    )
    assert.notEqual(merged.conflicts.length, 0, merged.text)
    assert.match(merged.fallback ?? '', /between the declarations of one function/u)
  }
})
