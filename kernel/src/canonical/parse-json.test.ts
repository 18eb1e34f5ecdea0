import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeUtf8 } from './bytes.ts'
import { answer, anyJson, bare } from './json.test-support.ts'
import { JSON_LIMITS, type JsonProblem, parseJson } from './parse-json.ts'

function parsed(input: Uint8Array | string): unknown {
  const result = parseJson(input)
  assert(result.ok, `refused: ${JSON.stringify(result)}`)
  return result.value
}

function problem(input: Uint8Array | string): JsonProblem {
  const result = parseJson(input)
  assert(!result.ok, 'accepted')
  return result.error
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

test('every kind of value is read, with white space anywhere between', () => {
  assert.deepEqual(
    parsed('\t{ "a" : [ 1 , -2.5 , "x" ] ,\r\n"b":{"c":null},"d":true,"e":false,"f":[],"g":{}} \n'),
    bare([
      ['a', [1, -2.5, 'x']],
      ['b', bare([['c', null]])],
      ['d', true],
      ['e', false],
      ['f', []],
      ['g', bare([])],
    ]),
  )
})

test('objects have no prototype, at any level', () => {
  const outer = Object(parsed('{"a":{}}'))
  assert.equal(Object.getPrototypeOf(outer), null)
  assert.equal(Object.getPrototypeOf(outer.a), null)
})

test('whatever JSON.stringify writes is read back the same, as text and as bytes', () => {
  fc.assert(
    fc.property(anyJson, fc.constantFrom(0, 1, 4), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepEqual(parsed(text), value)
      assert.deepEqual(parsed(encodeUtf8(text)), value)
    }),
  )
})

test('any text gets an answer, and only what JSON.parse accepts is accepted', () => {
  const scraps = fc.constantFrom(...'{}[]:,"\\ \n019.-+eEtruefalsn', 'null', '\\u', '\ud800', 'é')
  fc.assert(
    fc.property(fc.array(scraps, { maxLength: 24 }), (parts) => {
      const text = parts.join('')
      if (answer(text) === 'ok') assert.doesNotThrow(() => JSON.parse(text), text)
      if (answer(text) === 'JSON_SYNTAX') assert.throws(() => JSON.parse(text), text)
    }),
    { numRuns: 2000 },
  )
})

