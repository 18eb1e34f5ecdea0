import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from 'rubicon-kernel'
import { findFormat } from '../formats/formats.ts'
import { applySplices } from '../text/splice.ts'
import type { Delta } from './delta.ts'
import { planDelta } from './plan-delta.ts'
import { isSameValue } from './value-change.ts'

function plan(name: string, text: string, delta: Delta) {
  const format = findFormat(name)
  const parsed = format?.parse(text)
  assert.ok(format !== undefined && parsed?.ok === true, `${name} does not parse: ${text}`)
  return { format, result: planDelta(parsed.value, delta, format) }
}

function set(name: string, text: string, target: string, value: JsonValue): string {
  const { result } = plan(name, text, { op: 'setValue', target, value })
  assert.ok(result.ok, result.ok ? '' : `${result.error.code} ${result.error.detail}`)
  assert.equal(applySplices(result.value.after.text, result.value.inverse), text)
  return result.value.after.text
}

function removeKey(name: string, text: string, target: string): string {
  const { result } = plan(name, text, { op: 'removeKey', target })
  assert.ok(result.ok, result.ok ? '' : `${result.error.code} ${result.error.detail}`)
  assert.equal(applySplices(result.value.after.text, result.value.inverse), text)
  return result.value.after.text
}

function refuse(name: string, text: string, delta: Delta): string {
  const { result } = plan(name, text, delta)
  assert.ok(!result.ok, result.ok ? result.value.after.text : '')
  return result.error.code
}

test('JSON: a value is written in the style of the file', () => {
  const rows: readonly (readonly [string, string, JsonValue, string])[] = [
    ['{"a":1,"b":[1]}', 'key:a', { x: [1, 2], y: {} }, '{"a":{"x":[1,2],"y":{}},"b":[1]}'],
    ['{ "a": 1 }', 'key:a', { x: [1, 2] }, '{ "a": { "x": [1, 2] } }'],
    ['{\n\t"a": 1\n}\n', 'key:a', { x: [1] }, '{\n\t"a": {\n\t\t"x": [\n\t\t\t1\n\t\t]\n\t}\n}\n'],
    ['{\r\n    "a": 1\r\n}', 'key:a', [1], '{\r\n    "a": [\r\n        1\r\n    ]\r\n}'],
    ['{\n  "a": [1, 2]\n}', 'key:a', [1, 3, 4], '{\n  "a": [1, 3, 4]\n}'],
    ['{\n  "a": {}\n}', 'key:a/key:b', 'x', '{\n  "a": {\n    "b": "x"\n  }\n}'],
    ['{"a":{}}', 'key:a/key:b', 'x', '{"a":{"b":"x"}}'],
    ['{}', 'key:a', null, '{"a": null}'],
    ['{\n  "a": 1\n}', 'key:__proto__', 2, '{\n  "a": 1,\n  "__proto__": 2\n}'],
    ['[1, 2]', 'item:2', 3, '[1, 2, 3]'],
  ]
  for (const [text, target, value, due] of rows) {
    assert.equal(set('a.json', text, target, value), due)
  }
})

test('JSON with comments: they stay, also within a value of which only a part changes', () => {
  const text = '{\n  // One.\n  "a": {\n    "x": 1, // x\n    /* y */ "y": 2\n  } // behind\n}\n'
  assert.equal(
    set('a.jsonc', text, 'key:a', { x: 1, y: 3, z: 4 }),
    '{\n  // One.\n  "a": {\n    "x": 1, // x\n    /* y */ "y": 3,\n    "z": 4\n  } // behind\n}\n',
  )
  assert.equal(
    refuse('a.jsonc', text, { op: 'setValue', target: 'key:a', value: 5 }),
    'TARGET_UNFIT',
  )
  assert.equal(
    removeKey('a.jsonc', text, 'key:a/key:y'),
    text.replace(',', '').replace('    /* y */ "y": 2\n', ''),
  )
})

