import type { Dispatched } from '../rows/dispatched.ts'
import type { Settlement } from './settlement.ts'

/**
 * What cannot be taken back stays half done: that is for a person, who alone may say it failed. What
 * is known not to have been taken back has failed already; its saga goes to a person.
 */
export function convertUndoSettlement(
  { intent, execution }: Dispatched,
  settlement: Settlement,
): Settlement {
  if (intent.compensation === undefined || execution.status === 'NOT_APPLIED') return settlement
  if (settlement.kind !== 'failed' || settlement.transient) return settlement
  const { details, evidence } = settlement
  if (evidence?.source === 'person') return settlement
  return { kind: 'manual', details, ...(evidence === undefined ? {} : { evidence }) }
}
