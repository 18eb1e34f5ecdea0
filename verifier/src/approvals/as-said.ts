/**
 * What a decision says, whatever it is about: a reason that somebody can read, the members of its word, all triggers
 * where it is an OVERRIDE, and an end that is still ahead.
 */
import { type ApprovalPayload, isBlank, type PayloadOf } from 'rubicon-kernel'
import { AGENT } from './agent-decision.ts'

type Request = PayloadOf['pending_approval']['request']

/** Nobody says EXPIRED. */
export function findSaidProblems(
  { triggers }: Request,
  {
    decision,
    approver,
    justification,
    lifts,
    valid_until,
    modified,
    retire,
  }: ApprovalPayload['body'],
  at: string,
): string[] {
  if (decision === 'EXPIRED') return []
  const found = isBlank(justification) ? ['it has no reason that anybody can read'] : []
  if (retire === true && (decision !== 'ABORT' || approver.startsWith(AGENT)))
    found.push('it retires the agent, and is no abort by a person')
  if ((modified !== undefined) !== (decision === 'MODIFY'))
    found.push('it says what to do instead, or does not, against its word')
  if (decision === 'ABORT') return found
  if (valid_until === undefined || valid_until <= at)
    found.push('the approval had ended when it was given')
  if (decision === 'OVERRIDE' && triggers.some(({ id }) => !lifts.includes(id)))
    found.push('it leaves a trigger of its request in place')
  return found
}
