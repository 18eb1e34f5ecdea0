/** A proposal of the flow in one line: what it wanted, and what came of it. */

import type { ReactNode } from 'react'
import { useNamings } from '../../api/use-namings.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { describeDeed } from '../../parts/deed.ts'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { parseProposed } from './entry-payload.ts'
import type { Attempt } from './story-parts.ts'

const OUTCOMES: Readonly<Record<Attempt['outcome'], StatusProps>> = {
  accepted: { standing: 'allowed', word: 'accepted' },
  rejected: { standing: 'rejected', word: 'rejected' },
  escalated: { standing: 'waiting', word: 'sent to a person' },
}

/** What came of it, in one line. */
export function AttemptLine({ attempt: of }: { readonly attempt: Attempt }): ReactNode {
  const { entry, attempt, outcome, code, proposal, lifted } = of
  const { kind, params } = parseProposed(proposal)
  const namings = useNamings()
  return (
    <span className="row">
      <span className="quiet">attempt {attempt}</span>
      <strong>
        <AgentText text={describeDeed(namings, kind, params)} />
      </strong>
      <Status {...OUTCOMES[outcome]} />
      {code === null ? null : <span className="mono small">{code}</span>}
      {lifted === null ? null : (
        <span>
          as <AgentText text={lifted.by} /> approved it
        </span>
      )}
      <span className="small quiet">
        <When at={entry.at} />
      </span>
    </span>
  )
}
