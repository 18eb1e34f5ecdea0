/** What is written when a decision counts: its entry, and everything that follows from it at once. */
import {
  type Address,
  type ApprovalBody,
  type ApprovalPayload,
  type Counted,
  type EscalationDecision,
  isObject,
  type JsonObject,
  type JsonValue,
  type JudgedModification,
  NO_PAST,
  toAddressed,
  toCanonicalText,
} from 'rubicon-kernel'
import type { FlowRow, Guard, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildParentObservationDrop } from '../escalate/ask.ts'
import { stopMark } from '../escalate/stop-agents.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { mintSalt } from '../rows/identity.ts'
import {
  buildApprovedEscalation,
  buildChangedEscalation,
  buildEndedEscalation,
  type Escalation,
  type StoredEscalation,
} from '../rows/stored-escalation.ts'
import type { Supposed } from './brief/as-if-approved.ts'

export type PreparedDecision = { readonly unit: Unit; readonly decided: DecidedAs }

/** How a decision counted. */
export type DecidedAs = {
  /** The request that was decided. */
  readonly request_id: string
  /** The flow that had asked. */
  readonly dfid: string
  /** What the decision did. */
  readonly outcome: 'aborted' | 'sent_back' | 'waiting' | 'approved' | 'released'
  /** Approvals that it still needs. */
  readonly missing: number
}

/** A decision that counts, and who stands for it. */
export type Say = {
  readonly decision: EscalationDecision
  /** With MODIFY: as it was judged. */
  readonly modification: JudgedModification | null
  readonly body: ApprovalBody
  readonly signed: Pick<ApprovalPayload, 'vouched_by' | 'signature'>
  readonly now: string
  /** Persons who have approved, with this one. */
  readonly approvals: number
  /** Whoever decides answers for the agent, and its contract allows that. */
  readonly isSelf: boolean
}

export function buildApprovalEntry(
  context: Context,
  flow: FlowRow,
  approval: Omit<ApprovalPayload, 'salt'>,
): Write {
  const payload: ApprovalPayload = { salt: mintSalt(context), ...approval }
  return {
    kind: 'append',
    trajectory: flow.trajectory,
    entry: 'approval',
    dfid: flow.dfid,
    payload: toCanonicalText(payload),
  }
}

/** Nothing has overtaken it on the way into the record: not its flow, and not the time. */
function buildDecisionGuards(
  { body: { request } }: StoredEscalation,
  { dfid, version }: FlowRow,
  { valid_until }: ApprovalBody,
): readonly Guard[] {
  const ends = [request.expires_at, ...(valid_until === undefined ? [] : [valid_until])]
  return [
    { kind: 'flow_version', dfid, version },
    ...ends.map((at): Guard => ({ kind: 'before', at })),
  ]
}

export async function abortUnit(
  context: Context,
  stored: StoredEscalation,
  flow: FlowRow,
  { body, signed, now }: Say,
  retires: boolean,
): Promise<PreparedDecision> {
  const after = moveFlow(flow, ['ABORTED'], now)
  const ended = buildEndedEscalation(markDecided(stored, body), 'open', 'aborted', now)
  const { agent_id, dfid } = flow
  const justification = `${body.approver} aborted flow ${dfid}: ${body.justification}`
  const actor = body.retire === true ? 'operator' : 'runtime'
  const writes: Write[] = [
    buildApprovalEntry(context, flow, { body, ...signed, releases: null }),
    { kind: 'put_flow', flow: after },
    ...ended.writes,
    ...buildParentObservationDrop(stored.body),
    ...(retires ? [stopMark(agent_id, { to: 'RETIRED', actor, justification })] : []),
  ]
  const returned = await returnBudget(context, flow, after, writes)
  return {
    unit: {
      guards: [...buildDecisionGuards(stored, flow, body), ...ended.guards],
      writes: [...writes, ...returned],
    },
    decided: { request_id: stored.key, dfid, outcome: 'aborted', missing: 0 },
  }
}

/** An approval stands in the record for itself. */
function markDecided(
  stored: StoredEscalation,
  { decision, approver }: ApprovalBody,
): StoredEscalation {
  if (decision === 'EXPIRED') return stored
  return { ...stored, body: { ...stored.body, decided: { decision, by: approver } } }
}

/** More people have to say the same before anything follows. */
export function waitUnit(
  context: Context,
  stored: StoredEscalation,
  flow: FlowRow,
  say: Say,
): PreparedDecision {
  const { body, signed } = say
  const counted = appendCounted(stored.body, say)
  const changed = buildChangedEscalation(stored, { ...stored.body, counted })
  const beside = listBeside(say)
  const entry = buildApprovalEntry(context, flow, { body, ...signed, releases: null, ...beside })
  return {
    unit: {
      guards: [...buildDecisionGuards(stored, flow, body), ...changed.guards],
      writes: [entry, ...changed.writes],
    },
    decided: {
      request_id: stored.key,
      dfid: flow.dfid,
      outcome: 'waiting',
      missing: countMissingApprovals(stored.body, say),
    },
  }
}

