/** Holds a decision against the facts that were on the screen of whoever took it. */
import type { EscalationDecision, Refusal } from 'rubicon-kernel'
import type { Context } from '../../engine-context.ts'
import type { Escalation } from '../../rows/stored-escalation.ts'
import { buildSupposedYes, compileAsApproved } from './as-if-approved.ts'
import { buildBriefFacts, hashShownFacts, selectMovedFacts } from './facts.ts'
import { readRecordedRequest } from './recorded.ts'

/** Why an approval does not count on the facts of now; null: it does, or it says nothing of them. */
export async function findMovedRefusal(
  context: Context,
  body: Escalation,
  { decision, shown_facts }: EscalationDecision,
  approver: string,
): Promise<Refusal | null> {
  // To end something is right on any facts.
  if (shown_facts === undefined || decision === 'ABORT') return null
  const { request } = body
  const recorded = await readRecordedRequest(context.store, request)
  const live = await compileAsApproved(context, body, buildSupposedYes(request, approver))
  if (live !== null && live.facts === null) {
    const details = { problem: 'the facts cannot be read now' }
    return { code: 'STATE_UNAVAILABLE', details }
  }
  const facts = buildBriefFacts(recorded.facts, live)
  const wanted = hashShownFacts(request.id, facts, context.sha256)
  if (wanted === shown_facts) return null
  const moved = selectMovedFacts(facts)
  return { code: 'APPROVAL_SNAPSHOT_MISMATCH', details: { shown_facts: wanted, moved } }
}
