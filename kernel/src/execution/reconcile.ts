/**
 * What to do about an effect whose outcome is not known. Pure, so that every path can be listed.
 *
 * R1 an effect is sent again only if it is a read, conditional, deduplicated inside the provider's
 *    window, or proven absent; under a key never outside the provider's window.
 * R2 absence counts only if the capability calls it authoritative and no late arrival is possible.
 * R3 `unsafe` is never sent again.
 * R4 what cannot be settled goes to a person.
 * R5 probes are spread over the time in which the effect may still arrive, and the last one is kept for
 *    after it: before, an absence proves nothing. What may be sent again under its key is, meanwhile.
 */
import { LIMITS } from '../limits.ts'
import type { CapabilityDescription } from './capability.ts'
import type { ExecutionStatus } from './outcome.ts'

/** What a probe found. */
export type ProbeFinding = 'applied' | 'absent' | 'inconclusive'

export type Uncertain = {
  readonly status: Extract<ExecutionStatus, 'UNKNOWN' | 'NOT_APPLIED'>
  readonly firstSentMs: number
  readonly lastSentMs: number
  readonly nowMs: number
  readonly sends: number
  readonly probes: number
}

export type Resolution =
  | { readonly kind: 'probe' }
  /** The last probe is kept until no late arrival is possible. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'resend'; readonly why: 'same_key' | 'not_applied' }
  | { readonly kind: 'give_up'; readonly status: 'FAILED' | 'MANUAL_REVIEW' }

type Behaviour = Pick<CapabilityDescription, 'effect' | 'idempotency' | 'probe'>

/** The next thing to try for an uncertain effect. */
export function resolveUncertain(capability: Behaviour, effect: Uncertain): Resolution {
  if (effect.status === 'NOT_APPLIED') return resolveNotApplied(capability, effect)
  if (capability.probe !== undefined && effect.probes < LIMITS.probeAttempts)
    return resolveByProbe(capability, effect)
  if (mayResend(capability, effect)) return { kind: 'resend', why: 'same_key' }
  return { kind: 'give_up', status: 'MANUAL_REVIEW' }
}

function resolveByProbe(capability: Behaviour, effect: Uncertain): Resolution {
  const untilMs = computeLatestArrivalMs(capability, effect) + 1
  const isLast = effect.probes === LIMITS.probeAttempts - 1
  if (!isLast || effect.nowMs >= untilMs) return { kind: 'probe' }
  const again = mayResend(capability, effect)
  return again ? { kind: 'resend', why: 'same_key' } : { kind: 'wait', untilMs }
}

/** Until then, and including it, what was sent may still arrive. */
function computeLatestArrivalMs({ probe }: Behaviour, { lastSentMs }: Uncertain): number {
  return lastSentMs + (probe?.max_late_arrival_s ?? 0) * 1000
}

/**
 * When to ask again, after the probe that is counted in `effect`. Each of those that are left takes a
 * quarter of what it would take with one probe less: early ones come early, since most answers are
 * there at once, and the last one comes when no late arrival is possible.
 */
export function computeNextProbeMs(capability: Behaviour, effect: Uncertain): number {
  const backoff = effect.nowMs + computeBackoffMs(effect.probes + 1)
  const left = LIMITS.probeAttempts - effect.probes
  const remaining = computeLatestArrivalMs(capability, effect) + 1 - effect.nowMs
  if (left <= 0 || mayResend(capability, effect)) return backoff
  return Math.max(backoff, effect.nowMs + Math.ceil(remaining / 4 ** (left - 1)))
}

function resolveNotApplied(capability: Behaviour, effect: Uncertain): Resolution {
  const isInside = effect.nowMs < (computeKeyEndMs(capability, effect.firstSentMs) ?? Infinity)
  const again = capability.effect !== 'unsafe' && effect.sends < LIMITS.resendAttempts && isInside
  return again ? { kind: 'resend', why: 'not_applied' } : { kind: 'give_up', status: 'FAILED' }
}

/**
 * Until when the provider surely knows the key of what was first sent then. Null: it is not keyed, or
 * nobody says for how long.
 */
export function computeKeyEndMs(capability: Behaviour, firstSentMs: number): number | null {
  const { effect, idempotency } = capability
  if (effect !== 'keyed' || idempotency === undefined) return null
  return firstSentMs + idempotency.window_s * 1000 - LIMITS.idempotencyMarginMs
}

function mayResend(capability: Behaviour, effect: Uncertain): boolean {
  if (effect.sends >= LIMITS.resendAttempts) return false
  switch (capability.effect) {
    case 'read':
    case 'put_if_match':
      return true
    case 'keyed':
      return effect.nowMs < (computeKeyEndMs(capability, effect.firstSentMs) ?? -Infinity)
    case 'queryable':
    case 'unsafe':
      return false
  }
}

/** What a probe's answer means. An absence that a late arrival could undo is not an absence yet. */
export function judgeProbe(
  capability: Behaviour,
  effect: Uncertain,
  finding: ProbeFinding,
): 'SUCCESS' | 'NOT_APPLIED' | 'UNKNOWN' {
  if (finding === 'applied') return 'SUCCESS'
  if (finding !== 'absent' || capability.probe?.absence_authoritative !== true) return 'UNKNOWN'
  return effect.nowMs > computeLatestArrivalMs(capability, effect) ? 'NOT_APPLIED' : 'UNKNOWN'
}

/** Exponential, bounded, without jitter: the engine adds none, so that one seed is one history. */
export function computeBackoffMs(attempt: number): number {
  const exponent = Math.min(Math.max(attempt - 1, 0), 20)
  return Math.min(LIMITS.backoffBaseMs * 2 ** exponent, LIMITS.backoffMaxMs)
}
