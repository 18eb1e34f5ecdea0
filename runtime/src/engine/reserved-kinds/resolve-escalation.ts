/** RESOLVE_ESCALATION: a parent agent decides what an agent below it has asked. */
import { assert, type EscalationDecision, type SignedIntent } from 'rubicon-kernel'
import type { Effect, ProbeAnswer } from '../../ports/capability.ts'
import { type DecidedBy, toApproverName } from '../approve/approver.ts'
import { decideEscalation } from '../approve/decide.ts'
import type { Context } from '../engine-context.ts'
import { type Escalation, loadEscalation } from '../rows/stored-escalation.ts'
import { toNotApplied } from './not-done.ts'

export async function resolveEscalation(context: Context, intent: SignedIntent): Promise<Effect> {
  const { id, decision } = parseDecided(intent)
  const decided = await decideEscalation(context, id, decision, toDecidedBy(intent))
  if (!decided.ok) throw toNotApplied(decided.error)
  const { request_id, dfid, outcome } = decided.value
  return { result: { request_id, dfid, outcome } }
}

/** Whether it was this flow that decided. */
export async function probeResolved(context: Context, intent: SignedIntent): Promise<ProbeAnswer> {
  const { id } = parseDecided(intent)
  const stored =
    (await loadEscalation(context, 'approved', id)) ?? (await loadEscalation(context, 'closed', id))
  if (stored === null || !isDecidedBy(stored.body, intent)) return { finding: 'absent' }
  const { dfid } = stored.body.request
  return { finding: 'applied', effect: { result: { request_id: id, dfid, outcome: 'decided' } } }
}

function isDecidedBy({ approval, parent, ended }: Escalation, intent: SignedIntent): boolean {
  if (approval !== null) return approval.approver === toApproverName(toDecidedBy(intent))
  return ended?.as === 'aborted' && parent?.dfid === intent.dfid
}

function toDecidedBy({ agent_id, dfid }: SignedIntent): DecidedBy {
  return { kind: 'agent', agent_id, dfid }
}

/** The decision is read by whoever takes it in; here it only loses the name of the request. */
function parseDecided({ params }: SignedIntent): {
  readonly id: string
  readonly decision: EscalationDecision
} {
  const { request_id, ...decision } = params
  assert(typeof request_id === 'string', 'the arguments were checked')
  return { id: request_id, decision: decision as unknown as EscalationDecision }
}
