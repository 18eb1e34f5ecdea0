/**
 * Is what was used counted where it was used? What an agent says its reasoning cost, and what a model cost, names the writ
 * that it is counted against: named another's, a flow would spend what was granted to somebody else, and named none that
 * there is, it would spend nothing at all.
 */
import type { ReadEntry } from '../reading/read-entry.ts'
import type { AuthorityState } from './authority-state.ts'
import { toBudgetNumber } from './budget-number.ts'

/** After the entry was taken in. */
export function findUsageProblems(
  { flows, writs }: AuthorityState,
  { envelope, payload }: ReadEntry,
): string[] {
  if (payload?.kind !== 'evidence' || !('used' in payload.payload)) return []
  const { dfid } = envelope
  const said = payload.payload
  // How the flow was opened may be erased, or left out of a bundle.
  const isKnown = dfid !== undefined && flows.get(dfid) !== undefined
  const isElsewhere = isKnown && writs.get(said.writ_id)?.nonce !== dfid
  const found = isElsewhere ? ['what was used is counted against another writ'] : []
  if (said.source !== 'model' || said.finding !== 'answered' || said.usage === null) return found
  const { input_tokens, output_tokens } = said.usage
  const counted = Object.hasOwn(said.used, 'tokens') ? said.used.tokens : undefined
  const tokens = typeof counted === 'string' ? toBudgetNumber('tokens', counted) : 0
  return tokens === input_tokens + output_tokens
    ? found
    : [...found, 'other tokens are counted than the model used']
}
