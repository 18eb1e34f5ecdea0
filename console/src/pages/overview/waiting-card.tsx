import type { ReactNode } from 'react'
import type { Overview, WaitingRequest } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { Card } from '../../parts/card.tsx'
import { Measured } from '../../parts/measured.tsx'
import { Empty } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { isMoney } from '../../parts/unit.ts'
import { TimeLeft, When } from '../../parts/when.tsx'
import { formatDuration } from '../../time/clock.ts'
import { Link } from '../../url/link.tsx'
import { useKeptOrder } from './keep-order.ts'

/** What waits for a person: what is most at stake, for how long, and for whom. */
export function WaitingCard({ overview }: { readonly overview: Overview }): ReactNode {
  const { waiting } = overview
  const requests = useKeptOrder(waiting.requests, ({ id }) => id)
  return (
    <Card title="Waiting for a person" href="/inbox" more="Inbox">
      {requests.length === 0 ? <Empty what="Nothing waits for a person." /> : null}
      <ul className="overview-lines" data-lines="waiting">
        {requests.map((request) => (
          <li key={request.id}>
            <RequestLine request={request} />
          </li>
        ))}
      </ul>
      <WhoseTurn />
      {waiting.oldest_at === null ? null : (
        <p className="quiet small">
          oldest <When at={waiting.oldest_at} />
          {waiting.median_wait_ms === null
            ? null
            : `, median wait ${formatDuration(waiting.median_wait_ms)}`}
        </p>
      )}
    </Card>
  )
}

function RequestLine({ request }: { readonly request: WaitingRequest }): ReactNode {
  const { id, agent, kind, object, amount, measure, reason, impact, since, expires_at } = request
  return (
    <>
      <Link className="overview-what" href={`/inbox/${encodeURIComponent(id)}`}>
        {kind ?? reason} {object === null ? null : <AgentText text={object} />}
      </Link>
      <span className="overview-side">
        <TimeLeft until={expires_at} />
      </span>
      <span className="quiet small">
        {agent}, <When at={since} />
        {impact === 'HIGH_IMPACT' ? (
          <>
            {' '}
            <Status standing="waiting" word="high impact" />
          </>
        ) : null}
      </span>
      {amount === null || measure === null || !isMoney(measure) ? null : (
        <span className="overview-side overview-stake small">
          <Measured amount={amount} measure={measure} />
        </span>
      )}
    </>
  )
}

const MOVING: readonly string[] = ['pending_approval', 'approval', 'rejection', 'dispatch']

/** How many are in each tab of the inbox, as whoever is signed in sees it. */
function WhoseTurn(): ReactNode {
  const { reply, again } = useReply('overview waiting', (client, signal) =>
    client.listInbox({ query: { tab: 'mine', limit: '1' }, signal }),
  )
  useBell(({ kind }) => MOVING.includes(kind), again)
  if (reply.state !== 'ready') return null
  const { mine, fast, team } = reply.value.waiting
  const counts = [
    { href: '/inbox', count: mine, words: 'for you' },
    { href: '/inbox?in=fast', count: fast, words: 'of low impact' },
    { href: '/inbox?in=team', count: team, words: 'for others' },
  ].filter(({ count }) => count > 0)
  if (counts.length === 0) return null
  return (
    <p className="row overview-turns">
      {counts.map(({ href, count, words }) => (
        <Link key={href} href={href}>
          {count} {words}
        </Link>
      ))}
    </p>
  )
}
