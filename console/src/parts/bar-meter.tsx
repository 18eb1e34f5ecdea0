import type { ReactNode } from 'react'
import './bar-meter.css'

/**
 * How much of a limit is used, and how much more is spoken for. What is spoken for is hatched; a bar that is nearly full
 * says so by a mark as well as by its colour.
 */
export function BarMeter({
  label,
  used,
  reserved = 0,
}: {
  /** For whoever does not see it; null where the figures stand beside it. */
  readonly label: string | null
  /** In percent of the limit. */
  readonly used: number
  readonly reserved?: number
}): ReactNode {
  const isNear = used + reserved >= NEAR
  return (
    <span
      className={isNear ? 'meter meter-near' : 'meter'}
      {...(label === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <span className="meter-used" style={{ width: `${used}%` }} />
      <span className="meter-reserved" style={{ width: `${reserved}%` }} />
    </span>
  )
}

/** From here on somebody should look. */
const NEAR = 80
