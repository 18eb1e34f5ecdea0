import { type JsonValue, toCanonicalText } from 'rubicon-kernel'
import type { Effect } from '../../ports/capability.ts'

/** What is told of an effect stands in the ledger: its result, if it is none of what was observed. */
export function listObservations({ observations = [], result }: Effect): readonly JsonValue[] {
  if (result === undefined) return observations
  const text = toCanonicalText(result)
  const isAmong = observations.some((one) => toCanonicalText(one) === text)
  return isAmong ? observations : [...observations, result]
}
