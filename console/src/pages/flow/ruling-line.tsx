import type { ReactNode } from 'react'
import { AgentText } from '../../parts/agent-text.tsx'
import { DecisionDeed, describeDecision } from '../../parts/decision-words.tsx'
import { type Standing, Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import type { Ruling } from './story-parts.ts'

const STANDINGS: ReadonlyMap<string, Standing> = new Map([
  ['OVERRIDE', 'allowed'],
  ['MODIFY', 'allowed'],
  ['ABORT', 'rejected'],
  ['EXPIRED', 'rejected'],
])

/** Who decided what, when, and why. It is signed: a fact, whoever decided. */
export function RulingLine({ ruling }: { readonly ruling: Ruling }): ReactNode {
  const { entry, decision, by, justification } = ruling
  return (
    <p className="row ruling">
      <Status standing={STANDINGS.get(decision) ?? 'unknown'} word={describeDecision(decision)} />
      <span>
        by{' '}
        <strong>
          <AgentText text={by} />
        </strong>
        : <AgentText text={justification} /> <DecisionDeed decision={decision} />
      </span>
      <span className="small quiet">
        <When at={entry.at} />
      </span>
    </p>
  )
}
