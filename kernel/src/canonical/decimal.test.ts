import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addDecimal,
  compareDecimal,
  convertMinorUnits,
  type Decimal,
  divideUp,
  formatDecimal,
  isMultipleOf,
  isNegative,
  isWithinPercent,
  multiplyDecimal,
  negateDecimal,
  parseDecimal,
  subtractDecimal,
  toDecimal,
  toMagnitude,
  toMinorUnits,
} from './decimal.ts'

const COMMON_SCALE = 40
const anyDecimal: fc.Arbitrary<Decimal> = fc.record({
  digits: fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
  scale: fc.nat(20),
})

/** A decimal as an integer at one scale for all, so that laws can be stated on integers. */
function integer(decimal: Decimal): bigint {
  return decimal.digits * 10n ** BigInt(COMMON_SCALE - decimal.scale)
}

function decimal(text: string): Decimal {
  const parsed = parseDecimal(text)
  assert(parsed !== undefined, text)
  return parsed
}

test('decimals are read digit by digit', () => {
  assert.deepEqual(decimal('15.500'), { digits: 15500n, scale: 3 })
  assert.deepEqual(decimal('-0.50'), { digits: -50n, scale: 2 })
  assert.deepEqual(decimal('0'), { digits: 0n, scale: 0 })
  assert.deepEqual(decimal('0.00'), { digits: 0n, scale: 2 })
  assert.deepEqual(decimal('9007199254740993'), { digits: 9007199254740993n, scale: 0 })
})

test('anything that two people could read differently is not a decimal', () => {
  const wrong = [
    ...['', '-', '.', '1.', '.5', '-.5', '+1', '1e3', '1E3', '0x10', '1n', 'NaN', 'Infinity'],
    ...[' 1', '1 ', '1\n', '1,000', '1.000,00', "1'000", '1_000', '1.2.3', '--1', '1-', '1-2'],
    ...['1:5', '1/5', '007', '00', '01.5', '-01', '-0', '-0.00', '１', '٣', '1\u00a0000', '½'],
  ]
  for (const text of wrong) assert.equal(parseDecimal(text), undefined, text)
})

test('64 characters are read and 65 are not', () => {
  assert.equal(decimal('9'.repeat(64)).digits, 10n ** 64n - 1n)
  assert.equal(parseDecimal('9'.repeat(65)), undefined)
})

test('a JSON number is taken at its shortest form', () => {
  assert.deepEqual(toDecimal(0.1), { digits: 1n, scale: 1 })
  assert.deepEqual(toDecimal(48500), { digits: 48500n, scale: 0 })
  assert.deepEqual(toDecimal(-1e21), { digits: -(10n ** 21n), scale: 0 })
  assert.deepEqual(toDecimal(1e-7), { digits: 1n, scale: 7 })
  assert.deepEqual(toDecimal(1.5e300), { digits: 15n * 10n ** 299n, scale: 0 })
  assert.deepEqual(toDecimal(5e-324), { digits: 5n, scale: 324 })
  assert.deepEqual(toDecimal(0), { digits: 0n, scale: 0 })
  assert.deepEqual(toDecimal('2.50'), { digits: 250n, scale: 2 })
})

test('only strings and finite numbers are decimals', () => {
  for (const value of [null, true, [], {}, ['1'], '1e3', Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(toDecimal(value), undefined)
  }
})

test('the text of a number’s decimal is that number', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const taken = toDecimal(value)
      assert(taken !== undefined)
      assert.equal(Number(formatDecimal(taken)), value === 0 ? 0 : value)
    }),
  )
})

test('the canonical text has no zeros to spare', () => {
  const pairs = [
    ['15.500', '15.5'],
    ['100', '100'],
    ['100.00', '100'],
    ['0.00', '0'],
    ['-0.050', '-0.05'],
    ['0.001', '0.001'],
  ] as const
  for (const [text, canonical] of pairs) assert.equal(formatDecimal(decimal(text)), canonical)
  assert.equal(formatDecimal(negateDecimal(decimal('0.0'))), '0')
})

test('the canonical text is read back as the same value', () => {
  fc.assert(
    fc.property(anyDecimal, (value) => {
      const again = decimal(formatDecimal(value))
      assert.equal(integer(again), integer(value))
      assert.equal(formatDecimal(again), formatDecimal(value))
    }),
  )
})

test('arithmetic and order are those of integers', () => {
  fc.assert(
    fc.property(anyDecimal, anyDecimal, (a, b) => {
      assert.equal(integer(addDecimal(a, b)), integer(a) + integer(b))
      assert.equal(integer(subtractDecimal(a, b)), integer(a) - integer(b))
      assert.equal(
        integer(multiplyDecimal(a, b)) * 10n ** BigInt(COMMON_SCALE),
        integer(a) * integer(b),
      )
      assert.equal(integer(negateDecimal(a)), -integer(a))
      assert.equal(isNegative(a), integer(a) < 0n)
      const difference = integer(a) - integer(b)
      assert.equal(compareDecimal(a, b), difference < 0n ? -1 : difference > 0n ? 1 : 0)
    }),
    { numRuns: 500 },
  )
})

