import type { ReactNode } from 'react'
import { computeSparkPoints } from './spark-points.ts'
import './sparkline.css'

const WIDTH = 96
const HEIGHT = 24

/** The history of a number: its line, its last point, and the last value as text beside it. */
export function Sparkline({
  label,
  values,
  last,
}: {
  /** What is counted or measured: `decisions of refunds_bot`. */
  readonly label: string
  /** Oldest first. */
  readonly values: readonly number[]
  /** The last one, as people write it. */
  readonly last: string
}): ReactNode {
  const points = computeSparkPoints(values, WIDTH, HEIGHT)
  const end = points.at(-1)
  return (
    <span className="spark">
      {end === undefined ? null : (
        <svg
          className="spark-line"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          width={WIDTH}
          height={HEIGHT}
          role="img"
          aria-label={`${label}: from ${Math.min(...values)} to ${Math.max(...values)}`}
        >
          <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
          <circle cx={end.x} cy={end.y} r="2.5" />
        </svg>
      )}
      <span className="spark-last">{last}</span>
    </span>
  )
}
