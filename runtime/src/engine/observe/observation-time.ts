/**
 * Whether an observation comes in time.
 *
 * T1 it is not ahead of us by more than clocks differ, and no older than what is worth saying.
 * T2 an owner's word is no older than the last one of its path, whoever owned it then: what was said
 *    before somebody else spoke, or before an operator overruled it, is not said again.
 * T3 an operator's word is compared with operators' words only: the owner's clock is the owner's claim,
 *    and would keep whoever overrules it waiting.
 */
import { type Failure, LIMITS, parseInstant } from 'rubicon-kernel'
import type { OwnerWord } from '../../ports/said-fact.ts'
import type { StandingFact, Words } from '../context/standing-fact.ts'

export function checkObservationTime(
  path: string,
  word: StandingFact,
  { said, operator }: Words,
  now: string,
): Failure | null {
  const { observed_at } = word
  const ageMs = (parseInstant(now) ?? 0) - (parseInstant(observed_at) ?? 0)
  if (ageMs < -LIMITS.clockSkewMs)
    return {
      code: 'OBSERVATION_FUTURE',
      summary: `\`${path}\` was observed at ${observed_at}, and it is ${now}`,
      fix: 'set the clock of whoever observes, or leave `observed_at` out',
    }
  if (ageMs > LIMITS.observationAgeMs)
    return buildStaleFailure(path, observed_at, `it is ${now}`, 'observe it again')
  const last = word.until === undefined ? said : operator
  if (last === null || isLater(word, last)) return null
  const known = `is known as of ${last.observed_at}`
  return buildStaleFailure(path, observed_at, known, 'drop it; what is known is newer')
}

/** Instants have one spelling, so that the order of texts is the order of times. */
function isLater(word: StandingFact, last: OwnerWord): boolean {
  if (word.observed_at !== last.observed_at) return word.observed_at > last.observed_at
  // Of one instant: the same speaker corrects himself, unless he was overruled meanwhile.
  if (word.until !== undefined) return true
  return word.source === last.source && last.overruled === undefined
}

function buildStaleFailure(path: string, observedAt: string, known: string, fix: string): Failure {
  const summary = `\`${path}\` was observed at ${observedAt}, and ${known}`
  return { code: 'OBSERVATION_STALE', summary, fix }
}
