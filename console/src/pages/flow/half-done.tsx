/** A flow that did half of its job: what that means, and the word of a person where its agents do not put it right. */
import type { ReactNode } from 'react'
import type { GetFlowReply } from 'rubicon-agents/client'
import { useSession } from '../../api/session.tsx'
import { OutcomeForm } from '../../parts/outcome-form.tsx'
import { Term } from '../../parts/term/term.tsx'

const OUTCOMES = [
  ['applied', 'It was taken back by hand: nothing of it stands'],
  ['abandon', 'It stays as it is: what was done stands'],
] as const

export function HalfDone({
  flow,
  settled,
}: {
  readonly flow: GetFlowReply['flow']
  readonly settled: () => void
}): ReactNode {
  const { session } = useSession()
  if (!flow.tags.includes('DIRTY')) return null
  const params = { dfid: flow.dfid }
  return (
    <section className="stack" aria-label="half done">
      <h2>
        <Term word="dirty">Half done</Term>
      </h2>
      <p>
        An effect failed after another had succeeded. The agent above can take that back; a person
        can settle it here.
      </p>
      {session.roles.includes('operator') ? (
        <OutcomeForm
          title="How does it stand now?"
          outcomes={OUTCOMES}
          word="Settle the flow"
          ask={(client, body, key) => client.resolveFlow({ params, body, key })}
          settled={settled}
        />
      ) : (
        <p className="quiet">The role operator is needed to settle it.</p>
      )}
    </section>
  )
}
