/** What an agent did last, and what it had in front of it then: the first question about an agent that surprises somebody. */

import type { ReactNode } from 'react'
import { useBell } from '../../api/live.tsx'
import { useNamings } from '../../api/use-namings.ts'
import { useReply } from '../../api/use-reply.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { describeDeed } from '../../parts/deed.ts'
import { describeFlowOutcome } from '../../parts/flow-outcome.ts'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { buildAttemptAccount, listAttempts } from '../flow/attempt-account.ts'
import { parseProposed } from '../flow/entry-payload.ts'
import { ShownBlock } from '../flow/shown-block.tsx'
import { buildStory } from '../flow/story.ts'
import '../flow/account-blocks.css'

/** Flows that have decided nothing yet may stand before the last that has. */
const LOOKED_AT = '5'
const GATHER_MS = 2_000

export function LastDecision({ agent }: { readonly agent: string }): ReactNode {
  const { reply, again } = useReply(`last decision of ${agent}`, async (client, signal) => {
    const listed = await client.listFlows({ query: { agent, limit: LOOKED_AT }, signal })
    if (!listed.ok) return listed
    for (const { dfid } of listed.body.flows) {
      const found = await client.getFlow({ params: { dfid }, signal })
      if (!found.ok) return found
      const story = buildStory(found.body.entries)
      const attempt = listAttempts(story).at(-1)
      if (attempt !== undefined)
        return {
          ...found,
          body: {
            flow: found.body.flow,
            account: buildAttemptAccount(story, found.body.entries, attempt),
            attempt,
          },
        }
    }
    return { ...listed, body: null }
  })
  const namings = useNamings()
  useBell(({ agent_id }) => agent_id === agent, again, GATHER_MS)
  if (reply.state === 'loading') return <Loading what="the last decision" shape="lines" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  if (reply.value === null) return null
  const { flow, account, attempt } = reply.value
  const { kind, params } = parseProposed(attempt.proposal)
  return (
    <section className="stack" aria-label="last decision">
      <h3>
        Last decision <Link href={`/flows/${flow.dfid}`}>its flow</Link>
      </h3>
      <p className="row">
        <AgentText text={describeDeed(namings, kind, params)} />
        <Status {...describeFlowOutcome(flow)} />
        <When at={attempt.entry.at} />
      </p>
      <ShownBlock account={account} linked />
    </section>
  )
}
