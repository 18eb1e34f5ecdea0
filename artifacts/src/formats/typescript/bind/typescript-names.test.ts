import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findSymbol } from '../../../tree/find-symbol.ts'
import type { ParsedText } from '../../../tree/parsed.ts'
import { findFormat } from '../../formats.ts'
import { TypescriptNames } from './typescript-names.ts'

const NAMES = new TypescriptNames('a.tsx')

function parse(text: string): ParsedText {
  const parsed = findFormat('a.tsx')?.parse(text)
  assert.ok(parsed?.ok === true, text)
  return parsed.value
}

/** What the symbol refers to, as `name > where`. */
function listReferences(text: string, path: string): readonly string[] {
  const parsed = parse(text)
  const symbol = findSymbol(parsed, path)
  assert.ok(symbol.ok)
  return NAMES.findReferences(parsed, symbol.value.own).map(({ name, to }) => {
    if (to.kind === 'symbol') return `${name} > ${to.path}`
    return to.kind === 'import' ? `${name} > ${to.from} ${to.name ?? '*'}` : `${name} > free`
  })
}

test('what a symbol refers to: symbols of its text, what is imported, what nobody declares; nothing of its own', () => {
  const text = `import d, { e as f } from 'e'
import * as g from 'g'
const a = 1
function h(): void
function h(b?: A) { const c = b; return c ?? a + d + f + g.x + g + process.env.a + h() }
interface A { a: A }
`
  assert.deepEqual(listReferences(text, 'function:h#2'), [
    'A > interface:A',
    'a > variable:a',
    'd > e default',
    'f > e e',
    'x > g x',
    'g > g *',
    'process > free',
    'h > function:h#1',
  ])
  assert.deepEqual(listReferences('const { a, b } = c\nf(a)', 'statement:f%28a%29'), [
    'f > free',
    'a > variable:%7B%20a%2C%20b%20%7D',
  ])
})

test('a comment refers to nothing that a change could make stale', () => {
  const text = 'type A = 1\nfunction b() {\n  /** {@link A} @type {A} */\n  let c\n}\n'
  assert.deepEqual(listReferences(text, 'function:b'), [])
})

test('the places of a symbol, and null where nobody can tell them', () => {
  const parsed = parse('class A { a = A }\nnew A()\n')
  assert.deepEqual(NAMES.findOccurrences(parsed, 'class:A'), [
    { start: 6, end: 7 },
    { start: 14, end: 15 },
    { start: 22, end: 23 },
  ])
  assert.equal(NAMES.findOccurrences(parsed, 'class:A/field:a'), null)
  assert.equal(NAMES.findOccurrences(parsed, 'class:B'), null)
})

test('what a module exports, by which name, and what of it', () => {
  const parsed = parse(`import { i } from 'm'
export const a = 1
export function b(): void
export function b() {}
class C {}
export { C as D, i }
export { x as y } from 'n'
export * as z from 'o'
export * from 'p'
export default C
`)
  const { names, all } = NAMES.listExports(parsed)
  assert.deepEqual(
    names.map(({ name, to }) => [name, to.kind === 'symbol' ? to.paths : to]),
    [
      ['a', ['variable:a']],
      ['b', ['function:b#1', 'function:b#2']],
      ['D', ['class:C']],
      ['i', { kind: 'import', from: 'm', name: 'i' }],
      ['y', { kind: 'import', from: 'n', name: 'x' }],
      ['z', { kind: 'import', from: 'o', name: null }],
      ['default', ['class:C']],
    ],
  )
  assert.deepEqual(all, ['p'])
})

test('names of another module are found where they are written as it calls them', () => {
  const text = `import { a, b as c } from 'm'
import * as n from 'm'
export { a as d } from 'm'
export { a } from 'm'
type T = import('m').a
n.a(a, c, n.b)
`
  const found = NAMES.findForeign(parse(text), 'm', 'a') ?? []
  assert.deepEqual(
    found.map(({ start, end, prefix, suffix }) => [text.slice(start - 2, end), prefix, suffix]),
    [
      ['{ a', '', ' as a'],
      ['{ a', '', ''],
      ['{ a', '', ' as a'],
      [').a', '', ''],
      ['n.a', '', ''],
    ],
  )
})

test('a module that is passed on as a whole does not tell what of it is used', () => {
  for (const text of [
    "import * as n from 'm'\nf(n)",
    "import * as n from 'm'\nexport { n }",
    "export * as n from 'm'",
    "const n = await import('m')",
    "const { a } = require('m')",
    "type T = typeof import('m')",
  ])
    assert.equal(NAMES.findForeign(parse(text), 'm', 'a'), null, text)
  assert.deepEqual(NAMES.findForeign(parse("import * as n from 'm'\nf(n)"), 'x', 'a'), [])
})
