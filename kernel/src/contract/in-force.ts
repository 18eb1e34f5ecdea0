import { parseInstant } from '../canonical/time.ts'
import type { Contract } from './contract.ts'

/**
 * Whether a moment lies in the window of a contract. The end is exclusive; a time that cannot be
 * read is outside of everything.
 */
export function isInForce(
  { effective_from, effective_until }: Pick<Contract, 'effective_from' | 'effective_until'>,
  now: number | undefined,
): boolean {
  const from = parseInstant(effective_from)
  if (now === undefined || from === undefined || now < from) return false
  if (effective_until === undefined) return true
  const until = parseInstant(effective_until)
  return until !== undefined && now < until
}
