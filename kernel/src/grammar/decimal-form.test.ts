import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decimal, formatDecimal } from '../canonical/decimal.ts'
import { chooseFormScale, getFormRange, parseDecimalForm } from './decimal-form.ts'
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
    '^[a-z]+$',
    '',
  ])
    assert.equal(parseDecimalForm(pattern), undefined, pattern)
})

function writeWhole(decimal: Decimal, scale: number): string {
  const text = formatDecimal(decimal)
  if (scale === 0) return text
  const [whole, fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(scale, '0')}`
}
