import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../formats/formats.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { applySplices } from '../text/splice.ts'
import { planDelta } from './plan-delta.ts'
import { planSites } from './plan-rename.ts'

function rename(text: string, target: string, name: string, file = 'a.tsx'): string {
  const format = findFormat(file)
  assert.ok(format !== undefined)
  const parsed = format.parse(text)
  assert.ok(parsed.ok, text)
  const planned = planDelta(parsed.value, { op: 'rename', target, name }, format)
  if (!planned.ok) {
    const { code, at } = planned.error
    return at === null || at === undefined ? code : `${code} at ${text.slice(at.start, at.end)}`
  }
  assert.equal(applySplices(planned.value.after.text, planned.value.inverse), text)
  return planned.value.after.text
}

test('a symbol is renamed where it is declared and where it is used, and nowhere else', () => {
  assert.equal(
    rename('const a = 1, b = 2\nf(a, { a: a }, "a", b.a)\n', 'variable:a', 'c'),
    'const c = 1, b = 2\nf(c, { a: c }, "a", b.a)\n',
  )
  assert.equal(rename('function f() { f() }\n', 'function:f', 'g'), 'function g() { g() }\n')
  assert.equal(
    rename('class A<T> {}\ninterface A<T> {}\nnew A()\n', 'class:A', 'B'),
    'class B<T> {}\ninterface B<T> {}\nnew B()\n',
  )
  assert.equal(rename('a()\nfunction a() {}', 'function:a', 'long'), 'long()\nfunction long() {}')
})

test('what a shortened property says is written out', () => {
  assert.equal(
    rename('const a = 1\nf({ a }); ({ a = 2 } = a)\n', 'variable:a', 'b'),
    'const b = 1\nf({ a: b }); ({ a: b = 2 } = b)\n',
  )
})

test('what is exported in its declaration is exported by its new name; a list keeps the name that others know', () => {
  assert.equal(rename('export const a = 1\n', 'variable:a', 'b'), 'export const b = 1\n')
  assert.equal(
    rename('const a = 1\nexport { a, a as c }\n', 'variable:a', 'b'),
    'const b = 1\nexport { b as a, b as c }\n',
  )
})

test('a name that is taken is refused, and it is said where', () => {
  assert.equal(rename('const a = 1, b = 2', 'variable:a', 'b'), 'NAME_TAKEN at b')
  assert.equal(rename('const a = 1\nimport { b } from "c"', 'variable:a', 'b'), 'NAME_TAKEN at b')
  assert.equal(rename('const a = 1\ntype b = 1', 'variable:a', 'b'), 'NAME_TAKEN at b')
  assert.equal(rename('const a = 1', 'variable:a', 'a'), 'NAME_TAKEN at const a = 1')
  const text = 'export type a = 1\nconst c = 1\nexport { c as b }'
  assert.equal(rename(text, 'type:a', 'b'), 'NAME_TAKEN at export type a = 1')
})

test('a name that would be caught on its way is refused', () => {
  assert.equal(rename('const a = 1\n;(b) => a + b', 'variable:a', 'b'), 'NAME_TAKEN at a')
  assert.equal(rename('const a = 1\n;{ b }', 'variable:a', 'b'), 'NAME_TAKEN at b')
  assert.equal(rename('const a = 1\n;() => { { var b } }', 'variable:a', 'b').slice(0, 5), 'const')
  assert.equal(rename('const a = 1\n;() => { a; { var b } }', 'variable:a', 'b'), 'NAME_TAKEN at a')
  assert.equal(rename('type A = 1\nfunction f<B>(x: A) {}', 'type:A', 'B'), 'NAME_TAKEN at A')
})

test('a word that is a name in one place and none in another is taken by where it comes to stand', () => {
  assert.equal(rename('const a = 1\na', 'variable:a', 'string'), 'const string = 1\nstring')
  assert.notEqual(rename('type A = 1\nlet a: A', 'type:A', 'string').slice(0, 4), 'type')
  assert.equal(rename('const A = 1\n;<A/>', 'variable:A', 'b'), 'NAME_TAKEN at A')
})

