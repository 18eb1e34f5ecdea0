/**
 * Whose word the result of an effect is. An outsider's, unless the manifest of its tool says otherwise.
 *
 * L1 it says so only of what its own executor answered: not of a probe, a compensation or what a person reports.
 * L2 it is the manifest that was decided on, by its hash; under another one nobody has vouched for the answer.
 */
import type { SignedIntent, SourceLabel } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import type { Settlement } from './settlement.ts'

export function findResultLabel(
  { book }: Pick<Context, 'book'>,
  intent: SignedIntent,
  settlement: Settlement,
): SourceLabel {
  const isAnswer =
    settlement.kind === 'applied' && (settlement.by === 'answer' || settlement.by === 'resend')
  if (!isAnswer || intent.compensation !== undefined) return 'external'
  const law = book.capability(intent.policy_kind)?.law
  if (law === undefined || law.hash !== intent.capability_hash) return 'external'
  return law.description.manifest?.labels?.result ?? 'external'
}
