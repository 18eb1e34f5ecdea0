/** An approval that could only come to nothing is not given: whoever gives it hears why instead. */
import type { EscalationDecision, JudgedModification, Refusal } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import type { Escalation } from '../rows/stored-escalation.ts'
import { compileAsApproved } from './brief/as-if-approved.ts'
import { applyModification, toSupposedApproval } from './decision-unit.ts'

/** Null: it would run, ask again, or only another engine can tell. */
export async function findOutlookRefusal(
  context: Context,
  body: Escalation,
  decision: EscalationDecision,
  modification: JudgedModification | null,
  approver: string,
): Promise<Refusal | null> {
  if (decision.decision === 'ABORT') return null
  const proposal = applyModification(body, decision)
  const supposed = toSupposedApproval(context, body, decision, modification, approver)
  const outlook = (await compileAsApproved(context, { ...body, proposal }, supposed))?.outlook
  if (outlook?.kind !== 'refused') return null
  const { code, details } = outlook
  return { code, details }
}
