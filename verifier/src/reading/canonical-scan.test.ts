import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonValue, parseJson, toCanonicalText } from 'rubicon-kernel'
import { CanonicalScan, PLACES } from './canonical-scan.ts'
import { LINE_LIMITS } from './limits.ts'
import { cutTexts, writeMemberTexts } from './member-texts.ts'
import { seededDraws } from './seeded-draws.test-support.ts'

const scan = new CanonicalScan(LINE_LIMITS)

/** What the walk lets through, if parsing agrees. */
function isLetThrough(text: string): boolean {
  if (!scan.isCanonical(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isCanonicalSlowly(text: string): boolean {
  const value = parseJson(text, LINE_LIMITS)
  return value.ok && toCanonicalText(value.value) === text
}

const CANONICAL = [
  '{}',
  '[]',
  'null',
  '0',
  '-1',
  '10',
  '1.5',
  '1e+30',
  '1e-7',
  '9007199254740991',
  '"ü€😀"',
  '"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/"',
  '{"":0,"a":[1,{"b":null}],"aa":true,"b":false}',
  '{"a":0,"a!":1,"a!b":2}',
  '{"é":1,"😀":2}',
  '[[[]],{"x":{"y":{"z":"\\n"}}}]',
]

const OTHERWISE = [
  '',
  ' {}',
  '{} ',
  '{"b":1,"a":2}',
  '{"a":1,"a":1}',
  '{"a":1,}',
  '{"a" :1}',
  '{"a":1 }',
  '{a:1}',
  '{"a"}',
  '[1,]',
  '[1 ,2]',
  '[,]',
  '{"__proto__":1}',
  '{"constructor":1}',
  '{"prototype":1}',
  '{"\\u0061":1}',
  '"\\/"',
  '"\\u0041"',
  '"\\u000a"',
  '"\\u001F"',
  '"\\ud800"',
  '"\\x"',
  '"\\',
  '"a\u0001b"',
  '"a',
  '01',
  '-0',
  '1.0',
  '1e30',
  '1E+30',
  '.5',
  '+1',
  '-',
  '1e400',
  '0.1000000000000000055',
  '12345678901234567890',
  '9007199254740993',
  'nul',
  'True',
  '{"a":1}{"b":2}',
  '[1]]',
  '{"é":1,"z":2}',
]

test('what is canonical is let through, and nothing else', () => {
  for (const text of CANONICAL) {
    assert.equal(isCanonicalSlowly(text), true, text)
    assert.equal(isLetThrough(text), true, text)
  }
  for (const text of OTHERWISE) {
    assert.equal(isCanonicalSlowly(text), false, text)
    assert.equal(isLetThrough(text), false, text)
  }
})

test('names that need escapes are left to whoever unescapes them', () => {
  const text = '{"\\t":1,"a":2}'
  assert.equal(isCanonicalSlowly(text), true)
  assert.equal(isLetThrough(text), false)
})

test('limits hold', () => {
  const small = new CanonicalScan({ depth: 2, bytes: 60, keys: 2 })
  assert.equal(small.isCanonical('[[1]]'), true)
  assert.equal(small.isCanonical('[[[]]]'), false)
  assert.equal(small.isCanonical('{"a":{"b":1}}'), true)
  assert.equal(small.isCanonical('{"a":{"b":{}}}'), false)
  assert.equal(small.isCanonical('{"a":{"b":1},"c":1}'), false)
  assert.equal(small.isCanonical(`"${'x'.repeat(18)}"`), true)
  assert.equal(small.isCanonical(`"${'x'.repeat(19)}"`), false)
})

test('whatever is changed in a canonical text, the walk never lets through what parsing refuses', () => {
  const draws = seededDraws(7)
  const parts = [
    ',',
    '"',
    '{',
    '}',
    '[',
    ']',
    ':',
    '\\',
    ' ',
    '0',
    '1',
    'a',
    'e',
    '-',
    '\u0001',
    'ü',
  ]
  let passed = 0
  for (let round = 0; round < 3_000; round += 1) {
    const text = toCanonicalText(randomValue(draws, 3))
    assert.equal(isLetThrough(text), true, text)
    const at = draws(text.length + 1)
    const cut = draws(3)
    const changed = text.slice(0, at) + (parts[draws(parts.length)] ?? '') + text.slice(at + cut)
    if (!changed.isWellFormed() || !isLetThrough(changed)) continue
    passed += 1
    assert.equal(isCanonicalSlowly(changed), true, changed)
  }
  assert.ok(passed > 50)
})

test('texts of members are cut as they would be written', () => {
  const draws = seededDraws(8)
  for (let round = 0; round < 300; round += 1) {
    const value: JsonValue = randomValue(draws, 4)
    if (!isObject(value)) continue
    const text = `before${toCanonicalText(value)}behind`
    assert.equal(scan.isCanonical(text, 6, text.length - 6), true)
    const cut = cutTexts(scan.getMemberPlaces())
    const written = writeMemberTexts(value)
    for (const name of [...Object.keys(value), 'absent']) {
      assert.equal(cut.getText(name), written.getText(name))
      const member: JsonValue | undefined = value[name]
      if (!isObject(member)) continue
      const names: readonly string[] = Object.keys(member)
      for (const inner of [...names, 'absent'])
        assert.equal(cut.getText(name, inner), written.getText(name, inner))
      const left = names.filter((_, index) => index % 2 === 0)
      assert.equal(cut.getTextWithout(name, left), written.getTextWithout(name, left))
      assert.equal(cut.getTextWithout(name, []), toCanonicalText(member))
    }
  }
})

const TEXTS = ['', 'a', 'step-1', 'sha256:00', 'ü€', 'line\nbreak', 'a "quote"', '😀', '\u0002']

function randomValue(draws: (below: number) => number, depth: number): JsonValue {
  switch (draws(depth === 0 ? 4 : 7)) {
    case 0:
      return TEXTS[draws(TEXTS.length)] ?? ''
    case 1:
      return draws(1_000_000) / (draws(2) === 0 ? 1 : 64)
    case 2:
      return draws(2) === 0
    case 3:
      return null
    case 4:
      return Array.from({ length: draws(4) }, () => randomValue(draws, depth - 1))
    default:
      return Object.fromEntries(
        Array.from({ length: draws(6) }, () => {
          return [`${'abcdeü'.charAt(draws(6))}${draws(30)}`, randomValue(draws, depth - 1)]
        }),
      )
  }
}

test('what does not end within its part is not canonical, and neither is nothing', () => {
  assert.equal(scan.isCanonical('[1.0'), false)
  assert.equal(scan.isCanonical('{"a', 0, 1), false)
  assert.equal(scan.isCanonical('"', 0, 0), false)
})

test('yes is certain without parsing, but for control characters inside texts', () => {
  const broken = [
    '{xa":1}',
    '{"a"x1}',
    '{"a"',
    '{"a":1x"b":2}',
    '{"a":1]',
    '{"aa":1,"a":2}',
    '{"ab":1,"aa":2}',
    '{"a":1,"aa":2,"ab":3,"aa":4}',
    '[1x2]',
    '[1}',
    '[',
    '{',
    'tru',
    'falsy',
    'nil',
  ]
  for (const text of [...broken, ...OTHERWISE.filter((one) => !one.includes('\u0001'))])
    assert.equal(scan.isCanonical(text), false, text)
  for (const text of ['{"a":1,"aa":2}', '{"aa":1,"ab":2}', '{"a":1,"b":2,"ba":3}'])
    assert.equal(scan.isCanonical(text), true, text)
})

test('no beginning of a canonical text is canonical, but for one that is so by itself', () => {
  for (const text of CANONICAL)
    for (let end = 0; end < text.length; end += 1) {
      const begun = text.slice(0, end)
      if (!begun.isWellFormed()) continue
      const isOne = isCanonicalSlowly(begun)
      assert.equal(scan.isCanonical(begun), isOne, begun)
      // A number goes on behind the part that was asked about: then it is read the long way.
      if (!isOne) assert.equal(scan.isCanonical(`[${text}`, 1, 1 + end), false, begun)
    }
})

test('what a text has is counted for it alone', () => {
  const small = new CanonicalScan({ depth: 2, bytes: 300, keys: 2 })
  for (let time = 0; time < 3; time += 1) {
    assert.equal(small.isCanonical('{"a":1,"b":2}'), true)
    assert.equal(small.getMemberPlaces().length, 2 * PLACES)
    assert.equal(small.isCanonical('{"a":1,"b":2,"c":3}'), false)
    assert.equal(small.isCanonical('"\\n"'), true)
  }
})

test('where members stand is told of the text that was walked over last', () => {
  const places = scan.isCanonical('{"a":{"b":1}}') ? scan.getMemberPlaces() : assert.fail()
  assert.deepEqual([...places.places.slice(0, places.length)], [1, 2, 3, 5, 12, 2, 7, 8, 10, 11])
  assert.equal(places.isCurrent(), true)
  assert.equal(scan.isCanonical('[]'), true)
  assert.equal(places.isCurrent(), false)
  const many = `{${Array.from({ length: 200 }, (_, n) => `"${String(n).padStart(3, '0')}":${n}`)}}`
  assert.equal(scan.isCanonical(many), true)
  const all = cutTexts(scan.getMemberPlaces())
  for (const n of [0, 63, 64, 127, 199])
    assert.equal(all.getText(String(n).padStart(3, '0')), String(n))
})
