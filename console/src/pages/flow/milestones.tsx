import type { ReactNode } from 'react'
import { When } from '../../parts/when.tsx'
import type { Milestone } from './story-parts.ts'
import './milestones.css'

/** How far the flow came. */
export function Milestones({
  milestones,
}: {
  readonly milestones: readonly Milestone[]
}): ReactNode {
  return (
    <ol className="milestones" aria-label="milestones">
      {milestones.map(({ name, at }) => (
        <li key={name} className={at === null ? 'milestone' : 'milestone milestone-reached'}>
          <span className="milestone-name">
            {at === null ? '○' : '●'} {name}
          </span>
          <span className="small quiet">{at === null ? 'not yet' : <When at={at} />}</span>
        </li>
      ))}
    </ol>
  )
}
