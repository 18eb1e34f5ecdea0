/**
 * Asks about a request once more, under the rules and facts of now: what it waits with is compiled as
 * at a release that lifts nothing. So it asks somebody anew, or goes back to its agent with the refusal.
 *
 * Boundary: it approves nothing. What would need no approval any more is not carried out from here; its
 * agent proposes it again.
 */
import {
  type Answer,
  type ApprovalFact,
  err,
  type Failure,
  formatInstant,
  LIMITS,
  NO_PAST,
  ok,
  parseInstant,
  type Refusal,
  type Result,
} from 'rubicon-kernel'
import { judgeOnce } from '../decide/propose.ts'
import type { Context } from '../engine-context.ts'
import { buildParentObservationDrop } from '../escalate/ask.ts'
import { loadDecision } from '../judge/load-decision.ts'
import { receiveProposal } from '../judge/receive.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { toRefusalFailure } from '../rows/refusal-failure.ts'
import {
  buildEndedEscalation,
  loadEscalation,
  type StoredEscalation,
  toAskingSession,
} from '../rows/stored-escalation.ts'
import { buildSupposedYes, compileAsApproved } from './brief/as-if-approved.ts'
import { judgeStanding, type Onlooker } from './brief/standing.ts'
import { loadNotOpenRefusal } from './not-open.ts'

export type AskedAgain = {
  /** The request that has ended. */
  readonly superseded: string
  /** ESCALATED, with the new request, or what became of it instead. */
  readonly answer: Answer
}

export async function askAgain(
  context: Context,
  id: string,
  onlooker: Onlooker,
): Promise<Result<AskedAgain, Failure>> {
  const started = context.clock.monotonic()
  while (context.clock.monotonic() - started < LIMITS.dispatchWithinMs) {
    const stored = await loadEscalation(context, 'open', id)
    if (stored === null) return err(toRefusalFailure(await loadNotOpenRefusal(context, id)))
    const refusal = await findAskAgainRefusal(context, stored, onlooker)
    if (refusal !== null) return err(toRefusalFailure(refusal))
    const answer = await judgeAgain(context, stored, onlooker.name, started)
    if (answer !== null) return ok({ superseded: id, answer })
  }
  return err(buildContentionFailure('the request'))
}

/** Only who may decide it, and only where a yes to it as it stands would not run. */
async function findAskAgainRefusal(
  context: Context,
  { body }: StoredEscalation,
  onlooker: Onlooker,
): Promise<Refusal | null> {
  const { request } = body
  const flow = await context.store.readFlow(request.dfid)
  if (flow === null) return { code: 'ESCALATION_UNKNOWN', details: { request: request.id } }
  const { ABORT: mayNot } = await judgeStanding(context, body, flow, onlooker)
  if (mayNot === 'ROLE_MISSING')
    return { code: 'APPROVER_UNKNOWN', details: { approver: onlooker.name } }
  if (mayNot !== null) return { code: mayNot, details: { request: request.id } }
  const live = await compileAsApproved(context, body, buildSupposedYes(request, onlooker.name))
  if (live !== null && live.outlook.kind !== 'runs') return null
  const detail =
    live === null ? 'it cannot be judged here' : 'it can be decided as it stands: it would run'
  return { code: 'DECISION_INVALID', details: { detail } }
}

/** Null: a guard failed, so the world moved; start over. */
async function judgeAgain(
  context: Context,
  stored: StoredEscalation,
  approver: string,
  started: number,
): Promise<Answer | null> {
  const { request, proposal } = stored.body
  const received = receiveProposal(
    proposal as Parameters<typeof receiveProposal>[0],
    context.sha256,
  )
  if (!received.ok) return null
  const loaded = await loadDecision(context, request.dfid, received.value.proposal)
  if (loaded === null) return null
  const { now } = loaded.view
  const ended = buildEndedEscalation(stored, 'open', 'superseded', now)
  const unit = { ...ended, writes: [...ended.writes, ...buildParentObservationDrop(stored.body)] }
  const release = { approval: buildEmptyApproval(request, approver, now), unit }
  const { received: bytes } = stored.body
  const said = {
    ...received.value,
    received: bytes,
    session: toAskingSession(stored.body),
    release,
  }
  return judgeOnce(context, loaded, said, started, LIMITS.waitMs)
}

/** It dates the proposal anew, and approves nothing: nobody has decided. */
function buildEmptyApproval(
  { id, intent_digest, rules_hash, past }: StoredEscalation['body']['request'],
  approver: string,
  now: string,
): ApprovalFact {
  return {
    request_id: id,
    decision: 'OVERRIDE',
    approver,
    decisions: 0,
    binds: intent_digest,
    rules_hash,
    lifts: [],
    impact: 'HIGH_IMPACT',
    past: past ?? NO_PAST,
    valid_until: formatInstant((parseInstant(now) ?? 0) + LIMITS.dispatchWithinMs),
    decided_at: now,
  }
}