test('a text that is not JSON is refused where it stops being JSON', () => {
  const wrong: readonly (readonly [string, number])[] = [
    ['', 0],
    [' ', 1],
    ['{', 1],
    ['{"a"}', 4],
    ['{"a":1,}', 7],
    ['{"a":1 "b":2}', 7],
    ['{a:1}', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['[', 1],
    ['01', 1],
    ['-', 1],
    ['1.', 2],
    ['1.e5', 2],
    ['1e', 2],
    ['1e+', 3],
    ['-a', 1],
    ['+1', 0],
    ['.5', 0],
    ['nul', 0],
    ['True', 0],
    ['NaN', 0],
    ['Infinity', 0],
    ['1 1', 2],
    ['"a\nb"', 2],
    ['"\\n\tb"', 3],
    ['"\\x41"', 1],
    ['"\\u12g4"', 1],
    ['"\\u12', 1],
    ['"\\', 1],
    ["'a'", 0],
    ['\u00a01', 0],
  ]
  for (const [text, at] of wrong) {
    const { code, at: found } = problem(text)
    assert.deepEqual([text, code, found], [text, 'JSON_SYNTAX', at])
  }
  assert.equal(problem('"abc').code, 'JSON_SYNTAX')
  assert.equal(problem('"\\nabc').code, 'JSON_SYNTAX')
})

test('escapes are read, in either case of their digits', () => {
  assert.equal(parsed('"\\"\\\\\\/\\b\\f\\n\\r\\t"'), '"\\/\b\f\n\r\t')
  assert.equal(parsed('"a\\u00e9b\\u00E9c\\ud83d\\uDE00d"'), 'aébéc😀d')
})

test('duplicate keys are refused, identical values and other spellings too', () => {
  assert.equal(problem('{"amount":1,"amount":1000}').code, 'JSON_DUPLICATE_KEY')
  assert.equal(problem('{"amount":1,"amount":1}').code, 'JSON_DUPLICATE_KEY')
  assert.equal(problem('{"a":1,"\\u0061":2}').code, 'JSON_DUPLICATE_KEY')
  assert.equal(problem('{"1":1,"1":2}').code, 'JSON_DUPLICATE_KEY')
  assert.equal(problem('{"":1,"":2}').at, 6)
  assert.equal(answer('{"a":1,"A":2,"b":{"a":1}}'), 'ok')
  assert.equal(answer('{"toString":1,"hasOwnProperty":2,"valueOf":3}'), 'ok')
})

test('keys that JavaScript gives a meaning are refused at every level', () => {
  for (const key of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
    assert.equal(problem(`{"${key}":{"isAdmin":true}}`).code, 'JSON_FORBIDDEN_KEY')
    assert.equal(problem(`[{"a":{"b":{"${key}":1}}}]`).code, 'JSON_FORBIDDEN_KEY')
    assert.equal(answer(`["${key}"]`), 'ok')
  }
  assert.equal(answer('{"__proto":1,"Constructor":2,"prototypes":3}'), 'ok')
})

test('spellings of one number are one number', () => {
  for (const text of ['1', '1.0', '1e0', '10e-1', '0.1E+1', '1.000', '100e-0002']) {
    assert.equal(parsed(text), 1, text)
  }
  assert.equal(parsed('48500.00'), 48500)
  assert.equal(parsed('0'), 0)
  assert.equal(parsed('0.00'), 0)
  assert.equal(parsed('0e99999999999999999999'), 0)
})

test('negative zero is refused in every spelling', () => {
  for (const text of ['-0', '-0.0', '-0e5', '-0.0e5', '-0E-5', '-1e-400', '-0.0000000000000000']) {
    assert.equal(problem(text).code, 'JSON_NEGATIVE_ZERO', text)
    assert.equal(problem(`{"a":[1,${text}]}`).code, 'JSON_NEGATIVE_ZERO', text)
  }
})

test('a number outside the range of a double is refused, on both sides', () => {
  for (const text of ['1e400', '-1e400', '1.7976931348623159e308', '1e-400', '2e-324']) {
    assert.equal(problem(text).code, 'JSON_NUMBER_RANGE', text)
  }
  assert.equal(parsed('1.7976931348623157e308'), Number.MAX_VALUE)
  assert.equal(parsed('5e-324'), Number.MIN_VALUE)
})

test('a number that loses value is refused, its neighbour is not', () => {
  const lossy = [
    '9007199254740993',
    '-9007199254740993',
    '0.30000000000000004441',
    '333333333.33333329',
    '4e-324',
    '1.0000000000000000000001',
    '123456789012345678',
  ]
  for (const text of lossy) assert.equal(problem(text).code, 'JSON_NUMBER_PRECISION', text)
  assert.equal(parsed('9007199254740992'), 2 ** 53)
  assert.equal(parsed('9007199254740994'), 2 ** 53 + 2)
  assert.equal(parsed('0.30000000000000004'), 0.1 + 0.2)
  assert.equal(parsed('0.3000000000000000400000'), 0.1 + 0.2)
  assert.equal(parsed('123456789012345680'), 123456789012345680)
  assert.equal(parsed('999999999999999'), 999999999999999)
  assert.equal(parsed('0.12345678901234'), 0.12345678901234)
})

test('every finite double is read from its shortest form', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      fc.pre(!Object.is(value, -0))
      assert.equal(parsed(String(value)), value)
    }),
    { numRuns: 1000 },
  )
})

test('a number is accepted exactly when its digits are those of its double', () => {
  const lexeme = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.nat(6), fc.integer({ min: -40, max: 40 }))
    .map(([digits, zeros, exponent]) => `${digits}${'0'.repeat(zeros)}e${exponent}`)
  fc.assert(
    fc.property(lexeme, (text) => {
      const kept = rational(text) === rational(String(Number(text)))
      assert.equal(answer(text), kept ? 'ok' : 'JSON_NUMBER_PRECISION')
    }),
    { numRuns: 2000 },
  )
})

/** The value times 10^90, as an integer: slow and obviously right. */
function rational(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(90 - fraction.length + Number(exponent))
}

test('half a surrogate pair is refused, escaped or raw, in values and in keys', () => {
  const halves = ['\\ud800', '\\udc00\\ud800', '\\ud83dx', '\\ud83d\\n', '\ud800', '\\ud83d\ude00']
  for (const half of halves) {
    assert.equal(problem(`["${half}"]`).code, 'JSON_LONE_SURROGATE', half)
    assert.equal(problem(`{"${half}":1}`).code, 'JSON_LONE_SURROGATE', half)
  }
  assert.equal(parsed('"😀"'), '😀')
})

test('bytes that are not UTF-8 are refused, and so is a byte order mark', () => {
  assert.equal(problem(Uint8Array.of(0xff, 0xfe)).code, 'BODY_NOT_UTF8')
  assert.equal(problem(Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)).code, 'BODY_NOT_UTF8')
  assert.equal(problem(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)).code, 'BODY_NOT_UTF8')
  assert.equal(problem(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31)).code, 'BODY_NOT_UTF8')
  assert.equal(problem('\ufeff1').code, 'BODY_NOT_UTF8')
  assert.equal(parsed('"\ufeff"'), '\ufeff')
})

