import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareDecimal, type Decimal, formatDecimal, parseDecimal } from '../canonical/decimal.ts'
import type { Narrowed } from './narrow-node.ts'
import { type DecimalRange, narrowRange } from './narrow-range.ts'
import type { GrammarNode, TextNode } from './node.ts'

function decimal(text: string): Decimal {
  const read = parseDecimal(text)
  assert.ok(read !== undefined, text)
  return read
}

const between = (min: string | null, max: string | null): DecimalRange => ({
  min: min === null ? null : decimal(min),
  max: max === null ? null : decimal(max),
})

const text: TextNode = { kind: 'text', min: 0, max: 256, isLengthStated: false }

/** `least most scale` of the decimals that are left. */
function tellDecimal(narrowed: Narrowed): string {
  if (typeof narrowed === 'string') return narrowed
  assert.ok(narrowed.kind === 'decimal')
  return `${formatDecimal(narrowed.min)} ${formatDecimal(narrowed.max)} ${narrowed.scale}`
}

test('listed values stay that are numbers inside of the range, in whatever form', () => {
  const listed: GrammarNode = { kind: 'values', values: ['1', 2, '2.50', 3, 'x', null, true, '03'] }
  const left = (min: string | null, max: string | null): unknown =>
    narrowRange(listed, between(min, max))
  assert.deepEqual(left('2', '2.5'), { kind: 'values', values: [2, '2.50'] })
  assert.deepEqual(left('1', '3'), { kind: 'values', values: ['1', 2, '2.50', 3] })
  assert.deepEqual(left(null, '1'), { kind: 'values', values: ['1'] })
  assert.deepEqual(left('2.6', null), { kind: 'values', values: [3] })
  assert.deepEqual(left(null, null), { kind: 'values', values: ['1', 2, '2.50', 3] })
  assert.equal(left('3.1', '4'), 'empty')
})

test('whole numbers and numbers keep the narrower of both ends', () => {
  const integer: GrammarNode = { kind: 'integer', min: -5n, max: 5n }
  const number: GrammarNode = { kind: 'number', min: decimal('-5'), max: decimal('5') }
  for (const [min, max, least, most] of [
    ['-9', '9', -5n, 5n],
    ['-1.5', '2.5', -1n, 2n],
    [null, '0', -5n, 0n],
    ['0', null, 0n, 5n],
    ['5', '9', 5n, 5n],
  ] as const)
    assert.deepEqual(narrowRange(integer, between(min, max)), {
      kind: 'integer',
      min: least,
      max: most,
    })
  for (const [min, max] of [
    ['0.1', '0.9'],
    ['6', null],
    [null, '-5.5'],
  ] as const)
    assert.equal(narrowRange(integer, between(min, max)), 'empty')
  for (const [min, max, least, most] of [
    ['-9', '9', '-5', '5'],
    ['-1.5', '2.5', '-1.5', '2.5'],
    [null, null, '-5', '5'],
    ['5', null, '5', '5'],
  ] as const)
    assert.deepEqual(narrowRange(number, between(min, max)), {
      ...{ kind: 'number', min: decimal(least), max: decimal(most) },
    })
  const open: GrammarNode = { kind: 'number', min: null, max: null }
  assert.deepEqual(narrowRange(open, between(null, '1')), { ...open, max: decimal('1') })
  assert.deepEqual(narrowRange(open, between('1', null)), { ...open, min: decimal('1') })
  assert.equal(narrowRange(number, between('5.1', null)), 'empty')
  assert.equal(narrowRange(number, between(null, '-5.1')), 'empty')
})

test('a decimal keeps its scale, and is empty where none of that scale lies in the range', () => {
  const amount: GrammarNode = {
    kind: 'decimal',
    min: decimal('0'),
    max: decimal('99.99'),
    scale: 2,
  }
  assert.equal(tellDecimal(narrowRange(amount, between('1.234', '5'))), '1.234 5 2')
  assert.equal(tellDecimal(narrowRange(amount, between('-1', '100'))), '0 99.99 2')
  assert.equal(tellDecimal(narrowRange(amount, between('0.01', '0.01'))), '0.01 0.01 2')
  assert.equal(narrowRange(amount, between('0.011', '0.019')), 'empty')
  assert.equal(narrowRange(amount, between('100', null)), 'empty')
})

