/**
 * Whether a decision counts. It does once, from somebody who may decide, about exactly what was
 * shown, in time and not in haste.
 *
 * J1 a decision about other bytes, or on other facts, than those of the request counts for nothing.
 * J2 an approval lifts triggers of its request and nothing else.
 * J3 nobody approves HIGH_IMPACT for an agent of his own, or one that he had deployed, unless its contract
 *    says `self_approval: allowed`, and nobody counts twice: persons are compared, by what an id counts as now. One login is not two persons either, whoever it was
 *    linked to in between.
 *    A MODIFY was judged before, and asks for the care that what will run asks for.
 * J4 a parent agent approves only what its own contract, writ and budget admit, and nothing that is for
 *    people: what the contract names approvers for, or what has a high impact for a reason that is known.
 */
import { parseInstant } from '../canonical/time.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { Refusal } from '../compile/verdict.ts'
import { isBlank } from '../context/is-blank.ts'
import { LIMITS } from '../limits.ts'
import {
  type ContractPersons,
  findRegisteredPerson,
  listAnsweringPersons,
  NOBODY,
  type Persons,
} from '../person/person.ts'
import { isSameName } from '../person/person-name.ts'
import type { EscalationDecision } from './decision.ts'
import { type Impact, isForAgents } from './impact.ts'
import type { JudgedModification } from './modification.ts'
import { type EscalationRequest, findChannelAgent, mayAskAgents } from './request.ts'

/** An approval that was counted before, where one is not enough. */
export type Counted = {
  /** The name under which it is recorded. */
  readonly approver: string
  /** Absent: an agent. */
  readonly person?: string | undefined
  /** What they decided. */
  readonly decision: EscalationDecision['decision']
  /** Ids of triggers that are lifted. */
  readonly lifts: readonly string[]
  /** Until when it may be carried out. */
  readonly valid_until: string
  /** With MODIFY: what runs instead. */
  readonly modified?: EscalationDecision['modified'] | undefined
  /** As what it was judged: approvals of different impacts are not of the same thing. */
  readonly impact: Impact
}

export type Decider =
  /**
   * `principal`: the name they came by. `person`: who that is, if anybody knows. `registered`:
   * somebody vouches that this person may approve.
   */
  | {
      readonly kind: 'person'
      readonly principal: string
      readonly person: string
      readonly registered: boolean
    }
  /** `refusal`: why the agent may not do this itself; null: it may. */
  | { readonly kind: 'agent'; readonly agent_id: string; readonly refusal: Refusal | null }

export type DecisionFacts = {
  readonly now: string
  /** It still waits, and so does its flow. */
  readonly open: boolean
  readonly by: Decider
  /** The persons who answer for the agent, and of those that the request names who may approve. */
  readonly answering: readonly string[]
  readonly approvers: readonly string[]
  readonly counted: readonly Counted[]
  /** With MODIFY: how it was judged for whoever decides, and under which digest; null: it was not. */
  readonly modification: { readonly judged: JudgedModification; readonly digest: string } | null
}

type Check = (
  request: EscalationRequest,
  decision: EscalationDecision,
  facts: DecisionFacts,
) => Refusal | null

/** Null: it counts. */
export const judgeDecision: Check = (request, decision, facts) => {
  const checks = decision.decision === 'ABORT' ? ANY : [...ANY, ...APPROVING]
  for (const check of checks) {
    const refusal = check(request, decision, facts)
    if (refusal !== null) return refusal
  }
  return null
}

const checkWaiting: Check = ({ id, expires_at }, _, { open, now }) => {
  if (!open) return { code: 'ESCALATION_DECIDED', details: { request: id } }
  return toEpochMs(now) < toEpochMs(expires_at)
    ? null
    : { code: 'ESCALATION_EXPIRED', details: { expired_at: expires_at } }
}

