/** After a decision: what happened, where to read about it, and the next one. */
import { type ReactNode, useEffect, useRef } from 'react'
import type { Decided, EscalationBrief } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { describeDecision } from '../../parts/decision-words.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { describeOutcome } from './outcome.ts'

export function Aftermath({
  brief,
  decided,
  next,
  goOn,
}: {
  readonly brief: EscalationBrief
  /** What came of the reader's own decision; null: somebody else decided, or nobody in time. */
  readonly decided: Decided | null
  readonly next: string | null
  readonly goOn: () => void
}): ReactNode {
  const button = useRef<HTMLButtonElement>(null)
  const own = decided !== null
  useEffect(() => {
    if (own) button.current?.focus()
  }, [own])
  const { standing, word, code } = describeOutcome(brief, decided)
  return (
    <section className="decision stack" aria-label="what happened">
      <p role="status">
        <Status standing={standing} word={word} />{' '}
        {code === null ? null : <ReasonLink code={code} />}
      </p>
      <ul>
        {brief.decisions.map(({ approver, decision, justification, at }) => (
          <li key={`${approver} ${at}`}>
            <span title={`${decision} in the ledger`}>{describeDecision(decision)}</span> by{' '}
            {approver} <When at={at} />: <AgentText text={justification} />
          </li>
        ))}
      </ul>
      <WhatNow brief={brief} />
      <p className="row">
        <Link href={`/flows/${brief.dfid}`}>Open the flow</Link>
        <button type="button" ref={button} onClick={goOn}>
          {next === null ? 'Back to the list' : 'Next request'}
        </button>
      </p>
    </section>
  )
}

/** A flow that has ended asks nothing any more: its agent does, in another one. */
function WhatNow({ brief: { ended, agent_id } }: { readonly brief: EscalationBrief }): ReactNode {
  if (ended === null) return null
  const agent = <Link href={`/agents/${encodeURIComponent(agent_id)}`}>{agent_id}</Link>
  if (ended.as === 'expired')
    return (
      <p className="small">
        Nobody decided in time, so its flow has ended and nothing was sent. To have it asked again,
        let {agent} propose it in a new flow.
      </p>
    )
  if (ended.as === 'superseded')
    return (
      <p className="small">
        It was asked again under other rules. What came of that stands in its flow.
      </p>
    )
  if (ended.as !== 'moot') return null
  return (
    <p className="small">
      Its flow went on or ended without this decision. If it is still wanted, {agent} has to propose
      it again.
    </p>
  )
}
