import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decimal, formatDecimal } from '../canonical/decimal.ts'
import {
  chooseFormScale,
  type DecimalForm,
  getFormRange,
  parseDecimalForm,
} from './decimal-form.ts'
import { describeDecimalRange } from './decimal-range.ts'
import { createRandom, sampleSchema } from './sample.test-support.ts'

const UNDERSTOOD = [
  '^[0-9]{1,9}$',
  '^[0-9]+$',
  '^\\d{3}$',
  '^[0-9]{1,9}\\.[0-9]{2}$',
  '^0\\.[0-9]{2}$',
  '^[1-9][0-9]{0,3}$',
  '^[0-9]{1,7}(\\.[0-9]{2})?$',
  '^-?[0-9]{1,12}(\\.[0-9]{1,8})?$',
  '^-?[0-9]+(?:[.][0-9]+)?$',
  '^(0|[1-9][0-9]{0,15})([.][0-9]{1,6})?$',
  '^(?:0|[1-9][0-9]{0,14})$',
]

test('every decimal that the form of a pattern names fits the pattern', () => {
  const random = createRandom(3)
  for (const pattern of UNDERSTOOD) {
    const form = parseDecimalForm(pattern)
    assert.ok(form !== undefined, pattern)
    for (const wanted of [0, 2, 5]) {
      const scale = chooseFormScale(form, wanted)
      const { min, max } = getFormRange(form, scale)
      const range = describeDecimalRange(min, max, scale)
      assert.ok(range !== undefined, pattern)
      for (let nth = 0; nth < 200; nth++) {
        const text = sampleSchema({ type: 'string', pattern: range }, random)
        assert.match(String(text), new RegExp(pattern), `${pattern} at ${scale}`)
      }
      for (const end of [min, max]) assert.match(writeWhole(end, scale), new RegExp(pattern))
    }
  }
})

test('a pattern of which somebody could be wrong is none of decimals', () => {
  for (const pattern of [
    '[0-9]{1,9}',
    '^[0-9]{1,9}',
    '^[0-9a]{1,9}$',
    '^-?[1-9][0-9]*$',
    '^-?[0-9]{2,3}$',
    '^[0-9]{0}$',
    '^[0-9]{3,1}$',
    '^[0-9]{1,9}(\\.[0-9]{2}$',
    '^([0-9]{1,9})$',
    '^[0-9]{1,9}.[0-9]{2}$',
    '^[0-9]{1,9}$|x',
    '^(0|[1-9][0-9]*$',
    '^[0-9]{12345}$',
    '^[0-9]{1234}$',
    '^[0-9]{}$',
    '^[0-9]{,3}$',
    '^[0-9]{1,x}$',
    '^[0-9]{1;3}$',
    '^[0-9]{1,3$',
    '^[0-9]{1$',
    '^[0-9]{1,1234}$',
    '^[0-9]{0,0}$',
    '^[0-9](x[0-9])?$',
    '^[0-9]()?$',
    '^[0-9][.]$',
    '^[0-9][.][0-9]{0}$',
    '^[0-9][.][a-z]$',
    '^[0-9](?:[.][0-9]$',
    '^[0-9][.][0-9]?x$',
    '^(0|[a-z])$',
    '^(?:0|[1-9][0-9]*$',
    '^(?:0|0)$',
    '^-?[1-9]$',
    '^-?[0-9]{2}$',
    '^$',
    '^',
    '^[a-z]+$',
    '',
  ])
    assert.equal(parseDecimalForm(pattern), undefined, pattern)
})

const PLAIN: DecimalForm = {
  ...{ whole: [1, 1], positive: false, signed: false, fraction: null, optional: false },
}

