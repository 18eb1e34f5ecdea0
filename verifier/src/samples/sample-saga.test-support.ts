/** What is said of a flow that did half of its job. */
import type { Entry, JsonObject } from 'rubicon-kernel'
import type { LedgerBuilder } from './ledger-builder.test-support.ts'
import { DFID } from './sample-ledger.test-support.ts'

/** What a person says who settles effects, but for the outcome. */
export const WORD: JsonObject = { by: 'olga', justification: 'called the bank', evidence: {} }

export function saga(
  builder: LedgerBuilder,
  status: string,
  change: JsonObject = {},
  dfid: string = DFID,
): Entry {
  const payload = { salt: 'c2FsdA==', source: 'saga', status, details: {}, ...change }
  return builder.append('main', 'evidence', payload, { dfid })
}