/** What stands with an approval, beside what was signed. */
function listBeside({
  modification,
  isSelf,
}: Say): Pick<ApprovalPayload, 'modification' | 'self_approval'> {
  return {
    ...(modification === null ? {} : { modification }),
    ...(isSelf ? { self_approval: 'allowed' } : {}),
  }
}

/** Approvals that it still needs after this one. */
export function countMissingApprovals({ request }: Escalation, { approvals }: Say): number {
  return Math.max(0, request.needs - approvals)
}

function appendCounted(
  { request, counted }: Escalation,
  { decision, modification, body, now }: Say,
): readonly Counted[] {
  const { approver, person, lifts, valid_until = now } = body
  const own: Counted = {
    approver,
    ...(person === undefined ? {} : { person }),
    decision: decision.decision,
    lifts,
    valid_until,
    modified: decision.modified,
    impact: modification?.impact ?? request.impact,
  }
  return [...counted, own]
}

/** There was no proposal: its agent goes on. */
export function sendBackUnit(
  context: Context,
  stored: StoredEscalation,
  flow: FlowRow,
  { body, signed, now }: Say,
): PreparedDecision {
  const ended = buildEndedEscalation(markDecided(stored, body), 'open', 'sent_back', now)
  const entry = buildApprovalEntry(context, flow, { body, ...signed, releases: null })
  const after = moveFlow(flow, ['ACTIVE'], now)
  return {
    unit: {
      guards: [...buildDecisionGuards(stored, flow, body), ...ended.guards],
      writes: [entry, { kind: 'put_flow', flow: after }, ...ended.writes],
    },
    decided: { request_id: stored.key, dfid: flow.dfid, outcome: 'sent_back', missing: 0 },
  }
}

export function approveUnit(
  context: Context,
  stored: StoredEscalation,
  flow: FlowRow,
  say: Say,
): PreparedDecision {
  const { decision, modification, body, signed, now } = say
  const { request } = stored.body
  const beside = listBeside(say)
  const { approver, valid_until = now } = body
  const counted = appendCounted(stored.body, say)
  const proposal = applyModification(stored.body, decision)
  const supposed = toSupposedApproval(context, stored.body, decision, modification, approver)
  const { binds } = supposed
  const approval: Escalation['approval'] = {
    ...supposed,
    request_id: stored.key,
    decisions: counted.length,
    rules_hash: request.rules_hash,
    past: request.past ?? NO_PAST,
    valid_until: counted.map((one) => one.valid_until).sort()[0] ?? valid_until,
    decided_at: now,
  }
  const moved = buildApprovedEscalation(stored, { ...stored.body, proposal, counted, approval })
  const entry = buildApprovalEntry(context, flow, { body, ...signed, releases: binds, ...beside })
  const unit = {
    guards: [...buildDecisionGuards(stored, flow, body), ...moved.guards],
    writes: [entry, ...moved.writes, ...buildParentObservationDrop(stored.body)],
  }
  const decided = { request_id: stored.key, dfid: flow.dfid, missing: 0 }
  return { unit, decided: { ...decided, outcome: 'approved' } }
}

/** What a decision says to the release: what it binds to, and as what it was judged. */
export function toSupposedApproval(
  { sha256 }: Context,
  body: Escalation,
  decision: EscalationDecision,
  modification: JudgedModification | null,
  approver: string,
): Omit<Supposed, 'binds'> & { readonly binds: Address } {
  const { intent_digest, impact } = body.request
  const { lifts } = decision
  if (decision.decision !== 'MODIFY')
    return { decision: 'OVERRIDE', approver, binds: intent_digest, lifts, impact }
  const { address: binds } = toAddressed('proposal', applyModification(body, decision), sha256)
  // Unjudged it would not count; then it weighs what was asked.
  return { decision: 'MODIFY', approver, binds, lifts, impact: modification?.impact ?? impact }
}

/**
 * What will run. A MODIFY keeps the action and its place, and says whose it takes; what the agent said
 * of the old parameters (its signature, its deadline, the resources it named) goes with them.
 */
export function applyModification(
  { proposal, request }: Escalation,
  { modified }: Pick<EscalationDecision, 'modified'>,
): JsonValue {
  if (modified === undefined || !isObject(proposal)) return proposal
  const { signature: _, valid_until: __, resources: ___, ...rest } = proposal
  const document: JsonObject = { ...rest, ...modified, supersedes: request.proposal_hash }
  return document
}
