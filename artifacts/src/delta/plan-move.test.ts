import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { createWordFormat } from '../claims/word-references.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import { applySplices } from '../text/splice.ts'
import type { Anchor } from './delta.ts'
import { planDelta } from './plan-delta.ts'

function move(
  name: string,
  text: string,
  target: string,
  to: string,
  at?: Anchor,
  format = findFormat(name) ?? assert.fail(),
): string {
  const delta = { op: 'move', target, to, ...(at === undefined ? {} : { at }) } as const
  const planned = planDelta(parseWhole(format, text), delta, format)
  if (!planned.ok) return planned.error.code
  const { after, inverse, splices } = planned.value
  assert.equal(applySplices(text, splices), after.text)
  assert.equal(applySplices(after.text, inverse), text)
  return after.text
}

const CLASSES = `class A {
  /**
   * One.
   */
  one() {
    return \`
  kept\`
  } // behind

  two() {}
}

namespace N {
  export class B {
    three() {}
  }
}
`

test('a method goes into another class with its comments, and its indent is that of its place', () => {
  assert.equal(
    move('a.ts', CLASSES, 'class:A/method:one', 'namespace:N/class:B'),
    `class A {

  two() {}
}

namespace N {
  export class B {
    three() {}
    /**
     * One.
     */
    one() {
      return \`
  kept\`
    } // behind
  }
}
`,
  )
})

test('a method goes to another place among its siblings', () => {
  assert.equal(
    move('a.ts', 'class A {\n  a() {}\n  b() {}\n  c() {}\n}\n', 'class:A/method:c', 'class:A', {
      after: null,
    }),
    'class A {\n  c() {}\n  a() {}\n  b() {}\n}\n',
  )
  assert.equal(
    move('a.ts', 'class A {\r\n  a() {}\r\n  b() {}\r\n}\r\n', 'class:A/method:a', 'class:A'),
    'class A {\r\n  b() {}\r\n  a() {}\r\n}\r\n',
  )
})

test('what has a fixed place is moved only where somebody says', () => {
  const text = 'enum E {\n  a,\n  b,\n  c\n}\n'
  assert.equal(move('a.ts', text, 'enum:E/member:a', 'enum:E'), 'TARGET_UNFIT')
  assert.equal(
    move('a.ts', text, 'enum:E/member:a', 'enum:E', { after: 'enum:E/member:c' }),
    'enum E {\n  b,\n  c,\n  a\n}\n',
  )
})

test('separators are those of the new place', () => {
  assert.equal(
    move('a.json', '{\n  "a": 1,\n  "b": {\n    "c": 2\n  }\n}\n', 'key:a', 'key:b'),
    '{\n  "b": {\n    "c": 2,\n    "a": 1\n  }\n}\n',
  )
  assert.equal(
    move('a.json', '{ "a": { "b": 1, "c": 2 }, "d": {} }', 'key:a/key:c', ''),
    '{ "a": { "b": 1 }, "d": {}, "c": 2 }',
  )
  assert.equal(
    move('a.jsonc', '{\n  "a": 1, // One.\n  "b": 2\n}\n', 'key:a', ''),
    '{\n  "b": 2,\n  "a": 1 // One.\n}\n',
  )
})

test('where the indent is syntax, all lines have that of the new place', () => {
  assert.equal(
    move('a.yml', 'a:\n  b:\n    c: |\n      x\n       y\n  d: 1\ne: 2\n', 'key:a/key:b', ''),
    'a:\n  d: 1\ne: 2\nb:\n  c: |\n    x\n     y\n',
  )
})

test('what does not fit its new place is not moved', () => {
  assert.equal(move('a.ts', CLASSES, 'class:A/method:two', ''), 'TARGET_UNFIT')
  assert.equal(move('a.ts', CLASSES, 'class:A', 'class:A'), 'TARGET_UNFIT')
  assert.equal(move('a.ts', CLASSES, 'namespace:N', 'namespace:N/class:B'), 'TARGET_UNFIT')
  const twice = 'class A { a() {} }\nclass B { a() {} }\n'
  assert.equal(move('a.ts', twice, 'class:A/method:a', 'class:B'), 'NAME_TAKEN')
})

test('what is referred to where it was does not go where it cannot be found', () => {
  const format = createWordFormat('a.ts')
  const text = 'function a() {}\nfunction b() { a() }\nnamespace N {\n  const c = 1\n}\n'
  assert.equal(move('', text, 'function:a', 'namespace:N', undefined, format), 'DANGLING_REFERENCE')
  assert.match(move('', text, 'function:b', 'namespace:N', undefined, format), /^function a/u)
})