const mayDecide: Check = (request, { retire }, { by, approvers }) => {
  const { channel, approvers: names } = request
  if (by.kind === 'agent') {
    if (retire === true)
      return { code: 'DECISION_INVALID', details: { member: 'retire', detail: 'is for a person' } }
    if (findChannelAgent(channel) === by.agent_id && mayAskAgents(request)) return null
    return { code: 'PARENT_NOT_ASKED', details: { agent: by.agent_id, asked: channel } }
  }
  const { person } = by
  if (person === NOBODY) return { code: 'PERSON_UNKNOWN', details: { approver: by.principal } }
  const listed = names.length === 0 || approvers.includes(person)
  if (by.registered && listed) return null
  return { code: 'APPROVER_UNKNOWN', details: { approver: by.principal } }
}

const checkSameBytes: Check = ({ intent_digest }, decision) =>
  decision.intent_digest === intent_digest
    ? null
    : { code: 'APPROVAL_DIGEST_MISMATCH', details: { wanted: intent_digest } }

const checkSameFacts: Check = ({ shown_snapshot }, decision) =>
  decision.shown_snapshot === shown_snapshot
    ? null
    : { code: 'APPROVAL_SNAPSHOT_MISMATCH', details: { wanted: shown_snapshot } }

const checkJustified: Check = (_, { justification }) =>
  isBlank(justification) ? { code: 'DECISION_UNJUSTIFIED', details: {} } : null

/** Of any decision. */
const ANY: readonly Check[] = [
  checkWaiting,
  mayDecide,
  checkSameBytes,
  checkSameFacts,
  checkJustified,
]

const checkModifiable: Check = ({ kind }, { decision }) =>
  decision === 'MODIFY' && kind !== 'proposal'
    ? { code: 'MODIFICATION_IMPOSSIBLE', details: { kind } }
    : null

/** An agent's is judged with its decision: it reads no faster than it may. */
const checkJudgedBefore: Check = (_, { decision, modification }, { by, modification: known }) => {
  if (decision !== 'MODIFY' || (known !== null && known.digest === modification)) return null
  const wanted = known === null ? {} : { wanted: known.digest }
  return { code: 'MODIFICATION_UNJUDGED', details: { approver: getDeciderName(by), ...wanted } }
}

function getDeciderName(by: Decider): string {
  return by.kind === 'person' ? by.principal : by.agent_id
}

const checkInTime: Check = (_, { valid_until = '' }, { now }) => {
  const left = toEpochMs(valid_until) - toEpochMs(now)
  if (left > 0 && left <= LIMITS.deadlineHorizonMs) return null
  return { code: 'APPROVAL_WINDOW', details: { valid_until, horizon_ms: LIMITS.deadlineHorizonMs } }
}

const checkLifts: Check = ({ triggers }, { decision, lifts: lifted }) => {
  const ids = triggers.map(({ id }) => id)
  const unknown = lifted.filter((id) => !ids.includes(id))
  if (unknown.length > 0) return { code: 'LIFT_UNKNOWN', details: { unknown, triggers: ids } }
  const left = ids.filter((id) => !lifted.includes(id))
  // What a person changed may not meet them any more; what stays as it was would only come back.
  if (decision === 'MODIFY' || left.length === 0) return null
  return { code: 'LIFTS_INCOMPLETE', details: { left } }
}

/** This and the next are about people: an agent neither reads faster nor slower than it should. */
const checkHaste: Check = (request, decision, facts) => {
  const { now, by, answering, modification } = facts
  const { impact, not_before } = selectWeighed(request, decision, modification)
  if (impact === 'LOW_IMPACT' || by.kind === 'agent') return null
  if (request.self_approval !== 'allowed' && isSelfApproval(request, decision, facts))
    return { code: 'SELF_APPROVAL', details: { answering: [...answering] } }
  const isRead = toEpochMs(now) >= toEpochMs(not_before)
  return isRead ? null : { code: 'DECISION_TOO_FAST', details: { not_before } }
}

