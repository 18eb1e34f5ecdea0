/**
 * Policy, input and verdict, side by side. It judges as somebody types; what was changed is in the
 * address, and nothing of it is recorded.
 */
import type { ReactNode } from 'react'
import type { Law } from 'rubicon-agents/client'
import { Copy } from '../../parts/id.tsx'
import { usePlace } from '../../url/location.ts'
import { InputPane } from './input-pane.tsx'
import { LastFlips } from './last-flips.tsx'
import { PolicyPane } from './policy-pane.tsx'
import { useDraft } from './use-draft.ts'
import { type LawQuestion, useLastTried } from './use-last-tried.ts'
import { useTrial } from './use-trial.ts'
import { VerdictPane } from './verdict-pane.tsx'
import './playground.css'

export function Playground({ law }: { readonly law: Law }): ReactNode {
  const { query } = usePlace()
  const decision = query.get('decision') ?? ''
  const agent = query.get('agent') ?? ''
  const { draft, change, startOver, isChanged } = useDraft()
  const trial = useTrial(decision, draft)
  const tried = useLastTried(deriveLawQuestion(isChanged, trial.question, query))
  return (
    <div className="playground">
      <section className="playground-pane" aria-label="policy">
        <PolicyPane
          law={law}
          draft={draft}
          change={change}
          recorded={trial.recorded}
          tried={tried}
        />
      </section>
      <section className="playground-pane" aria-label="input">
        <InputPane
          decision={decision}
          agent={agent}
          draft={draft}
          change={change}
          recorded={trial.recorded}
          wrong={trial.wrong}
        />
      </section>
      <section className="playground-pane" aria-label="verdict">
        <p className="row">
          <button type="button" disabled={!isChanged} onClick={startOver}>
            Start over
          </button>
          <span>
            copy the link <Copy value={location.href} what="copy the address of this draft" />
          </span>
        </p>
        <VerdictPane decision={decision} trial={trial} />
        {isChanged && trial.question !== null ? (
          <LastFlips what={agent === '' ? 'of all agents' : `of ${agent}`} tried={tried} />
        ) : null}
      </section>
    </div>
  )
}

/**
 * Parameters and facts are those of one decision; a law is for all of them. Null: nothing was changed, and
 * nobody looks at the law in force.
 */
function deriveLawQuestion(
  isChanged: boolean,
  question: LawQuestion | null,
  query: URLSearchParams,
): LawQuestion | null {
  const agent = query.get('agent') ?? ''
  const whose = agent === '' ? {} : { agent }
  if (!isChanged) return query.get('rules') === 'law' ? whose : null
  if (question === null) return null
  const { contract, cedar } = question
  return {
    ...whose,
    ...(contract === undefined ? {} : { contract }),
    ...(cedar === undefined ? {} : { cedar }),
  }
}
