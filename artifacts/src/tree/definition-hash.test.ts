import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole, sha256 } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { hashContent, hashDefinition, hashHeader } from './definition-hash.ts'
import { findSymbol } from './find-symbol.ts'

function hashWith(hash: typeof hashDefinition, path: string, text: string, name = 'a.ts'): string {
  const format = findFormat(name) ?? assert.fail()
  const parsed = parseWhole(format, text)
  const found = findSymbol(parsed, path)
  assert.ok(found.ok, path)
  return hash(parsed, found.value, { type: format.type, sha256 })
}

function isSame(path: string, one: string, other: string, name?: string): boolean {
  return hashWith(hashDefinition, path, one, name) === hashWith(hashDefinition, path, other, name)
}

test('comments, white space and what a function does are no part of its definition', () => {
  const one = 'export function f(a: number): string {\n  return String(a)\n}\n'
  const other = '// New.\nexport function f(\n  a: number, /* b */\n): string { return "" }\n'
  assert.ok(isSame('function:f', one, other.replace(',', '')))
  assert.ok(!isSame('function:f', one, one.replace('number', 'string')))
  assert.ok(!isSame('function:f', one, one.replace('export ', '')))
  assert.ok(!isSame('function:f', one, one.replace('function', 'async function')))
})

test('a function that is a value is defined by its parameters', () => {
  const one = 'const f = (a: number): string => String(a)'
  assert.ok(isSame('variable:f', one, 'const f = (a: number): string => { return "" }'))
  assert.ok(!isSame('variable:f', one, one.replace('number', 'string')))
  const method = 'const o = { f(a: number) { return a }, g: 1 }'
  assert.ok(isSame('variable:o', method, method.replace('return a', 'return 2')))
  assert.ok(!isSame('variable:o', method, method.replace('a: number', 'a: 1')))
  assert.ok(!isSame('variable:o', method, method.replace('g: 1', 'g: 2')))
  const nameless = 'export default function () { return 1 }'
  assert.ok(isSame('function:default', nameless, nameless.replace('1', '2')))
})

test('a value is its own definition unless its type is written down', () => {
  assert.ok(!isSame('variable:a', 'const a = 1', 'const a = 2'))
  assert.ok(isSame('variable:a', 'const a: number = 1', 'const a: number = 2'))
  assert.ok(!isSame('variable:a', 'const a: number = 1', 'const a: string = 1'))
  assert.ok(!isSame('type:A', 'type A = { b: 1 }', 'type A = { b: 2 }'))
  const field = 'class A { b = 1; c: number = 1; [d] = 1 }'
  assert.ok(isSame('class:A/field:c', field, field.replace('number = 1', 'number = 2')))
  assert.ok(!isSame('class:A/field:b', field, field.replace('b = 1', 'b = 2')))
  const parts = 'const { a: b } = read()'
  assert.ok(!isSame('variable:%7B%20a%3A%20b%20%7D', parts, parts.replace('read()', 'write()')))
})

test('a class is its header and the definitions of its members, whose places do not count', () => {
  const one = 'class A extends B { x(): 1 { return 1 } y() {} }'
  assert.ok(isSame('class:A', one, 'class A extends B { y() { return 2 } x(): 1 { return 1 } }'))
  assert.ok(!isSame('class:A', one, one.replace('x(): 1', 'x(): 2')))
  assert.ok(!isSame('class:A', one, one.replace('y() {}', '')))
  const header = (text: string) => hashWith(hashHeader, 'class:A', text)
  assert.equal(header(one), header('class A extends B {}'))
  assert.notEqual(header(one), header(one.replace('extends B', '')))
})

test('an enum is all of it, and so is each of its members', () => {
  const one = 'enum E { a, b = 4, c }'
  assert.ok(!isSame('enum:E', one, 'enum E { a, b = 5, c }'))
  assert.ok(!isSame('enum:E/member:c', one, 'enum E { a, b = 5, c }'))
  assert.ok(!isSame('enum:E/member:a', one, 'enum E { z, a, b = 4, c }'))
})

test('all that declare one name are one definition', () => {
  const one = 'function f(a: 1): 1\nfunction f(a: 2): 2\nfunction f(a: any) { return a }'
  assert.ok(!isSame('function:f#1', one, one.replace('(a: 2)', '(a: 3)')))
  const merged = 'interface A { a: 1 }\nclass A {}'
  assert.ok(!isSame('class:A', merged, merged.replace('a: 1', 'a: 2')))
})

test('a key of a configuration is its value, and its keys have no order', () => {
  const one = '{ "a": { "b": 1, "c": [1, 2] } }'
  assert.ok(isSame('key:a', one, '{"a":{"c":[1,2],"b":1}}', 'a.json'))
  assert.ok(!isSame('key:a', one, one.replace('1, 2', '2, 1'), 'a.json'))
  assert.ok(!isSame('key:a', one, one.replace('"b": 1', '"b": 2'), 'a.json'))
  assert.ok(isSame('key:a', 'a:\n  b: 1 # x\n', 'a:\n    b:   1\n', 'a.yml'))
  assert.ok(!isSame('key:a', 'a:\n  b: 1\n', 'a:\n  b: 2\n', 'a.yml'))
})

test('content is with the body', () => {
  const hash = (text: string) =>
    hashWith((parsed, symbol) => hashContent(parsed, symbol, sha256), 'function:f', text)
  assert.notEqual(hash('function f() {}'), hash('function f() { return 1 }'))
  assert.equal(hash('function f() {}'), hash('function f() { /* x */ }'))
})

test('a text that is nested deep is hashed, and is no longer with each level', () => {
  const nest = (inside: string): string => `${'{"a":'.repeat(150)}${inside}${'}'.repeat(150)}`
  const hash = (inside: string) => hashWith(hashDefinition, 'key:a', nest(inside), 'a.json')
  assert.notEqual(hash('{"b":1,"c":2}'), hash('{"b":1,"c":3}'))
  assert.equal(hash('{"b":1,"c":2}'), hash('{"c":2,"b":1}'))
})
