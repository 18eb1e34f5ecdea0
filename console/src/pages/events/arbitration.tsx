/** Proposals about one event in their order: why each stands where it does, who won, and who lost to whom. */
import type { ReactNode } from 'react'
import type { EventAccount, EventAnswer, EventMember } from 'rubicon-agents/client'
import { Id } from '../../parts/id.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { TimeLeft, When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import {
  describeAnswer,
  describeLaw,
  describePrecedence,
  listByPlace,
  toRoleName,
} from './event-words.ts'
import { WindowPicture } from './window-picture.tsx'

export function Arbitration({
  event,
  law,
}: {
  readonly event: EventAccount
  readonly law: NonNullable<EventAccount['law']>
}): ReactNode {
  const members = listByPlace(event.members)
  const isOpen = event.outcome === 'open'
  return (
    <>
      <p>{describeLaw(law)}</p>
      {event.closes_at === null ? null : (
        <p className="row small">
          {isOpen ? (
            <>
              <span>Proposals are collected for another</span>
              <TimeLeft until={event.closes_at} />
            </>
          ) : (
            <>
              <span>Proposals were collected until</span>
              <When at={event.closes_at} />
              <span>or until everybody had proposed.</span>
            </>
          )}
        </p>
      )}
      <WindowPicture event={event} members={members} />
      {event.halted_by === null ? null : (
        <p className="row">
          <Status standing="rejected" word="halted" />
          <span>
            by <FlowOf dfid={event.halted_by} members={members} />: nothing of this event is sent
            from then on.
          </span>
        </p>
      )}
      <ol className="bids" aria-label="proposals in their order">
        {members.map((member, index) => (
          <li key={member.dfid} className="bid">
            <Bid member={member} next={members[index + 1]} members={members} />
          </li>
        ))}
      </ol>
    </>
  )
}

function Bid({
  member,
  next,
  members,
}: {
  readonly member: EventMember
  readonly next: EventMember | undefined
  readonly members: readonly EventMember[]
}): ReactNode {
  const { agent, role, priority, place, answers, dfid } = member
  const why = describePrecedence(member, next)
  return (
    <>
      <span className="bid-rank mono" aria-hidden="true">
        {place?.rank ?? '–'}
      </span>
      <div className="bid-said">
        <p className="row">
          <Link href={`/agents/${encodeURIComponent(agent)}`}>{agent}</Link>
          <span className="small quiet">
            {toRoleName(role)}, priority {priority}
          </span>
          <Link className="small" href={`/flows/${dfid}`}>
            flow
          </Link>
        </p>
        {answers.length === 0 ? <p className="quiet">has proposed nothing</p> : null}
        {answers.map((answer) => (
          <Answer key={`${answer.at} ${answer.outcome}`} answer={answer} members={members} />
        ))}
        {why === null ? null : <p className="small quiet">{why}</p>}
      </div>
    </>
  )
}

function Answer({
  answer: { policy_kind, preempting, outcome, code, by, at },
  members,
}: {
  readonly answer: EventAnswer
  readonly members: readonly EventMember[]
}): ReactNode {
  return (
    <p className="row">
      {policy_kind === null ? null : <strong>{toVisibleText(policy_kind)}</strong>}
      {preempting ? <span className="small quiet">a kind that comes first</span> : null}
      <Status {...describeAnswer(outcome)} />
      {by === null ? null : (
        <span>
          {outcome === 'lost' ? 'to' : 'by'} <FlowOf dfid={by} members={members} />
        </span>
      )}
      {code === null ? null : <ReasonLink code={code} />}
      <span className="small quiet">
        <When at={at} />
      </span>
    </p>
  )
}

/** By its agent where that is one of the event. */
function FlowOf({
  dfid,
  members,
}: {
  readonly dfid: string
  readonly members: readonly EventMember[]
}): ReactNode {
  const member = members.find((one) => one.dfid === dfid)
  if (member === undefined) return <Id value={dfid} href={`/flows/${dfid}`} />
  return <Link href={`/flows/${dfid}`}>{member.agent}</Link>
}
