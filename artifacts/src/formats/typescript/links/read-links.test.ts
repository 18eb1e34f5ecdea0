import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../../formats.ts'
import type { ModuleLinks } from '../../module-links.ts'

function read(text: string, name = 'a.ts'): ModuleLinks {
  const format = findFormat(name)
  const parsed = format?.parse(text)
  assert.ok(parsed?.ok)
  const links = format?.readLinks?.(parsed.value) ?? null
  assert.ok(links !== null)
  return links
}

test('imports are read with the names that they have on both sides', () => {
  const text = `import a, { b as c, type D, "x y" as e } from './m'\nimport * as ns from 'n'\nimport r = require('./r')\n`
  const seen = read(text).imports.map(({ from, name, local, nameSpan, localSpan }) => {
    const written = nameSpan === null ? null : text.slice(nameSpan.start, nameSpan.end)
    assert.equal(text.slice(localSpan.start, localSpan.end), local)
    return [from, name, written, local]
  })
  assert.deepEqual(seen, [
    ['./m', 'default', null, 'a'],
    ['./m', 'b', 'b', 'c'],
    ['./m', 'D', 'D', 'D'],
    ['./m', 'x y', '"x y"', 'e'],
    ['n', null, null, 'ns'],
    ['./r', null, null, 'r'],
  ])
})

test('exports are read, whether declared, listed, handed on or default', () => {
  const text = [
    'export const { k, l: [m], ...rest } = x, n = 1',
    'export function f(): void',
    'export enum E {}',
    'export namespace N.M {}',
    'const p = 1',
    'export { p, p as q }',
    `export { a as b } from './a'`,
    `export * from './b'`,
    `export * as c from './c'`,
    'export default class D {}',
  ].join('\n')
  assert.deepEqual(
    read(text).exports.map(({ name, from, local }) => [name, from, local]),
    [
      ...['k', 'm', 'rest', 'n', 'f', 'E', 'N'].map((name) => [name, null, name]),
      ['p', null, 'p'],
      ['q', null, 'p'],
      ['b', './a', 'a'],
      [null, './b', null],
      ['c', './c', null],
      ['default', null, 'D'],
    ],
  )
})

test('what is exported without a name is its declaration', () => {
  assert.deepEqual(read('export default function () {}').exports[0]?.localSpan, {
    start: 0,
    end: 29,
  })
  assert.equal(read('const a = 1\nexport default a').exports[0]?.local, 'a')
  assert.equal(read('const a = 1\nexport = a').exports[0]?.name, 'export=')
})

test('a module in the middle of the text says what is taken of it, or that nobody can say', () => {
  const text = [
    `import './effect'`,
    `const { a, b: c } = await import('./one')`,
    `const all = await import('./two')`,
    `;(await import('./three')).d()`,
    `type T = import('./four').E.F`,
    `const r = require('./five').g`,
    'const x = await import(name)',
    `import('./six').then(({ h }) => h)`,
    `declare module './seven' { interface A {} }`,
  ].join('\n')
  const seen = read(text).wholes.map(({ from, taken }) => [
    from,
    taken?.map(({ name, at }) => {
      assert.equal(text.slice(at.start, at.end), name)
      return name
    }) ?? null,
  ])
  assert.deepEqual(seen, [
    ['./effect', []],
    ['./one', ['a', 'b']],
    ['./two', null],
    ['./three', ['d']],
    ['./four', ['E']],
    ['./five', ['g']],
    [null, null],
    ['./six', null],
    ['./seven', null],
  ])
})

test('properties in short are named, in objects and in patterns', () => {
  const text = 'const { a, b: c, d = 1 } = { e, f: g, h() {} }'
  const seen = read(text).shorthands.map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(seen, ['a', 'd', 'e'])
})
