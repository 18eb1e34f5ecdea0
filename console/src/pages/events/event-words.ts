/** What becomes of events and of proposals about them, in words. */
import type { EventAccount, EventAnswer, EventMember, ListedEvent } from 'rubicon-agents/client'
import { describeFlowOutcome } from '../../parts/flow-outcome.ts'
import type { StatusProps } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'

const OUTCOMES: Readonly<Record<ListedEvent['outcome'], StatusProps>> = {
  open: { standing: 'running', word: 'collecting proposals' },
  won: { standing: 'allowed', word: 'decided' },
  none: { standing: 'repeated', word: 'nothing was carried out' },
  halted: { standing: 'rejected', word: 'halted' },
  unarbitrated: { standing: 'repeated', word: 'each by itself' },
  forgotten: { standing: 'unknown', word: 'over, see its flows' },
}

export function describeEventOutcome(outcome: ListedEvent['outcome']): StatusProps {
  return OUTCOMES[outcome] ?? { standing: 'unknown', word: String(outcome) }
}

const ANSWERS: Readonly<Record<EventAnswer['outcome'], StatusProps>> = {
  waiting: { standing: 'running', word: 'waits for the others' },
  won: { standing: 'allowed', word: 'won, and was carried out' },
  sent: { standing: 'allowed', word: 'carried out' },
  lost: { standing: 'rejected', word: 'lost' },
  halted: { standing: 'rejected', word: 'halted' },
  escalated: { standing: 'waiting', word: 'left: a person decides' },
  refused: { standing: 'rejected', word: 'refused, the next one is tried' },
}

export function describeAnswer(outcome: EventAnswer['outcome']): StatusProps {
  return ANSWERS[outcome] ?? { standing: 'unknown', word: String(outcome) }
}

/** Why one proposal stands before the next; null: it is the last. */
export function describePrecedence(
  member: EventMember,
  next: EventMember | undefined,
): string | null {
  if (member.place === null || next === undefined) return null
  switch (member.place.before_next_by) {
    case 'kind':
      return `before ${next.agent}: its kind comes before all others`
    case 'priority':
      return `before ${next.agent}: priority ${member.priority} comes before ${next.priority}`
    case 'role':
      return `before ${next.agent}: at the same priority ${toRoleName(member.role)} comes before ${toRoleName(next.role)}`
    case 'name':
      return `before ${next.agent}: same priority and role, so the name decides`
    case 'time':
      return `before ${next.agent}: it was made first`
    default:
      return null
  }
}

export function toRoleName(role: EventMember['role']): string {
  return role.toLowerCase()
}

/** Who is carried out, by the rules of the topic. */
export function describeLaw({
  exclusive,
  preempting_kinds,
}: NonNullable<EventAccount['law']>): string {
  const who =
    exclusive === 'event'
      ? 'One proposal of all is carried out'
      : 'Of proposals that need the same resource one is carried out'
  const first =
    preempting_kinds.length === 0 ? '' : ` ${preempting_kinds.join(' and ')} before all others,`
  return `${who}:${first} then by priority, role and name. Who was quicker does not matter.`
}

/** How it came that so many were woken. */
export function describeAdmission({
  admission,
  members,
  left_off,
}: Pick<EventAccount, 'admission' | 'members' | 'left_off'>): string | null {
  if (admission === null) return null
  const { candidates, volatility, by_table, by_tokens, tokens_left } = admission
  const woken = members.length + left_off
  const met =
    candidates === 1 ? 'the condition of 1 agent' : `the conditions of ${candidates} agents`
  const listened = `It met ${met}; ${woken} ${woken === 1 ? 'was' : 'were'} woken.`
  const reasons = [
    by_table === undefined
      ? null
      : `The rules admit ${by_table}${volatility === undefined ? '' : ` at a change of ${volatility} %`}`,
    by_tokens === undefined
      ? null
      : `the tokens that are left${tokens_left === undefined ? '' : ` (${tokens_left})`} are enough for ${by_tokens}`,
  ].filter((one) => one !== null)
  if (reasons.length === 0) return listened
  return `${listened} ${reasons.join('; ')}, not counting agents with the role monitor.`
}

/** What came of waking an agent. */
export function describeWokenFlow({
  flow,
  ended,
  answers,
}: Pick<EventMember, 'flow' | 'ended' | 'answers'>): StatusProps {
  if (flow === null)
    return { standing: 'repeated', word: ended === undefined ? 'to be woken' : ENDED[ended] }
  // An agent that has lost ends its flow, which then looks like one whose job was done.
  const isWithoutEffect =
    answers.length > 0 &&
    answers.every(({ outcome }) => outcome === 'lost' || outcome === 'refused')
  if (flow.state === 'CLOSED' && isWithoutEffect)
    return { standing: 'repeated', word: 'ended, nothing was carried out' }
  return describeFlowOutcome(flow)
}

/** Why no flow comes of it. */
const ENDED: Readonly<Record<NonNullable<EventMember['ended']>, string>> = {
  superseded: 'woken by a newer event instead',
  gone: 'no longer there to be woken',
}

/** Who reported a fact, and how far that is trusted. */
export function describeSource(source: string, label: string): string {
  return source === 'operator:' ? 'an operator' : `${toVisibleText(source)} (${label})`
}

/** In the order in which they stand; who has no place comes last. */
export function listByPlace(members: readonly EventMember[]): readonly EventMember[] {
  const toRank = ({ place }: EventMember): number => place?.rank ?? Number.MAX_SAFE_INTEGER
  return members.toSorted((a, b) => toRank(a) - toRank(b))
}