/**
 * Somebody who answers for the agent lets it do what has a high impact: it counts where the contract allows it, and says so.
 */
export function isSelfApproval(
  request: EscalationRequest,
  decision: EscalationDecision,
  { by, answering, modification }: Pick<DecisionFacts, 'by' | 'answering' | 'modification'>,
): boolean {
  if (by.kind === 'agent' || decision.decision === 'ABORT') return false
  if (selectWeighed(request, decision, modification).impact === 'LOW_IMPACT') return false
  // One of them whom nobody knows may be whoever approves.
  return answering.some((one) => one === by.person || one === NOBODY)
}

type Weighed = Pick<JudgedModification, 'impact' | 'not_before' | 'acknowledge'>

/** What will run is what is judged. */
function selectWeighed(
  request: EscalationRequest,
  { decision }: EscalationDecision,
  modification: DecisionFacts['modification'],
): Weighed {
  return decision === 'MODIFY' && modification !== null ? modification.judged : request
}

const checkAcknowledged: Check = (request, decision, { by, modification }) => {
  const { impact, acknowledge } = selectWeighed(request, decision, modification)
  if (impact === 'LOW_IMPACT' || by.kind === 'agent') return null
  const { acknowledged_impact, acknowledgement = '' } = decision
  const isTyped = acknowledge === undefined || acknowledgement === acknowledge
  if (acknowledged_impact === impact && isTyped) return null
  const words = acknowledge === undefined ? {} : { acknowledge }
  return { code: 'IMPACT_UNACKNOWLEDGED', details: { impact, ...words } }
}

const checkQuorum: Check = (request, decision, { by, counted, modification }) => {
  if (by.kind === 'agent') {
    if (by.refusal !== null) {
      const { code, details } = by.refusal
      return { code: 'PARENT_NOT_ADMITTED', details: { code, details } }
    }
    if (modification === null || isForAgents(modification.judged)) return null
    const { impact, impact_reasons } = modification.judged
    return { code: 'PARENT_NOT_ADMITTED', details: { impact, impact_reasons: [...impact_reasons] } }
  }
  if (counted.some((one) => one.person === by.person || isSameName(one.approver, by.principal)))
    return { code: 'APPROVER_REPEATED', details: { approver: by.principal } }
  const { impact } = selectWeighed(request, decision, modification)
  const alike = counted.every((other) => sayOf(other) === sayOf({ ...decision, impact }))
  return alike ? null : { code: 'APPROVAL_DIVERGES', details: { so_far: counted.length } }
}

type Say = Pick<Counted, 'decision' | 'lifts' | 'modified' | 'impact'>

/** What approvals must have in common to be added up. */
export function sayOf({ decision, lifts: lifted, modified = NOTHING, impact }: Say): string {
  return toCanonicalText({ decision, impact, lifts: [...lifted].sort(), modified })
}

const NOTHING: NonNullable<Counted['modified']> = { params: {} }

/** Of one that lets something happen. */
const APPROVING: readonly Check[] = [
  checkModifiable,
  checkJudgedBefore,
  checkInTime,
  checkLifts,
  checkHaste,
  checkAcknowledged,
  checkQuorum,
]

/** A time that cannot be read is always the wrong one: nothing compares with it. */
function toEpochMs(text: string): number {
  return parseInstant(text) ?? Number.NaN
}

/** Who is compared, as they count now; what is not a person any more is nobody. */
export function resolveDecisionPersons(
  persons: Persons,
  named: ContractPersons,
  counted: readonly Counted[],
): Pick<DecisionFacts, 'answering' | 'approvers' | 'counted'> {
  const resolvePerson = (id: string): string => findRegisteredPerson(persons, id) ?? NOBODY
  return {
    answering: listAnsweringPersons(named).map(resolvePerson),
    approvers: named.approvers.map(resolvePerson),
    counted: counted.map((one) =>
      one.person === undefined ? one : { ...one, person: resolvePerson(one.person) },
    ),
  }
}
