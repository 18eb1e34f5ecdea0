/**
 * What to do about an effect whose outcome is not known. Pure, so that every path can be listed.
 *
 * R1 an effect is sent again only if it is a read, conditional, deduplicated inside the provider's
 *    window, or proven absent.
 * R2 absence counts only if the capability calls it authoritative and no late arrival is possible.
 * R3 `unsafe` is never sent again.
 * R4 what cannot be settled goes to a person.
 */
import { LIMITS } from '../limits.ts'
import type { CapabilityDescription } from './capability.ts'
import type { ExecutionStatus } from './outcome.ts'

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
  | { readonly kind: 'resend'; readonly why: 'same_key' | 'not_applied' }
  | { readonly kind: 'give_up'; readonly status: 'FAILED' | 'MANUAL_REVIEW' }

type Behaviour = Pick<CapabilityDescription, 'effect' | 'idempotency' | 'probe'>

/** The next thing to try for an uncertain effect. */
export function resolveUncertain(capability: Behaviour, effect: Uncertain): Resolution {
  if (effect.status === 'NOT_APPLIED') return resolveNotApplied(capability, effect)
  if (capability.probe !== undefined && effect.probes < LIMITS.probeAttempts)
    return { kind: 'probe' }
  if (mayResend(capability, effect)) return { kind: 'resend', why: 'same_key' }
  return { kind: 'give_up', status: 'MANUAL_REVIEW' }
}

function resolveNotApplied(capability: Behaviour, effect: Uncertain): Resolution {
  const again = capability.effect !== 'unsafe' && effect.sends < LIMITS.resendAttempts
  return again ? { kind: 'resend', why: 'not_applied' } : { kind: 'give_up', status: 'FAILED' }
}

function mayResend(capability: Behaviour, effect: Uncertain): boolean {
  if (effect.sends >= LIMITS.resendAttempts) return false
  switch (capability.effect) {
    case 'read':
    case 'put_if_match':
      return true
    case 'keyed': {
      const windowMs = (capability.idempotency?.window_s ?? 0) * 1000
      return effect.nowMs < effect.firstSentMs + windowMs - LIMITS.idempotencyMarginMs
    }
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
  if (finding === 'inconclusive' || capability.probe?.absence_authoritative !== true)
    return 'UNKNOWN'
  const lateUntil = effect.lastSentMs + capability.probe.max_late_arrival_s * 1000
  return effect.nowMs > lateUntil ? 'NOT_APPLIED' : 'UNKNOWN'
}

/** Exponential, bounded, without jitter: the engine adds none, so that one seed is one history. */
export function backoffMs(attempt: number): number {
  const exponent = Math.min(Math.max(attempt - 1, 0), 20)
  return Math.min(LIMITS.backoffBaseMs * 2 ** exponent, LIMITS.backoffMaxMs)
}
