/** Reads what a monitor computes. Bounds are decimals; values are named by their source. */
import { compareDecimal } from '../canonical/decimal.ts'
import { listOf } from '../contract/read-list.ts'
import {
  count,
  createChoiceReader,
  freeText,
  readDecimal,
  readPositiveOrZero,
} from '../contract/read-scalar.ts'
import { Fields, type Place, type Read } from '../contract/reader.ts'
import { LIMITS } from '../limits.ts'
import type { Bounds, Condition, Statistic } from './monitor.ts'
import { parseSource, SOURCE_KINDS } from './source.ts'
import { toExactDecimal } from './total.ts'

const kinds: Read<Statistic['kind']> = createChoiceReader(
  'mean',
  'rate',
  'ratio',
  'streak',
  'cusum',
  'shift',
)

export const readStatistic: Read<Statistic> = (value, place) => {
  const fields = new Fields(value, place)
  const kind = fields.readRequired('kind', kinds)
  const read = STATISTICS[kind](fields.readRequired('value', readSource), fields)
  fields.end()
  return read
}

type ReadStatistic = (value: string, fields: Fields) => Statistic

const STATISTICS: Readonly<Record<Statistic['kind'], ReadStatistic>> = {
  mean: (value, fields) => ({ kind: 'mean', value, ...readBounds(fields) }),
  rate: (value, fields) => ({
    kind: 'rate',
    value,
    when: fields.readRequired('when', readCondition),
    ...readBounds(fields),
  }),
  ratio: (value, fields) => ({
    kind: 'ratio',
    value,
    of: fields.readRequired('of', readSource),
    ...readBounds(fields),
  }),
  streak: (value, fields) => ({
    kind: 'streak',
    value,
    when: fields.readRequired('when', readCondition),
    length: fields.readRequired('length', count(1)),
  }),
  cusum: (value, fields) => ({
    kind: 'cusum',
    value,
    target: fields.readRequired('target', readDecimal),
    slack: fields.readDefaulted('slack', readPositiveOrZero, '0'),
    direction: fields.readRequired('direction', createChoiceReader('up', 'down')),
    max: fields.readRequired('max', readPositiveOrZero),
  }),
  shift: (value, fields) => ({
    kind: 'shift',
    value,
    ...readBins(fields),
    max: fields.readRequired('max', readPositiveOrZero),
  }),
}

/** A statistic without a bound is a number that nobody acts on. */
function readBounds(fields: Fields): Bounds {
  const read: Bounds = {
    ...fields.readOptional('max', readDecimal, (max) => ({ max })),
    ...fields.readOptional('min', readDecimal, (min) => ({ min })),
  }
  if (!fields.has('max') && !fields.has('min')) fields.refuse('needs `max`, `min` or both')
  return read
}

const readSource: Read<string> = (value, place) => {
  if (typeof value === 'string' && parseSource(value) !== undefined) return value
  const known = SOURCE_KINDS.map((kind) => `\`${kind}:NAME\``).join(', ')
  place.refuseValue(value, `${known} or \`status\``)
  return 'status'
}

/** One of `is`, `above` and `below`; the last two take a number, or another value to compare with. */
const readCondition: Read<Condition> = (value, place) => {
  const fields = new Fields(value, place)
  const found: readonly Condition[] = [
    ...(fields.has('is') ? [{ is: fields.readRequired('is', readWord) }] : []),
    ...(fields.has('above') ? [{ above: fields.readRequired('above', readNumberOrSource) }] : []),
    ...(fields.has('below') ? [{ below: fields.readRequired('below', readNumberOrSource) }] : []),
  ]
  fields.end()
  const [first, ...more] = found
  if (first !== undefined && more.length === 0) return first
  place.refuse('needs one of `is`, `above` and `below`')
  return { is: '' }
}

const readWord: Read<string> = (value, place) => {
  const text = freeText(value, place)
  const most = LIMITS.monitorTextLength
  if (text.length > most) place.refuse(`is longer than ${most} characters`)
  return text
}

const readNumberOrSource: Read<string> = (value, place) =>
  typeof value === 'string' && parseSource(value) !== undefined ? value : readDecimal(value, place)

type Bins = { readonly edges: readonly string[]; readonly baseline: readonly number[] }

function readBins(fields: Fields): Bins {
  const edges = fields.readRequired('edges', listOf(readDecimal, LIMITS.monitorBins - 1))
  const baseline = fields.readRequired('baseline', (value, place) => {
    const counts = listOf(count(0), LIMITS.monitorBins)(value, place)
    checkBaseline(counts, edges, place)
    return counts
  })
  if (!isRising(edges)) fields.refuse('`edges` do not rise')
  return { edges, baseline }
}

function isRising(edges: readonly string[]): boolean {
  const values = edges.map(toExactDecimal)
  return values.every((value, i) =>
    values.slice(0, i).every((earlier) => compareDecimal(earlier, value) < 0),
  )
}

/** Shares of a handful are no shares: one more execution would change all of them. */
function checkBaseline(counts: readonly number[], edges: readonly string[], place: Place): void {
  if (counts.length !== edges.length + 1)
    place.refuse(`needs ${edges.length + 1} counts, one more than there are edges`)
  const total = counts.reduce((sum, one) => sum + one, 0)
  const least = LIMITS.monitorBaseline
  if (total < least) place.refuse(`counts ${total} executions, and needs at least ${least}`)
}