test('YAML: a value is written in the style of the file', () => {
  const rows: readonly (readonly [string, string, JsonValue, string])[] = [
    ['a: 1 # c\n', 'key:a', 2, 'a: 2 # c\n'],
    ['a:   1\n', 'key:a', 'x', 'a:   x\n'],
    ["a: 'x'\n", 'key:a', 'y', "a: 'y'\n"],
    ['a: "x"\n', 'key:a', 'y', 'a: "y"\n'],
    ['a: x\n', 'key:a', 'yes', 'a: "yes"\n'],
    ['a: x\n', 'key:a', 'null', 'a: "null"\n'],
    ['a: 1 # c\n', 'key:a', { b: 1 }, 'a: # c\n  b: 1\n'],
    ['a:\n  b: 1\nc: 2\n', 'key:a', 5, 'a: 5\nc: 2\n'],
    ['a: # c\n  b: 1\n', 'key:a', 5, 'a: 5 # c\n'],
    ['a:\n- 1\nb: x\n', 'key:b', [1, 2], 'a:\n- 1\nb:\n- 1\n- 2\n'],
    ['a:\n    - 1\nb: x\n', 'key:b', [1], 'a:\n    - 1\nb:\n    - 1\n'],
    ['a: [1, 2]\n', 'key:a', [1, 2, 3], 'a: [1, 2, 3]\n'],
    ['a: {b: 1}\n', 'key:a/key:c', { d: 'x, y' }, 'a: {b: 1, c: {d: "x, y"}}\n'],
    ['a: {}\n', 'key:a/key:c', 1, 'a: {c: 1}\n'],
    ['a:\nb: 1\n', 'key:a', 'x', 'a: x\nb: 1\n'],
    ['- a: 1\n- b: 2\n', 'item:0/key:c', 3, '- a: 1\n  c: 3\n- b: 2\n'],
    ['- a\n-\n- c\n', 'item:1', { x: 1, z: 2 }, '- a\n- x: 1\n  z: 2\n- c\n'],
    ['a: |\n  one\n  two\nb: 1\n', 'key:a', 'x', 'a: x\nb: 1\n'],
    ['a: x\r\nb: 1\r\n', 'key:a', ['z'], 'a:\r\n  - z\r\nb: 1\r\n'],
  ]
  for (const [text, target, value, due] of rows)
    assert.equal(set('a.yaml', text, target, value), due)
})

test('YAML: whoever takes the last key away leaves an empty value, not none', () => {
  assert.equal(removeKey('a.yaml', 'a:\n  b: 1\nc: 2\n', 'key:a/key:b'), 'a: {}\nc: 2\n')
  assert.equal(removeKey('a.yaml', 'a: 1\n', 'key:a'), '{}\n')
})

test('YAML: what an anchor or a merge spreads is not changed unasked', () => {
  const text = 'base: &b\n  x: 1\n  w: 0\none:\n  <<: *b\n  x: 2\n  y: 3\ntwo: *b\n'
  for (const delta of [
    { op: 'setValue', target: 'key:base/key:x', value: 5 },
    { op: 'setValue', target: 'key:base', value: 5 },
    { op: 'removeKey', target: 'key:one/key:x' },
    { op: 'removeKey', target: 'key:one/key:%3C%3C' },
    { op: 'removeKey', target: 'key:base' },
  ] as const)
    assert.match(refuse('a.yaml', text, delta), /^(?:TARGET_UNFIT|FRAGMENT_INVALID)$/u)
  assert.equal(set('a.yaml', text, 'key:one/key:y', 4), text.replace('y: 3', 'y: 4'))
  assert.equal(set('a.yaml', text, 'key:two', 4), text.replace('two: *b', 'two: 4'))
  assert.equal(removeKey('a.yaml', text, 'key:one/key:y'), text.replace('  y: 3\n', ''))
})

test('aliases of aliases that come to more than a memory holds are refused at once', () => {
  const lines = Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)
  const text = `a0: &a0 x\n${lines.join('')}z: 1\n`
  assert.equal(
    refuse('a.yaml', text, { op: 'setValue', target: 'key:z', value: 2 }),
    'TARGET_UNFIT',
  )
})

test('a missing parent, a place in a list that is not the next, and what is no value are refused', () => {
  for (const name of ['a.json', 'a.yaml']) {
    const text = '{"a": {"b": [1]}, "c": 1}'
    for (const [target, code] of [
      ['key:x/key:y', 'TARGET_MISSING'],
      ['key:c/key:y', 'TARGET_UNFIT'],
      ['key:a/key:b/item:5', 'TARGET_MISSING'],
      ['key:a/item:0', 'TARGET_MISSING'],
      ['key:a/key:b/key:x', 'TARGET_MISSING'],
      ['', 'PATH_INVALID'],
    ] as const)
      assert.equal(refuse(name, text, { op: 'setValue', target, value: 1 }), code, target)
    const value = { x: Number.NaN }
    assert.equal(refuse(name, text, { op: 'setValue', target: 'key:c', value }), 'FRAGMENT_INVALID')
    const target = 'key:a/key:b/item:0'
    assert.equal(refuse(name, text, { op: 'removeKey', target }), 'TARGET_UNFIT')
  }
  assert.equal(
    refuse('a.ts', 'let x\n', { op: 'setValue', target: 'key:a', value: 1 }),
    'TARGET_UNFIT',
  )
})

