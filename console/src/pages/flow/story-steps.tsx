/** Everything that was proposed, and everything that somebody decided about it, in order. */
import type { ReactNode } from 'react'
import { AttemptLine, AttemptView } from './attempt-view.tsx'
import { RulingLine } from './ruling-line.tsx'
import type { Story } from './story-parts.ts'
import './story-steps.css'

export function StorySteps({
  steps,
  compact = false,
}: Pick<Story, 'steps'> & {
  /** A line each. */
  readonly compact?: boolean
}): ReactNode {
  if (steps.length === 0) return <p className="quiet">No proposals yet.</p>
  const One = compact ? AttemptLine : AttemptView
  return (
    <ol className={compact ? 'stack' : 'story-steps'}>
      {steps.map((step) => (
        <li key={step.entry.id} className="story-step">
          {step.kind === 'ruling' ? <RulingLine ruling={step} /> : <One attempt={step} />}
        </li>
      ))}
    </ol>
  )
}
