import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decimal, formatDecimal } from '../canonical/decimal.ts'
import { describeDecimalRange } from './decimal-range.ts'
import { createRandom } from './sample.test-support.ts'

/** With all digits behind the point, as grammars write it. */
function write(units: number, scale: number): string {
  const digits = String(Math.abs(units)).padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const sign = units < 0 ? '-' : ''
  return scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-scale)}`
}

const inUnits = (units: number, scale: number): Decimal => ({ digits: BigInt(units), scale })

test('a range of decimals is exactly the texts of its scale between its ends', () => {
  const random = createRandom(7)
  for (const scale of [0, 1, 2, 3]) {
    const reach = 1_250
    const all = Array.from({ length: 2 * reach + 1 }, (_, nth) => nth - reach)
    const texts = all.map((units) => write(units, scale))
    for (let nth = 0; nth < 150; nth++) {
      const ends = [random(2 * reach) - reach, random(2 * reach) - reach].sort((a, b) => a - b)
      const [min = 0, max = 0] = ends
      const pattern = describeDecimalRange(inUnits(min, scale), inUnits(max, scale), scale)
      const expression = new RegExp(pattern ?? 'none')
      for (const [index, units] of all.entries())
        assert.equal(
          expression.test(texts[index] ?? ''),
          units >= min && units <= max,
          `${texts[index]} of ${min}..${max} at ${scale}: ${pattern}`,
        )
    }
  }
})

test('what is written otherwise than decimals are is in no range', () => {
  const all = new RegExp(describeDecimalRange(inUnits(-99_999, 2), inUnits(99_999, 2), 2) ?? '')
  const whole = new RegExp(describeDecimalRange(inUnits(-999, 0), inUnits(999, 0), 0) ?? '')
  for (const text of [
    '',
    '-',
    '1',
    '1.',
    '.50',
    '1.5',
    '1.500',
    '01.50',
    '-0.00',
    '+1.00',
    '1e2',
    ' 1.00',
    '1.00\n1',
  ])
    assert.equal(all.test(text), false, text)
  for (const text of ['', '-0', '007', '1.0', '1 ', '٣'])
    assert.equal(whole.test(text), false, text)
})

test('zero has no sign, also where a range ends or begins with it', () => {
  for (const [min, max] of [
    [-5, 0],
    [0, 5],
    [0, 0],
    [-5, 5],
  ] as const)
    for (const scale of [0, 2]) {
      const pattern = describeDecimalRange(inUnits(min, scale), inUnits(max, scale), scale)
      const range = new RegExp(pattern ?? 'none')
      assert.ok(range.test(write(0, scale)), `${min}..${max}`)
      assert.ok(!range.test(`-${write(0, scale)}`), `${min}..${max}`)
    }
})

test('ends of a finer scale are rounded inwards, and where nothing is left there is no pattern', () => {
  const between = (min: string, max: string, scale: number): string | undefined =>
    describeDecimalRange(parse(min), parse(max), scale)
  assert.equal(between('0.001', '0.009', 2), undefined)
  assert.equal(between('1', '0', 0), undefined)
  assert.equal(between('0.001', '0.019', 2), '^(?:0[.]01)$')
  assert.equal(between('-0.019', '-0.001', 2), '^(?:-0[.]01)$')
  assert.equal(between('0', '0', 0), '^(?:0)$')
  assert.equal(between('0', '100', 0), '^(?:[0-9]|[1-9][0-9]|100)$')
})

test('a range of very many digits stays short', () => {
  const pattern = describeDecimalRange(
    parse(`-${'9'.repeat(40)}.5`),
    parse(`8${'1'.repeat(40)}`),
    8,
  )
  assert.ok((pattern?.length ?? Number.NaN) < 8_000, String(pattern?.length))
})

function parse(text: string): Decimal {
  const [whole = '', fraction = ''] = text.split('.')
  const decimal = { digits: BigInt(whole + fraction), scale: fraction.length }
  assert.equal(formatDecimal(decimal), text)
  return decimal
}
