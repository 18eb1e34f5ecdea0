/** What the agent wanted, and what it says about it. */
import type { ReactNode } from 'react'
import { AgentText } from '../../parts/agent-text.tsx'
import { Claims } from '../../parts/claims.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Amount } from '../../parts/value.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { AccountBlock } from './account-block.tsx'
import type { BlockProps } from './account-blocks.tsx'
import { parseProposed } from './entry-payload.ts'

export function ProposedBlock({ account: { attempt, step }, linked }: BlockProps): ReactNode {
  const { entry, proposal, lifted } = attempt
  const { kind, params, justification, confidence } = parseProposed(proposal)
  return (
    <AccountBlock number={2} title="What it proposed" entry={entry} linked={linked}>
      <Members>
        <Member name="kind">
          <span className="mono">
            <AgentText text={kind ?? 'none'} />
          </span>
        </Member>
        {Object.entries(params).map(([name, value]) => (
          <Member key={name} name={toVisibleText(name)}>
            <Amount value={value} />
          </Member>
        ))}
        {step === null ? null : (
          <Member name="step">
            <span className="mono">{toVisibleText(step)}</span>
          </Member>
        )}
      </Members>
      {/* What is released was said before, or is what a person made of it. */}
      {justification === null || lifted !== null ? null : (
        <Claims about={`attempt ${attempt.attempt}`}>
          <p>
            <AgentText text={justification} />
            {confidence === null ? null : <span className="quiet"> (confidence {confidence})</span>}
          </p>
        </Claims>
      )}
      {lifted === null ? null : (
        <p className="quiet small">
          as <AgentText text={lifted.by} /> approved it
        </p>
      )}
      <Json value={proposal ?? null} label="proposal" />
    </AccountBlock>
  )
}
