/**
 * What an agent should make of a "no".
 *
 * soft_stop: change the proposal, or wait, and try again. hard_stop: nothing that the agent can propose
 * here helps, until somebody with authority changes something. delegation: its parent decides.
 * alert: a person looks.
 */
import type { Disposition } from '../proposal/answer.ts'
import { REASONS, type ReasonCode, type ReasonProducer } from '../reason.ts'
import { isAgentChannel } from './request.ts'

/** Codes that somebody should look at: an attack, a broken rule, or a lost ledger. */
const ALERTS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'PROPOSAL_SIGNATURE_INVALID',
  'REJECT_AUTH',
  'WRIT_SIGNATURE_INVALID',
  'WRIT_ID_MISMATCH',
  'WRIT_UNTRUSTED_ISSUER',
  'KEY_PURPOSE',
  'DELEGATION_WIDENS',
  'IDENTITY_MISMATCH',
  'MISSION_DISSONANCE',
  'POLICY_ERROR',
  'INTENT_SIGNATURE_INVALID',
  'SEMANTIC_MISMATCH',
])

/** What the stage looks at: the agent's own words and numbers, or what was granted to it. */
const BY_PRODUCER: Readonly<Record<ReasonProducer, Disposition>> = {
  queue: 'soft_stop',
  parser: 'soft_stop',
  proof: 'hard_stop',
  repeat: 'hard_stop',
  atom: 'soft_stop',
  kind: 'soft_stop',
  signature: 'hard_stop',
  window: 'hard_stop',
  scope: 'hard_stop',
  capability: 'hard_stop',
  budget: 'hard_stop',
  arguments: 'soft_stop',
  preconditions: 'soft_stop',
  policy: 'hard_stop',
  emission: 'hard_stop',
  dispatch: 'soft_stop',
  arbitration: 'hard_stop',
  governor: 'hard_stop',
  escalation: 'hard_stop',
  outcome: 'hard_stop',
  registry: 'hard_stop',
  ledger: 'alert',
}

/** Where the agent can do what others of the same stage cannot. */
const REVISED: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'LOW_CONFIDENCE',
  'TTL_EXPIRED',
  'TTL_TOO_FAR',
  'STEP_PARAMS_MISMATCH',
  'APPROVAL_EXPIRED',
  'APPROVAL_VOID',
])

/** Where nothing that the agent says can help, though others of the same stage look at its words. */
const RULED: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['CONTRACT_UNANSWERED'])

export function deriveDisposition(code: ReasonCode): Disposition {
  if (ALERTS.has(code)) return 'alert'
  if (RULED.has(code)) return 'hard_stop'
  const { transient, producer } = REASONS[code]
  return transient || REVISED.has(code) ? 'soft_stop' : BY_PRODUCER[producer]
}

/** Of what waits for somebody, by where it waits. */
export function deriveEscalatedDisposition(channel: string): Disposition {
  return isAgentChannel(channel) ? 'delegation' : 'alert'
}
