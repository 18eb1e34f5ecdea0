import type { ReactNode } from 'react'
import { When } from '../../parts/when.tsx'
import { formatAbsolute, formatDuration } from '../../time/clock.ts'
import { useTime } from '../../time/time.tsx'
import type { Milestone } from './story-parts.ts'
import './milestones.css'

/** How far the flow came: when it began, and how long after that it came to each point. */
export function Milestones({
  milestones,
  ended,
}: {
  readonly milestones: readonly Milestone[]
  /** What it has not come to by then, it never comes to. */
  readonly ended: boolean
}): ReactNode {
  const first = milestones.find(({ at }) => at !== null)
  return (
    <ol className="milestones" aria-label="milestones">
      {milestones.map((milestone) => (
        <li
          key={milestone.name}
          className={milestone.at === null ? 'milestone' : 'milestone milestone-reached'}
        >
          <span className="milestone-name">{milestone.name}</span>
          <span className="small quiet">
            {milestone === first ? (
              <When at={milestone.at} />
            ) : (
              <Since
                at={milestone.at}
                from={first?.at ?? null}
                missing={ended ? 'never' : 'not yet'}
              />
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Since({
  at,
  from,
  missing,
}: {
  readonly at: string | null
  readonly from: string | null
  readonly missing: string
}): ReactNode {
  const { utc } = useTime()
  if (at === null || from === null) return missing
  return (
    <time dateTime={at} title={formatAbsolute(at, utc)}>
      + {formatDuration(Date.parse(at) - Date.parse(from))}
    </time>
  )
}