test('the value that is there already changes nothing', () => {
  assert.equal(set('a.yaml', 'a: "1"   # one\n', 'key:a', '1'), 'a: "1"   # one\n')
})

const PLAIN = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.boolean(),
  fc.constant(null),
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    'yes',
    '012',
    '1e3',
    '- a',
    'a: b',
    '# c',
    ' x ',
    'a\nb\n',
    "'",
    '"',
    '~',
    '|',
    '>',
    '&a',
    '*a',
    '<<',
    '{',
    '[1]',
    '12:30',
    '\t',
    '\u0085',
    '\u2028',
    '\u00a0',
    'a\n',
    '\n',
    ' a\n b',
    'a\r\nb',
    '%x',
    '@',
    '`',
    '---',
    '...',
    '?',
    'null',
    'é',
  ),
)
const KEY = fc.constantFrom('a', 'b', 'c', 'x y', 'yes', '1', '-', '#d', 'e: f', '', '~', '<')
const { value: VALUE } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    PLAIN,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(KEY, tie('value'), { maxKeys: 3 }),
  ),
}))

test('V1: whatever is set is read back, nothing else changes, and the inverse gives the bytes before', () => {
  const texts = [
    ['a.json', '{\n  "a": {"x": 1, "y": [1, 2]},\n  "b": [\n    {"c": null}\n  ]\n}\n'],
    [
      'a.jsonc',
      '{ // c\n  "a": {"x": 1, "y": [1, 2]}, // d\n  "b": [\n    {"c": null} // e\n  ]\n}',
    ],
    ['a.yaml', '# h\na:\n  x: 1 # c\n  # d\n  y: [1, 2]\nb:\n- c: null\n'],
    ['b.yaml', 'a: { x: 1, y: [1, 2] } # c\nb:\n    -   c:\n'],
    ['c.yml', 'a:\r\n  x: 1\r\n  y:\r\n    - 1\r\n    - 2\r\nb:\r\n  - c: ~'],
  ] as const
  const targets = [
    'key:a',
    'key:a/key:x',
    'key:a/key:y',
    'key:a/key:y/item:1',
    'key:b/item:0',
    'key:b/item:0/key:c',
    'key:b/item:0/key:new',
    'key:a/key:z',
    'key:q',
    'key:b/item:1',
  ]
  const base = { a: { x: 1, y: [1, 2] }, b: [{ c: null }] }
  const read = (name: string, text: string): JsonValue => {
    const format = findFormat(name)
    const parsed = format?.parse(text)
    assert.ok(parsed?.ok === true, text)
    const value = format?.values?.read(parsed.value)
    assert.ok(value?.ok === true, text)
    return value.value
  }
  let refused = 0
  let done = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.constantFrom(...targets),
      VALUE,
      ([name, text], target, value) => {
        assert.ok(isSameValue(read(name, text), base))
        const { result } = plan(name, text, { op: 'setValue', target, value })
        done += 1
        // A comment of what is replaced is not dropped; nothing else stands in the way.
        if (!result.ok) {
          refused += 1
          assert.match(
            result.error.detail,
            /comment/u,
            `${text} ${target} ${JSON.stringify(value)}: ${result.error.detail}`,
          )
          return
        }
        const { after, inverse, splices } = result.value
        assert.equal(applySplices(text, splices), after.text)
        assert.equal(applySplices(after.text, inverse), text)
        const steps = target.split('/').map((step) => step.slice(step.indexOf(':') + 1))
        const due = structuredClone(base) as unknown
        let holder = due as Record<string, unknown>
        for (const step of steps.slice(0, -1)) holder = holder[step] as Record<string, unknown>
        holder[steps.at(-1) ?? ''] = value
        assert.ok(isSameValue(read(name, after.text), due as JsonValue), after.text)
      },
    ),
    { numRuns: 300 },
  )
  assert.ok(refused < done / 10, `${refused} of ${done} were refused`)
})
