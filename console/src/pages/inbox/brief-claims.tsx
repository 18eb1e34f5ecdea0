import type { ReactNode } from 'react'
import type { Claims as Said } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Claims } from '../../parts/claims.tsx'

/** The agent's own words. They decide nothing, and stand apart from what does. */
export function BriefClaims({ claims }: { readonly claims: Said }): ReactNode {
  const { trigger, justification, confidence, explanation, asks } = claims
  return (
    <Claims>
      {asks === null ? null : (
        <p>
          It asks: <AgentText text={asks} />
        </p>
      )}
      {justification === null ? null : (
        <p>
          <AgentText text={justification} />
        </p>
      )}
      {explanation === null ? null : (
        <>
          <p>
            <AgentText text={explanation.narrative} />
          </p>
          <Words head="Signals" words={explanation.identified_signals} />
          <Words head="Risks" words={explanation.risks} />
        </>
      )}
      <p className="small">
        {confidence === null ? null : <>confidence {confidence}; </>}trigger:{' '}
        <AgentText text={trigger} />
      </p>
    </Claims>
  )
}

function Words({
  head,
  words,
}: {
  readonly head: string
  readonly words: readonly string[]
}): ReactNode {
  if (words.length === 0) return null
  return (
    <p className="small">
      {head}: <AgentText text={words.join('; ')} />
    </p>
  )
}
