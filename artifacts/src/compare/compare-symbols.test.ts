import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../formats/formats.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { compareSymbols } from './compare-symbols.ts'

function parse(name: string, text: string): ParsedText {
  const parsed = findFormat(name)?.parse(text)
  assert.ok(parsed?.ok, text)
  return parsed.value
}

function differ(name: string, before: string, after: string): readonly string[] {
  return compareSymbols(parse(name, before), parse(name, after)).map(
    ({ change, path, was, parts }) =>
      [change, path, ...(was === null ? [] : [`was ${was}`]), ...parts].join(' '),
  )
}

test('members that were added, removed and changed are named, with what of them', () => {
  const before =
    'class A {\n  one(): void {}\n  two(): number {\n    return 2\n  }\n  three(a: string) {}\n}\n'
  const after =
    'class A {\n  two(): number {\n    return 3\n  }\n  three(a: number) {}\n  four() {}\n}\n'
  assert.deepEqual(differ('a.ts', before, after), [
    'removed class:A/method:one',
    'changed class:A/method:two body',
    'changed class:A/method:three signature',
    'added class:A/method:four',
  ])
})

test('white space is no difference, and a comment is one of comments', () => {
  const before = 'function f(a: number) { return a }\n'
  assert.deepEqual(differ('a.ts', before, 'function f(\n  a: number\n) {\n  return a\n}\n'), [])
  assert.deepEqual(differ('a.ts', before, `// why\n${before}`), ['changed function:f comments'])
})

test('a new name with the same content is a rename, also where it names itself', () => {
  const fib = (name: string): string =>
    `function ${name}(n: number): number {\n  return n < 2 ? n : ${name}(n - 1)\n}\n`
  assert.deepEqual(differ('a.ts', fib('fib'), fib('fibonacci')), [
    'renamed function:fibonacci was function:fib',
  ])
})

test('what changed its place is moved, within a container and between two', () => {
  const [a, b, c] = ['function a() {}\n', 'function b() {}\n', 'function c() {}\n']
  assert.deepEqual(differ('a.ts', `${a}${b}${c}`, `${c}${a}${b}`), ['moved function:c'])
  const before = 'class A {\n  m() { return 1 }\n}\nclass B {\n}\n'
  const after = 'class A {\n}\nclass B {\n  m() { return 1 }\n}\n'
  assert.deepEqual(differ('a.ts', before, after), ['moved class:B/method:m was class:A/method:m'])
})

test("a header that changed is the container's own change, and its members are compared by themselves", () => {
  assert.deepEqual(
    differ('a.ts', 'class A {\n  m() {}\n}\n', 'class A extends B {\n  m() {}\n  n() {}\n}\n'),
    ['changed class:A signature', 'added class:A/method:n'],
  )
})

test('keys of JSON and YAML are symbols like others', () => {
  assert.deepEqual(differ('a.json', '{"a": 1, "b": {"c": 2}}', '{"a": 1, "b": {"c": 3, "d": 4}}'), [
    'changed key:b/key:c body',
    'added key:b/key:d',
  ])
  assert.deepEqual(differ('a.yml', 'a: 1\nb:\n  c: 2\n', 'b:\n  c: 2\n'), ['removed key:a'])
})

test('an item is known by what it holds, not by its place', () => {
  assert.deepEqual(differ('a.json', '[{"a": 1}, {"b": 2}, 3]', '[{"a": 1}, 3]'), ['removed item:1'])
  assert.deepEqual(differ('a.json', '{"k": [1, 2]}', '{"k": [0, 1, 2]}'), ['added key:k/item:0'])
  assert.deepEqual(differ('a.json', '[1, 2]', '[1, 5]'), ['changed item:1 body'])
})