test('words of the language, and what is no name, are refused', () => {
  for (const name of ['class', 'a-b', '', '1a', 'a b', 'await', '#a', 'a //'])
    assert.equal(rename('const a = 1', 'variable:a', name), 'FRAGMENT_INVALID', name)
})

test('members are renamed where their uses can be told, and refused where they cannot', () => {
  assert.equal(
    rename('class A { #a = 1; f(o) { return o.#a } }', 'class:A/field:%23a', '#b'),
    'class A { #b = 1; f(o) { return o.#b } }',
  )
  assert.equal(rename('enum E { A }\nE.A', 'enum:E/member:A', 'B'), 'enum E { B }\nE.B')
  assert.equal(rename('enum E { A }\nf(E)', 'enum:E/member:A', 'B'), 'TARGET_UNFIT at A')
  assert.equal(rename('enum E { A, B }\nE.A', 'enum:E/member:A', 'B'), 'NAME_TAKEN at B')
  const merged = 'class A { static a = 1 }\nnamespace A { export type a = 1 }'
  assert.equal(rename(merged, 'namespace:A/type:a', 'b'), 'TARGET_UNFIT at a')
  assert.equal(rename('class A { a() {} }', 'class:A/method:a', 'b'), 'TARGET_UNFIT at a')
  assert.equal(rename('interface A { a: 1 }', 'interface:A/property:a', 'b'), 'TARGET_UNFIT at a')
  assert.equal(rename('{}', 'key:a', 'b', 'a.json'), 'TARGET_MISSING')
  assert.equal(rename('{"a": 1}', 'key:a', 'b', 'a.json'), 'TARGET_UNFIT')
})

test('a variable that is declared where another of its name is caught is not renamed', () => {
  const text = 'var b = 0\ntry { f() } catch (b) { var b = 1; f(b) }\n'
  assert.equal(rename(text, 'variable:b', 'c'), 'TARGET_UNFIT at b')
  assert.equal(rename('var b\n{ let a; { var b } }', 'variable:b', 'a'), 'NAME_TAKEN at b')
})

test('what a program may name only when it runs is not renamed', () => {
  assert.equal(rename('const a = 1\n;() => eval(b)', 'variable:a', 'c'), 'TARGET_UNFIT at a')
  assert.equal(rename('var a\nwith (b) { a }', 'variable:a', 'c', 'a.cjs'), 'TARGET_UNFIT at a')
})

test('where another artifact renames what is imported here, the name that this one has for it stays', () => {
  const format = findFormat('a.ts')
  const text = `import { a, a as c } from 'm'
import * as n from 'm'
export { a } from 'm'
const b = a + c + n.a
`
  const parsed = format?.parse(text)
  assert.ok(format !== undefined && parsed?.ok === true)
  const sites = format.names?.findForeign(parsed.value, 'm', 'a')
  const planned = planSites(parsed.value, sites ?? [], 'b', format, 'foreign')
  assert.ok(planned.ok)
  assert.equal(
    planned.value.after.text,
    `import { b as a, b as c } from 'm'
import * as n from 'm'
export { b as a } from 'm'
const b = a + c + n.b
`,
  )
})

test('what an ambient module exports is not renamed where the same text imports that module', () => {
  const text = "declare module 'm' { const a: 1 }\nlet b: typeof import('m').a\n"
  const target = 'namespace:%27m%27/variable:a'
  assert.equal(rename(text, target, 'c', 'a.d.ts'), 'TARGET_UNFIT at a')
  assert.match(rename(text.replace("import('m')", "import('n')"), target, 'c', 'a.d.ts'), /const c/)
})

test('a name that is written more often than a rename may change is not renamed', () => {
  const text = `const a = 1\n${'a,'.repeat(ARTIFACT_LIMITS.renameSites)}1`
  assert.equal(rename(text, 'variable:a', 'b'), 'TARGET_UNFIT')
})