test('of a pattern is read how many digits stand where, whether it has a sign, and whether it needs the point', () => {
  for (const [pattern, form] of [
    ['^[0-9]$', PLAIN],
    ['^\\d$', PLAIN],
    ['^-?[0-9]$', { ...PLAIN, signed: true }],
    ['^[0-9]{1,9}$', { ...PLAIN, whole: [1, 9] }],
    ['^[0-9]{0,9}$', { ...PLAIN, whole: [0, 9] }],
    ['^[0-9]{3}$', { ...PLAIN, whole: [3, 3] }],
    ['^[0-9]{2,2}$', { ...PLAIN, whole: [2, 2] }],
    ['^[0-9]{2,}$', { ...PLAIN, whole: [2, 15] }],
    ['^[0-9]{20,}$', { ...PLAIN, whole: [20, 20] }],
    ['^[0-9]{2,99}$', { ...PLAIN, whole: [2, 15] }],
    ['^[0-9]{20,99}$', { ...PLAIN, whole: [20, 20] }],
    ['^[0-9]{100}$', { ...PLAIN, whole: [100, 100] }],
    ['^[0-9]+$', { ...PLAIN, whole: [1, 15] }],
    ['^[0-9]*$', { ...PLAIN, whole: [0, 15] }],
    ['^[0-9]?$', { ...PLAIN, whole: [0, 1] }],
    ['^[1-9]$', { ...PLAIN, positive: true }],
    ['^[1-9][0-9]{2,3}$', { ...PLAIN, whole: [3, 4], positive: true }],
    ['^(0|[1-9][0-9]{0,3})$', { ...PLAIN, whole: [1, 4] }],
    ['^(?:0|[1-9])$', PLAIN],
    ['^-?(0|[1-9]\\d?)$', { ...PLAIN, whole: [1, 2], signed: true }],
    ['^0\\.[0-9]{2}$', { ...PLAIN, whole: [1, 0], fraction: [2, 2] }],
    ['^[0-9][.][0-9]+$', { ...PLAIN, fraction: [1, 15] }],
    ['^[0-9](\\.[0-9]{1,2})?$', { ...PLAIN, fraction: [1, 2], optional: true }],
    ['^[0-9](?:[.]\\d{1,2})?$', { ...PLAIN, fraction: [1, 2], optional: true }],
    ['^[0-9](\\.[0-9]{1,2})$', { ...PLAIN, fraction: [1, 2] }],
  ] satisfies readonly (readonly [string, DecimalForm])[])
    assert.deepEqual(parseDecimalForm(pattern), form, pattern)
})

test('the range of a form is that of its digits, on both sides of zero where it has a sign', () => {
  const rangeOf = (form: Partial<DecimalForm>, scale: number): string => {
    const { min, max } = getFormRange({ ...PLAIN, ...form }, scale)
    assert.deepEqual([min.scale, max.scale], [scale, scale])
    return `${min.digits} ${max.digits}`
  }
  assert.equal(rangeOf({}, 0), '0 9')
  assert.equal(rangeOf({ whole: [0, 2] }, 1), '0 999')
  assert.equal(rangeOf({ whole: [2, 3] }, 0), '10 999')
  assert.equal(rangeOf({ whole: [3, 3] }, 2), '10000 99999')
  assert.equal(rangeOf({ positive: true }, 0), '1 9')
  assert.equal(rangeOf({ positive: true }, 2), '100 999')
  assert.equal(rangeOf({ whole: [1, 0] }, 2), '0 99')
  assert.equal(rangeOf({ whole: [1, 2], signed: true }, 1), '-999 999')
})

test('of the scales of a form the one is chosen that is nearest to the wanted one', () => {
  const scaleOf = (form: Partial<DecimalForm>, wanted: number): number =>
    chooseFormScale({ ...PLAIN, ...form }, wanted)
  assert.equal(scaleOf({}, 3), 0)
  for (const [wanted, scale] of [
    [0, 2],
    [1, 2],
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 4],
  ] as const) {
    assert.equal(scaleOf({ fraction: [2, 4] }, wanted), scale)
    assert.equal(scaleOf({ fraction: [2, 4], optional: true }, wanted), wanted === 0 ? 0 : scale)
  }
})

function writeWhole(decimal: Decimal, scale: number): string {
  const text = formatDecimal(decimal)
  if (scale === 0) return text
  const [whole, fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(scale, '0')}`
}
