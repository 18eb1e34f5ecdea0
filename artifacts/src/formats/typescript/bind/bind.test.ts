import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../../formats.ts'
import { TypescriptNames } from './typescript-names.ts'

/**
 * Names of one thing are marked by `«`: the first one is the one that is asked about. What is marked has to be what is found, and nothing
 * else.
 */
function check(marked: string, file = 'a.tsx'): void {
  const parts = marked.split('«')
  const text = parts.join('')
  const expected: number[] = []
  let length = 0
  for (const part of parts.slice(0, -1)) {
    length += part.length
    expected.push(length)
  }
  const parsed = findFormat(file)?.parse(text)
  assert.ok(parsed?.ok === true, text)
  const names = new TypescriptNames(file)
  const found = names.findThingAt(parsed.value, expected[0] ?? 0)
  const starts = found?.sites.map(({ start }) => start).sort((a, b) => a - b)
  assert.deepEqual(starts, expected, marked)
}

test('a name is found in the scopes that see it, and not where another hides it', () => {
  check('const «a = 1; { const a = 2; a } f(«a); function g(a) { return a } () => «a')
  check('const a = 1; { const «a = 2; «a } a')
  check('for (let «i = 0; «i < 1; «i++) { let i = 2; i } i')
  check('try {} catch («e) { «e } e')
  check('switch (a) { case 1: let «a; break; default: «a }')
  check('const f = function «g() { «g() }; g()')
  check('const C = class «D { d: «D }; D')
})

test('what is hoisted is found before it is declared', () => {
  check('«f(); { var «v = «f }; v; function «f() {}'.replaceAll('«v', 'v'))
  check('{ «v } { var «v }; () => { «v }')
  check("'use strict'; { function «f() {} «f() } f()", 'a.cjs')
  check('{ function «f() {} «f() } «f()', 'a.cjs')
})

test('a parameter and what its function declares by its name are one', () => {
  check('function f(«a, b = «a) { var «a = 2; return «a } a')
  check('function f(«a: 1, b: (a: 2) => typeof a): typeof «a {}')
  check('const a = 1; function f(b = «a) { var a } «a'.replace('const a', 'const «a'))
})

test('a type and a value of one name are one where they are declared together', () => {
  check('interface «A {} const «A = 1; let x: «A = «A')
  check(
    'function «f(): void; function «f(a: number): void; function «f() {} namespace «f { export const a = 1 }',
  )
  check('class «A {} interface «A {} namespace «A {}')
})

test('what a type parameter extends does not see the parameters', () => {
  check('const «a = 1; function f<T extends typeof «a>(a: T) { a }')
})

test('a type is not hidden by a value, nor a value by a type', () => {
  check('type «T = 1; function f(T: number) { let x: «T = T }')
  check('const «v = 1; function f<v>(x: v) { return «v }')
})

test('names in types: parameters, inferred ones, mapped ones, queries, predicates', () => {
  check('type F<«T extends string> = «T | { [K in «T]: K }')
  check('type M<T> = { [«K in keyof T as Uppercase<«K>]: T[«K] }')
  check('type I<T> = T extends (a: infer «U) => infer «U ? «U : U')
  check('function f(«a: string, b: typeof «a): asserts «a is "b" {}')
  check('const «a = { b: 1 }; type A = typeof «a.b; type B = (a: string) => a')
  check('type T = { [«key: string]: typeof «key }')
})

test('members of enums and namespaces are found behind the dot and, inside, without it', () => {
  check("enum E { «A = 1, B = «A } E.«A; E['«A']; let x: E.«A; const A = 1")
  check('namespace N { export const «a = 1; «a } namespace N { «a } N.«a; a')
  check('namespace N.M { export type «T = 1 } let x: N.M.«T; import P = N.M; let y: P.«T')
})

test('private names, labels, tags', () => {
  check('class A { «#a = 1; f(o) { return «#a in o && o.«#a } } class B { #a; f() { this.#a } }')
  check('«a: for (;;) { const a = 1; break «a } a')
  check('const «Tag = 1, div = 2; <«Tag a={1}><div/></«Tag>')
})

test('names in comments: parameters of the function that they are about, types in braces, links', () => {
  check('/** @param «a about a\n * @param {a} b */ function f(«a, b) { «a }'.replace('{a}', '{b}'))
  check('/** @param {string} [«a=1] */\nconst f = («a) => «a')
  check('type «A = 1\n/** @returns {Array.<«A> | ?«A} {@link «A.b} see A\n * @see «A */ let a: «A')
  check('const «a = 1, b = 2\nexport {\n/** @see {@link «a} */\nb as c }')
  check('/** @see {«A} */ let b\ntype «A = 1')
  check('/** @param a */ function f({ «a }) { «a }')
  check('/** @param a... */ function f(«a) { «a }')
  check('/** {@link «a} */ declare namespace N { const «a: 1 }')
  check('type «A = 1\n/** @param a {@link «A} */ function f(a) {}')
  check('/** @template «T */ interface A<«T> { a: «T }')
  check('/** @param {Object} «a\n * @param {B} «a.b\n * @param {C} d.a */ function f(«a, d) {}')
  check('/** @param a */\n/** @param «b */ function f(a, «b) {}')
  check('/* @param a */ function f(«a) {} /** {@link a} */')
  check('function «A() {}\n«A.prototype.a = 1\n/** @type {«A} */ let b', 'a.cjs')
  check('function «A() { this.a = 1 }\n/** @type {«A} */ let b', 'a.cjs')
  check('function «A() {}\n/** @type {A} */ let b', 'a.cjs')
  check("const «A = require('a')\n/** @type {«A} */ let b", 'a.cjs')
})

test('what is exported and what is not are two things, even by one name', () => {
  check('interface «A {} export const A: «A = 1')
})

test('an ambient namespace exports what it declares, until it says what', () => {
  check('declare namespace N { const «a: 1 } N.«a')
  check('declare namespace N { const «a: 1; const b: typeof «a; export { «a } } N.a')
})

test('a type parameter of merged declarations is one', () => {
  check('interface A<«T> { a: «T } class A<«T> { b: «T }')
})

test('a value with the name of a namespace has none of its types', () => {
  check('declare const N: any\ndeclare namespace N { interface «A { b: 1 } }\nlet a: N.«A\nN.A()')
  check('declare namespace N { interface «A { b: 1 }\nconst «A: 1 }\nlet a: N.«A = N.«A')
})