test('what has members or elements is outside of every range, and alternatives are for whoever knows them', () => {
  const all = between(null, null)
  assert.equal(narrowRange({ kind: 'object', members: [] }, all), 'empty')
  assert.equal(narrowRange({ kind: 'list', items: text, min: 0, max: 1 }, all), 'empty')
  assert.equal(narrowRange({ kind: 'choice', of: [text] }, all), 'unsaid')
})

test('a plain text has two digits behind the point, and more where the range is so small that it needs them', () => {
  const scaleOf = (min: string | null, max: string | null): string =>
    tellDecimal(narrowRange(text, between(min, max))).split(' ')[2] ?? ''
  for (const [min, max, scale] of [
    [null, '10', '2'],
    [null, '9.99', '3'],
    [null, '0.5', '4'],
    [null, '-10', '2'],
    [null, '-9.99', '3'],
    ['-10', '0.5', '2'],
    ['-9.99', '0.5', '3'],
    ['0', '0', '2'],
    [null, '0', '2'],
    ['100.001', '100.002', '3'],
    ['1.00001', '1.00002', '5'],
    [null, '0.0000000001', '8'],
    ['5', null, '2'],
    ['0.123', null, '3'],
    ['0.1234567891', null, '8'],
    [null, null, '2'],
  ] as const)
    assert.equal(scaleOf(min, max), scale, `${min}..${max}`)
})

test('a plain text is a number of at most fifteen digits before the point, or of as many as its length has room for', () => {
  const all = between(null, null)
  const stated = (min: number, max: number): TextNode => ({
    ...text,
    min,
    max,
    isLengthStated: true,
  })
  const nines = (count: number): string => '9'.repeat(count)
  assert.equal(tellDecimal(narrowRange(text, all)), `-${nines(14)}.99 ${nines(15)}.99 2`)
  assert.equal(tellDecimal(narrowRange(stated(0, 9), all)), '-99999.99 999999.99 2')
  assert.equal(tellDecimal(narrowRange(stated(0, 40), all)), `-${nines(14)}.99 ${nines(15)}.99 2`)
  assert.equal(tellDecimal(narrowRange(stated(0, 5), all)), '-9.99 99.99 2')
  assert.equal(narrowRange(stated(0, 4), all), 'unsaid')
  // `0.00` is the shortest that is written: whoever asks for more could not have it.
  assert.equal(tellDecimal(narrowRange(stated(4, 5), all)), '-9.99 99.99 2')
  assert.equal(narrowRange(stated(5, 9), all), 'unsaid')
})

test('every decimal that a plain text of a stated length comes to is no longer than that', () => {
  for (const max of [5, 6, 7, 9])
    for (const range of [
      between(null, null),
      between('-9999999', '9999999'),
      between(null, '0.5'),
    ]) {
      const left = narrowRange({ ...text, max, isLengthStated: true }, range)
      if (left === 'unsaid') continue
      assert.ok(typeof left !== 'string' && left.kind === 'decimal')
      for (const end of [left.min, left.max]) {
        const [whole = ''] = formatDecimal(end).split('.')
        assert.ok(whole.length + 1 + left.scale <= max, `${formatDecimal(end)} at ${max}`)
      }
      assert.ok(compareDecimal(left.min, left.max) <= 0)
    }
})

test('the pattern of a text says which decimals it has, where it is one of decimals and no length is stated', () => {
  const at = (pattern: string, min: string | null, max: string | null): string =>
    tellDecimal(narrowRange({ ...text, pattern }, between(min, max)))
  assert.equal(at('^[0-9]{1,3}$', null, '50'), '0 50 0')
  assert.equal(at('^[0-9]{1,3}[.][0-9]{2}$', null, '5000'), '0 999.99 2')
  assert.equal(at('^[0-9]{1,3}[.][0-9]{8}$', null, '5'), '0 5 8')
  assert.equal(at('^[0-9]{1,3}[.][0-9]{9}$', null, '5'), 'unsaid')
  assert.equal(at('^[a-z]+$', null, '5'), 'unsaid')
  assert.equal(at('^[1-9][0-9]{0,2}$', null, '0.5'), 'empty')
  const stated: TextNode = { ...text, isLengthStated: true, pattern: '^[0-9]{1,3}$' }
  assert.equal(narrowRange(stated, between(null, '5')), 'unsaid')
})
