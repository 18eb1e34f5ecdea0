/** Everything that was proposed, and everything that somebody decided about it, a line each; an attempt is opened by its line. */
import type { ReactNode } from 'react'
import { Link } from '../../url/link.tsx'
import { replaceQuery } from '../../url/location.ts'
import { AttemptLine } from './attempt-line.tsx'
import { RulingLine } from './ruling-line.tsx'
import type { Attempt, Story } from './story-parts.ts'
import './step-list.css'

export function StepList({
  steps,
  chosen,
}: Pick<Story, 'steps'> & { readonly chosen: Attempt }): ReactNode {
  return (
    <ol className="flow-steps" aria-label="attempts and decisions">
      {steps.map((step) => (
        <li key={step.entry.id} className="flow-step">
          {step.kind === 'ruling' ? (
            <RulingLine ruling={step} />
          ) : (
            <Link
              className="flow-step-link"
              href={replaceQuery({ attempt: String(step.entry.seq), against: '' })}
              replace
              {...(step === chosen ? { 'aria-current': 'step' as const } : {})}
            >
              <AttemptLine attempt={step} />
            </Link>
          )}
        </li>
      ))}
    </ol>
  )
}
