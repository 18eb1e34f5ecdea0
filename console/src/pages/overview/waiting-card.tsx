import type { ReactNode } from 'react'
import type { Inbox } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { useSkew } from '../../time/skew.ts'
import { Link } from '../../url/link.tsx'
import { describeRequest } from '../inbox/inbox-words.ts'

const SHOWN = 5

/** What waits for the reader, the first to expire first; those of low impact are counted. */
export function WaitingCard(): ReactNode {
  const { reply, again } = useReply('overview waiting', (client, signal) =>
    client.listInbox({ query: { tab: 'mine', limit: String(SHOWN) }, signal }),
  )
  useBell(({ kind }) => MOVING.includes(kind), again)
  const count =
    reply.state === 'ready' ? reply.value.waiting.mine + reply.value.waiting.fast : undefined
  return (
    <Card title="Waiting for you" href="/inbox" more="Inbox" aside={count}>
      {reply.state === 'loading' ? <Loading what="requests" shape="lines" /> : null}
      {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
      {reply.state === 'ready' ? <Waiting inbox={reply.value} /> : null}
    </Card>
  )
}

const MOVING: readonly string[] = ['pending_approval', 'approval', 'rejection', 'dispatch']

function Waiting({ inbox }: { readonly inbox: Inbox }): ReactNode {
  const { requests, waiting, now } = inbox
  const skew = useSkew(now)
  if (waiting.mine + waiting.fast === 0) return <Empty what="Nothing waits for you." />
  return (
    <>
      <ul className="overview-lines">
        {requests.map((row) => (
          <li key={row.id}>
            <Link href={`/inbox/${encodeURIComponent(row.id)}`}>
              {describeRequest(row)} {row.object === null ? null : <AgentText text={row.object} />}
            </Link>
            <span className="quiet small">
              {row.agent_id}, <When at={row.requested_at} />
            </span>
            <TimeLeft until={row.expires_at} skew={skew} />
          </li>
        ))}
      </ul>
      {waiting.fast === 0 ? null : (
        <p className="small">
          <Link href="/inbox?in=fast">{waiting.fast} of low impact</Link>
        </p>
      )}
    </>
  )
}
