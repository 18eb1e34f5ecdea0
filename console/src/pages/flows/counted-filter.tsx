/** The filter that a figure of the overview sets: the list has as many rows as it counted. */
import type { ReactNode } from 'react'
import { formatAmount } from '../../parts/amount.ts'
import { formatAbsolute } from '../../time/clock.ts'
import { useTime } from '../../time/time.tsx'
import { Link } from '../../url/link.tsx'
import { replaceQuery, usePlace } from '../../url/location.ts'

const OUTCOMES = [
  { name: 'decided', words: 'decided' },
  { name: 'accepted', words: 'accepted' },
  { name: 'rejected', words: 'rejected' },
  { name: 'escalated', words: 'sent to a person' },
  { name: 'ended', words: 'ended' },
] as const

export type CountedFilter = {
  readonly since?: string
  readonly until?: string
  readonly outcome?: (typeof OUTCOMES)[number]['name']
  readonly reason?: string
  readonly measure?: string
}

export function useCountedFilter(): CountedFilter {
  const { query } = usePlace()
  const outcome = query.get('outcome')
  const known = OUTCOMES.find(({ name }) => name === outcome)
  const named = ['since', 'until', 'reason', 'measure'].flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(named), ...(known === undefined ? {} : { outcome: known.name }) }
}

const NO_FILTER = { since: '', until: '', outcome: '', reason: '', measure: '' }

/** What the list is about, in a sentence, and how to see all flows again. */
export function CountedNote({
  filter,
  total,
}: {
  readonly filter: CountedFilter
  /** Null: not counted yet. */
  readonly total: number | null
}): ReactNode {
  const { utc } = useTime()
  const { since, until, outcome, reason, measure } = filter
  if (Object.keys(filter).length === 0) return null
  const words = [
    total === null ? 'Flows' : `${formatAmount(String(total))} ${total === 1 ? 'flow' : 'flows'}`,
    OUTCOMES.find(({ name }) => name === outcome)?.words ?? '',
    reason === undefined ? '' : `for ${reason}`,
    measure === undefined ? '' : `with an amount of ${measure}`,
    since === undefined ? '' : `from ${formatAbsolute(since, utc)}`,
    until === undefined ? '' : `to ${formatAbsolute(until, utc)}`,
  ]
  return (
    <p className="row small flows-filter" aria-live="polite">
      <span>{words.filter((word) => word !== '').join(' ')}</span>
      <Link href={replaceQuery(NO_FILTER)} replace>
        Show all flows
      </Link>
    </p>
  )
}