test('scale does not count in a comparison', () => {
  assert.equal(compareDecimal(decimal('1.50'), decimal('1.5')), 0)
  assert.equal(compareDecimal(decimal('0.1'), decimal('0.10000000000000001')), -1)
  assert.equal(compareDecimal(decimal('-2'), decimal('-10')), 1)
})

test('minor units are exact or absent', () => {
  assert.equal(toMinorUnits(decimal('12.5'), 2), 1250n)
  assert.equal(toMinorUnits(decimal('12.50'), 2), 1250n)
  assert.equal(toMinorUnits(decimal('12.500'), 2), 1250n)
  assert.equal(toMinorUnits(decimal('12.505'), 2), undefined)
  assert.equal(toMinorUnits(decimal('-12.505'), 2), undefined)
  assert.equal(toMinorUnits(decimal('-7'), 0), -7n)
  assert.equal(formatDecimal(convertMinorUnits(-1250n, 2)), '-12.5')
  assert.throws(() => convertMinorUnits(1n, -1), /natural number/)
  assert.throws(() => convertMinorUnits(1n, 0.5), /natural number/)
})

test('a change of exactly the percentage is within it, the least more is not', () => {
  const cases = [
    ['100', '110', '10', true],
    ['100', '90', '10', true],
    ['100', '110.0000000000000001', '10', false],
    ['100', '89.9999999999999999', '10', false],
    ['-100', '-110', '10', true],
    ['-100', '-111', '10', false],
    ['0.3', '0.303', '1', true],
    ['5', '5', '0', true],
    ['5', '5', '-1', false],
    ['0', '0', '10', true],
    ['0', '0.0000001', '1000', false],
  ] as const
  for (const [from, to, pct, expected] of cases) {
    const within = isWithinPercent(decimal(from), decimal(to), decimal(pct))
    assert.equal(within, expected, `${from} to ${to} within ${pct} %`)
  }
})

test('a multiple is one of the decimals that are written, whatever a double makes of them', () => {
  const is = (value: number, of: number): boolean =>
    isMultipleOf(toDecimal(value) ?? assert.fail(), toDecimal(of) ?? assert.fail())
  for (const [value, of] of [
    [0.07, 0.01],
    [-4.35, 0.01],
    [0, 3],
    [12_391_239_123, 1e-8],
    [1e21, 1e20],
  ] as const)
    assert.equal(is(value, of), true, `${value} of ${of}`)
  for (const [value, of] of [
    [0.075, 0.01],
    [1, 3],
    [1e308, 0.123456789],
    [1e-9, 1e-8],
  ] as const)
    assert.equal(is(value, of), false, `${value} of ${of}`)
})

test('a quotient is rounded up at the last place, and not at all where it fits', () => {
  const cases = [
    ['170', '99.50', 6, '1.708543'],
    ['170', '99.50', 4, '1.7086'],
    ['1', '4', 2, '0.25'],
    ['1', '4', 1, '0.3'],
    ['1', '3', 0, '1'],
    ['0', '7', 6, '0'],
    ['0.0000001', '1', 6, '0.000001'],
    ['6', '0.5', 6, '12'],
  ] as const
  for (const [part, whole, places, expected] of cases)
    assert.equal(formatDecimal(divideUp(decimal(part), decimal(whole), places)), expected)
})

test('a quotient times its divisor is the dividend or the least more', () => {
  fc.assert(
    fc.property(anyDecimal, anyDecimal, fc.nat(12), (a, b, places) => {
      const [part, whole] = [toMagnitude(a), toMagnitude(b)]
      fc.pre(whole.digits > 0n)
      const up = divideUp(part, whole, places)
      assert.equal(up.scale, places)
      assert.ok(compareDecimal(multiplyDecimal(up, whole), part) >= 0)
      const less = { digits: up.digits - 1n, scale: places }
      assert.ok(compareDecimal(multiplyDecimal(less, whole), part) < 0)
    }),
  )
})

test('only a positive share is divided up', () => {
  assert.throws(() => divideUp(decimal('1'), decimal('0'), 6), /positive share/)
  assert.throws(() => divideUp(decimal('1'), decimal('-2'), 6), /positive share/)
  assert.throws(() => divideUp(decimal('-1'), decimal('2'), 6), /positive share/)
})

test('a magnitude has no sign', () => {
  assert.equal(formatDecimal(toMagnitude(decimal('-1.50'))), '1.5')
  assert.equal(formatDecimal(toMagnitude(decimal('1.50'))), '1.5')
  assert.equal(formatDecimal(toMagnitude(decimal('0'))), '0')
})
