/** What a list is narrowed to, said in a few words each; every one can be taken off. */
import { formatAmount } from '../amount.ts'
import { type ListFilter, TAG_WORDS } from './list-filter.ts'
import { TIME_RANGES } from './time-ranges.ts'

export type FilterChip = {
  /** Members of the address that it stands for. */
  readonly names: readonly string[]
  readonly label: string
  readonly value: string
}

export function listFilterChips(
  filter: ListFilter,
  formatMoment: (instant: string) => string,
): readonly FilterChip[] {
  const { agent, kind, reason, tag } = filter
  const plain = { agent, kind, reason, tag: tag === undefined ? undefined : TAG_WORDS[tag] }
  return [
    ...describeTime(filter, formatMoment),
    ...Object.entries(plain).flatMap(([name, value]) =>
      value === undefined ? [] : [{ names: [name], label: name, value }],
    ),
    ...describeAmount(filter),
    ...(filter.words === undefined
      ? []
      : [{ names: ['words'], label: 'words', value: filter.words }]),
  ]
}

function describeTime(
  { within, since, until }: ListFilter,
  formatMoment: (instant: string) => string,
): readonly FilterChip[] {
  const names = ['within', 'since', 'until']
  const range = TIME_RANGES.find(({ value }) => value === within)
  const from =
    range?.label.toLowerCase() ?? (since === undefined ? '' : `from ${formatMoment(since)}`)
  const to = until === undefined ? '' : `until ${formatMoment(until)}`
  const value = [from, to].filter((part) => part !== '').join(' ')
  return value === '' ? [] : [{ names, label: 'time', value }]
}

function describeAmount({ measure, amount_min, amount_max }: ListFilter): readonly FilterChip[] {
  const names = ['measure', 'amount_min', 'amount_max']
  const least = amount_min === undefined ? '' : `at least ${formatAmount(amount_min)}`
  const most = amount_max === undefined ? '' : `at most ${formatAmount(amount_max)}`
  const value = [least, most, measure ?? ''].filter((part) => part !== '').join(' ')
  return value === '' ? [] : [{ names, label: 'amount', value }]
}
