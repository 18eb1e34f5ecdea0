/** One event: what was observed, who was woken, what they wanted, and what was carried out. */
import type { ReactNode } from 'react'
import type { EventAccount, EventMember } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useReply } from '../../api/use-reply.ts'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Status } from '../../parts/status.tsx'
import { Term } from '../../parts/term/term.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { Arbitration } from './arbitration.tsx'
import { describeAdmission, describeEventOutcome, describeWokenFlow } from './event-words.ts'
import { ObservedTable } from './observed-table.tsx'
import './event-detail.css'

export function EventDetail({ id }: { readonly id: string }): ReactNode {
  const { reply, again } = useReply<EventAccount>(`event ${id}`, (client, signal) =>
    client.getTopicEvent({ params: { id }, signal }),
  )
  const dfids = reply.state === 'ready' ? reply.value.members.map(({ dfid }) => dfid) : []
  useBell(({ dfid }) => dfid !== null && dfids.includes(dfid), again)
  if (reply.state === 'loading') return <Loading what="the event" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  return <EventView event={reply.value} />
}

function EventView({ event }: { readonly event: EventAccount }): ReactNode {
  const { topic, at, event_id, leaf, outcome, law } = event
  return (
    <article className="event-detail">
      <header className="stack">
        <h2 className="row">
          <span>{toVisibleText(topic)}</span>
          <Status {...describeEventOutcome(outcome)} />
        </h2>
        <p className="row small">
          <When at={at} />
          <Id value={event_id} />
          {leaf === null ? null : <Link href={`/ledger/${leaf}`}>in the ledger</Link>}
        </p>
      </header>
      <section className="stack">
        <h3>Observed</h3>
        <ObservedTable event={event} />
      </section>
      <section className="stack">
        <h3>Woken</h3>
        <Woken event={event} />
      </section>
      <section className="stack">
        <h3>
          <Term word="arbitration">Arbitration</Term>
        </h3>
        {law === null ? (
          <p className="quiet">
            The rules say nothing about this <Term word="topic" />: every proposal is judged by
            itself.
          </p>
        ) : (
          <Arbitration event={event} law={law} />
        )}
      </section>
      <Json value={event} />
    </article>
  )
}

function Woken({ event }: { readonly event: EventAccount }): ReactNode {
  const { members, not_woken, left_off } = event
  const counted = describeAdmission(event)
  return (
    <>
      {counted === null ? null : <p>{counted}</p>}
      <Members>
        {members.map((member) => (
          <Member key={member.dfid} name={member.agent}>
            <WokenFlow member={member} isHalting={event.halted_by === member.dfid} />
          </Member>
        ))}
        {not_woken.map(({ agent, code }) => (
          <Member key={agent} name={agent}>
            <span className="row">
              <Status standing="repeated" word="not woken" />
              <ReasonLink code={code} />
            </span>
          </Member>
        ))}
      </Members>
      {left_off === 0 ? null : <p className="quiet">{left_off} more agents were woken.</p>}
    </>
  )
}

function WokenFlow({
  member,
  isHalting,
}: {
  readonly member: EventMember
  readonly isHalting: boolean
}): ReactNode {
  const { flow, dfid } = member
  const said = <Status {...describeWokenFlow(member)} />
  if (flow === null) return said
  return (
    <span className="row">
      {said}
      <Id value={dfid} href={`/flows/${dfid}`} />
      {isHalting ? <span>halted the event</span> : null}
    </span>
  )
}
