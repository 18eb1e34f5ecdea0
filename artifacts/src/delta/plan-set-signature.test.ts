import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { applySplices } from '../text/splice.ts'
import { planDelta } from './plan-delta.ts'

const FORMAT = findFormat('a.ts') ?? assert.fail()

function set(text: string, target: string, fragment: string): string {
  const planned = planDelta(
    parseWhole(FORMAT, text),
    { op: 'setSignature', target, fragment },
    FORMAT,
  )
  if (!planned.ok) return planned.error.code
  const { after, inverse, splices } = planned.value
  assert.equal(applySplices(text, splices), after.text)
  assert.equal(applySplices(after.text, inverse), text)
  return after.text
}

test('the header of a function is another, and its body is what it was', () => {
  const text = '/** F. */\nexport function f(a: 1): 1 {\n  return a // b\n}\n'
  assert.equal(
    set(text, 'function:f', 'export async function f(\n  a: 1,\n  b = {},\n): Promise<1>'),
    text.replace(
      'export function f(a: 1): 1',
      'export async function f(\n  a: 1,\n  b = {},\n): Promise<1>',
    ),
  )
  const method = 'class A {\n  f(a: 1) {\n    return a\n  }\n}\n'
  assert.equal(
    set(method, 'class:A/method:f', 'f(\n  a: 2,\n): 2'),
    'class A {\n  f(\n    a: 2,\n  ): 2 {\n    return a\n  }\n}\n',
  )
})

test('headers of classes, interfaces, types and values', () => {
  const one = 'export class A {\n  x() {}\n}\n'
  assert.equal(
    set(one, 'class:A', 'class A<T> extends B<T>'),
    'class A<T> extends B<T> {\n  x() {}\n}\n',
  )
  assert.equal(
    set('interface A{ a: 1 }', 'interface:A', 'interface A<T>'),
    'interface A<T>{ a: 1 }',
  )
  assert.equal(set('type A = 1;', 'type:A', 'export type A<T> ='), 'export type A<T> = 1;')
  assert.equal(set('const a = 1;', 'variable:a', 'const a: number'), 'const a: number = 1;')
  assert.equal(set('let a: 1;', 'variable:a', 'let a: 2;'), 'let a: 2;')
  assert.equal(set('const a = 1, b = 2', 'variable:b', 'b: number'), 'const a = 1, b: number = 2')
  assert.equal(
    set('const f = (a: 1) => a', 'variable:f', 'const f = async (a: 2) =>'),
    'const f = async (a: 2) => a',
  )
  assert.equal(
    set('interface A {\n  a: 1\n  b(): 2\n}', 'interface:A/method:b', 'b(c: 3): 2'),
    'interface A {\n  a: 1\n  b(c: 3): 2\n}',
  )
  assert.equal(
    set('abstract class A { abstract a(): 1; b = 1; }', 'class:A/field:b', 'readonly b'),
    'abstract class A { abstract a(): 1; readonly b = 1; }',
  )
})

test('a comment whose lines begin with a star is indented with the header', () => {
  const text = 'interface A {\n  a: {\n    /**\n     * B.\n     */\n    b: 1\n  }\n}\n'
  const fragment = 'a: {\n  /**\n   * B.\n   */\n  b: 1\n}'
  assert.equal(set(text, 'interface:A/property:a', fragment), text)
})

test('headers of what has no name', () => {
  assert.equal(
    set('interface A {\n  (a: 1): 2\n  [b: string]: 3\n}', 'interface:A/call:call', '<T>(a: T): 2'),
    'interface A {\n  <T>(a: T): 2\n  [b: string]: 3\n}',
  )
  assert.equal(
    set(
      'export default function (): 1 { return 1 }',
      'function:default',
      'export default function (a: 1): 1',
    ),
    'export default function (a: 1): 1 { return 1 }',
  )
})

test('another name or kind is no signature', () => {
  assert.equal(set('function f() {}', 'function:f', 'function g()'), 'FRAGMENT_REACHES_OUT')
  assert.equal(set('class A { f() {} }', 'class:A/method:f', 'get f()'), 'FRAGMENT_REACHES_OUT')
  assert.equal(set('class A { f() {} }', 'class:A/method:f', 'static f()'), 'FRAGMENT_REACHES_OUT')
})

test('another name for what has no body is no signature either', () => {
  assert.equal(set('let a: 1', 'variable:a', 'let b: 1'), 'FRAGMENT_INVALID')
})

test('a header that brings a body, closes one or hides one is refused', () => {
  const text = 'function f() {\n  return 1\n}\nfunction g() {}\n'
  for (const fragment of [
    'function f() { return 2 }',
    'function f() {} function h()',
    'function f() { return 2 } if (true)',
    'function f() /*',
    'function f() //',
    'function f(): void {} class A',
    'const x = 1; function f()',
    'function f(a = {',
    '',
  ])
    assert.match(set(text, 'function:f', fragment), /^FRAGMENT_/u, fragment)
  assert.match(set('let a: 1', 'variable:a', 'let a: 1 = 1'), /^FRAGMENT_/u)
  assert.match(set('class A { a: 1 }', 'class:A/field:a', 'a: 1; b: 2'), /^FRAGMENT_/u)
  assert.match(set('class A { a: 1 }', 'class:A/field:a', 'a: 1 } class B {'), /^FRAGMENT_/u)
})

test('what has no header has none to set', () => {
  assert.equal(set('import "a"', 'import:a', 'import "b"'), 'TARGET_UNFIT')
  const json = findFormat('a.json') ?? assert.fail()
  const planned = planDelta(
    parseWhole(json, '{"a":1}'),
    { op: 'setSignature', target: 'key:a', fragment: '"a"' },
    json,
  )
  assert.equal(planned.ok ? null : planned.error.code, 'TARGET_UNFIT')
})