test('depth 64 is read and depth 65 is not, nor a million', () => {
  assert.equal(answer(nested(64)), 'ok')
  assert.equal(answer(nested(65)), 'JSON_DEPTH')
  assert.equal(answer('{"a":'.repeat(64) + 1 + '}'.repeat(64)), 'ok')
  assert.equal(answer('{"a":'.repeat(65) + 1 + '}'.repeat(65)), 'JSON_DEPTH')
  assert.equal(answer('['.repeat(200_000)), 'JSON_DEPTH')
  const huge = { ...JSON_LIMITS, bytes: 3_000_000 }
  assert.equal(answer(nested(1_000_000), huge), 'JSON_DEPTH')
})

test('the size limit counts UTF-8 bytes, of a string as of bytes', () => {
  const full = `"${'x'.repeat(JSON_LIMITS.bytes - 2)}"`
  assert.equal(answer(full), 'ok')
  assert.equal(answer(encodeUtf8(full)), 'ok')
  assert.equal(answer(`${full} `), 'BODY_TOO_LARGE')
  assert.equal(answer(encodeUtf8(`${full} `)), 'BODY_TOO_LARGE')
  assert.equal(answer(new Uint8Array(1_048_577)), 'BODY_TOO_LARGE')

  for (const text of [
    '"é"',
    '"€"',
    '"\u{80}"',
    '"\u{7ff}"',
    '"\u{800}"',
    '"😀"',
    '"\u{103ff}"',
    '"\u{10fc00}"',
    '"aé€😀"',
    `"${'€'.repeat(20)}"`,
  ]) {
    const bytes = encodeUtf8(text).length
    assert.equal(answer(text, { ...JSON_LIMITS, bytes }), 'ok', text)
    assert.equal(answer(text, { ...JSON_LIMITS, bytes: bytes - 1 }), 'BODY_TOO_LARGE', text)
  }
})

test('4096 keys are read and 4097 are not, in one object or in many', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',')
  const objects = (count: number) => `[${Array(count).fill('{"a":1}').join(',')}]`
  assert.equal(answer(`{${keys(4096)}}`), 'ok')
  assert.equal(answer(`{${keys(4097)}}`), 'JSON_TOO_MANY_KEYS')
  assert.equal(answer(`{${keys(10_001)}}`), 'JSON_TOO_MANY_KEYS')
  assert.equal(answer(objects(4096)), 'ok')
  assert.equal(answer(objects(4097)), 'JSON_TOO_MANY_KEYS')
})

test('a number of 200,000 digits is answered, exactly', () => {
  const zeros = '0'.repeat(200_000)
  assert.equal(answer('1'.repeat(200_000)), 'JSON_NUMBER_RANGE')
  assert.equal(answer(`0.${'3'.repeat(200_000)}`), 'JSON_NUMBER_PRECISION')
  assert.equal(answer(`1e${'9'.repeat(200_000)}`), 'JSON_NUMBER_RANGE')
  assert.equal(answer(`1e-${'9'.repeat(200_000)}`), 'JSON_NUMBER_RANGE')
  assert.equal(parsed(`1${zeros}e-200000`), 1)
  assert.equal(parsed(`0.${zeros}1e200001`), 1)
  assert.equal(parsed(`1.${zeros}`), 1)
})

test('limits are the caller’s, within what the call stack bears', () => {
  assert.equal(answer('[[1]]', { ...JSON_LIMITS, depth: 1 }), 'JSON_DEPTH')
  assert.equal(answer('1', { ...JSON_LIMITS, depth: 0 }), 'ok')
  assert.equal(answer(nested(512), { ...JSON_LIMITS, depth: 512 }), 'ok')
  assert.throws(() => parseJson('1', { ...JSON_LIMITS, depth: 513 }), /call stack/)
})

test('where numbers may be the nearest, one with too many digits is that, and nothing else is taken', () => {
  const nearest = { ...JSON_LIMITS, numbers: 'nearest' } as const
  assert.deepEqual(parseJson('[0.12345678901234567890, 9007199254740993]', nearest), {
    ok: true,
    value: [0.12345678901234568, 9007199254740992],
  })
  for (const [text, code] of [
    ['-0', 'JSON_NEGATIVE_ZERO'],
    ['1e999', 'JSON_NUMBER_RANGE'],
    ['1e-999', 'JSON_NUMBER_RANGE'],
    ['01', 'JSON_SYNTAX'],
    ['{"a":1,"a":1}', 'JSON_DUPLICATE_KEY'],
  ] as const) {
    const parsed = parseJson(text, nearest)
    assert.equal(parsed.ok ? 'taken' : parsed.error.code, code, text)
  }
  assert.equal(parseJson('9007199254740993', { ...nearest, numbers: 'exact' }).ok, false)
})
