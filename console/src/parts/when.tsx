import type { ReactNode } from 'react'
import { formatAbsolute, formatCountdown, formatRelative } from '../time/clock.ts'
import { useNow, useTime } from '../time/time.tsx'

/** A moment: how long ago, and exactly when for whoever points at it. */
export function When({ at }: { readonly at: string | null }): ReactNode {
  const now = useNow()
  const { utc } = useTime()
  if (at === null) return <span className="quiet">never</span>
  const exact = formatAbsolute(at, utc)
  return (
    <time dateTime={at} title={exact}>
      {utc ? exact : formatRelative(at, now)}
    </time>
  )
}

/** What is left until then. */
export function TimeLeft({
  until,
  skew = 0,
}: {
  readonly until: string
  /** How far the clock that decides is ahead of this one. */
  readonly skew?: number
}): ReactNode {
  const now = useNow() + skew
  const { utc } = useTime()
  const left = Date.parse(until) - now
  return (
    <time className="mono" dateTime={until} title={formatAbsolute(until, utc)}>
      {left > 0 ? formatCountdown(left) : 'over'}
    </time>
  )
}
