/** What became of an effect, before it is recorded. */
import type { Delta, EvidencePayload, JsonObject } from 'rubicon-kernel'
import type { Effect } from '../../ports/capability.ts'

export type Settlement =
  | {
      readonly kind: 'applied'
      readonly effect: Effect & { readonly delta: Delta }
      readonly by: 'answer' | 'probe' | 'resend' | 'person'
      readonly evidence?: Evidence
    }
  /** Definitively not applied. Transient: it may be sent again. */
  | {
      readonly kind: 'failed'
      readonly code: 'EFFECT_FAILED' | 'INTENT_SIGNATURE_INVALID' | 'DISPATCH_EXPIRED'
      readonly details: JsonObject
      readonly transient: boolean
      readonly evidence?: Evidence
    }
  | {
      readonly kind: 'unknown'
      readonly code: 'OUTCOME_UNKNOWN' | 'OBSERVATION_INVALID'
      readonly details: JsonObject
      readonly evidence?: Evidence
    }
  /** It happened, but what should hold afterwards does not. */
  | {
      readonly kind: 'dirty'
      readonly code: 'POSTCONDITION_FAILED' | 'DELTA_CONFLICT'
      readonly details: JsonObject
    }
  | { readonly kind: 'manual'; readonly details: JsonObject; readonly evidence?: Evidence }
  /** A person gives it up as it is. */
  | { readonly kind: 'abandoned'; readonly details: JsonObject; readonly evidence: Evidence }

export type Evidence = Pick<EvidencePayload, 'source' | 'finding' | 'details'>
