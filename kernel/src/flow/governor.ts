/**
 * The retry governor. An agent that argues with the kernel burns money and finds loopholes, so the
 * third final rejection ends its flow. Transient refusals are not its fault and have a wider limit.
 * A flow whose authority was revoked ends at the first refusal: nothing under it can pass again. So
 * does one whose story was found not to fit its action.
 */
import type { Facts } from '../compile/facts.ts'
import { LIMITS } from '../limits.ts'
import type { ReasonCode } from '../reason.ts'
import { REASONS } from '../reason.ts'

export type Rejections = {
  readonly rejections: number
  readonly transient_rejections: number
}

/** Why a rejection ended its flow. */
export type Ending =
  | 'REASONING_EXHAUSTION'
  | 'CONTENTION_EXHAUSTION'
  | 'AUTHORITY_REVOKED'
  | 'COMPUTE_BUDGET_EXHAUSTED'
  | 'ESCALATION_BUDGET_EXHAUSTED'
  | 'SEMANTIC_MISMATCH'
  | FailedProof
  /** By no rejection: its writ has ended, and nobody can move it. */
  | 'FLOW_EXPIRED'
  | 'EVENT_HALTED'
  /** While it waited for a person, another agent's proposal about the same event was carried out. */
  | 'PREEMPTED'
  /** By no rejection either: it was woken, and nobody took it up. */
  | 'WAKE_EXPIRED'

/** What a proof says cannot be argued about: it holds, or its flow is over. */
const FAILED_PROOFS = ['REJECT_AUTH', 'REJECT_CONTEXT', 'REJECT_DRIFT', 'REJECT_HASH'] as const
type FailedProof = (typeof FAILED_PROOFS)[number]

function isFailedProof(code: ReasonCode): code is FailedProof {
  return FAILED_PROOFS.some((one) => one === code)
}

/**
 * Whoever says one thing and does another is not asked to find better words, nor is whoever asks people too often. In a
 * flow of an event that was halted nothing can pass any more.
 */
const ENDING_AT_ONCE = ['SEMANTIC_MISMATCH', 'ESCALATION_BUDGET_EXHAUSTED', 'EVENT_HALTED'] as const

function isEndingAtOnce(code: ReasonCode): code is (typeof ENDING_AT_ONCE)[number] {
  return ENDING_AT_ONCE.some((one) => one === code)
}

export type Governed = Rejections & {
  /** Set when this rejection ends the flow. */
  readonly ended: Ending | null
}

const REVOKED: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'AGENT_RETIRED',
  'CONTRACT_REVOKED',
  'WRIT_REVOKED',
])

/**
 * Whether what the flow stands on is gone for good, whatever the refusal was for. A writ that only
 * the proposal named is not the flow's. A suspension may be lifted, so that it ends nothing.
 */
export function isAuthorityLost({
  agent,
  contract,
  flow,
}: Pick<Facts, 'agent' | 'contract' | 'flow'>): boolean {
  if (agent.status === 'RETIRED' || contract === null || contract.revoked) return true
  return flow.revoked_writ !== null
}

/** `lost` is `authorityLost`; where nobody could look, the code says it. */
export function govern(
  before: Rejections,
  code: ReasonCode,
  maxRetries: number = LIMITS.intentRetries,
  lost: boolean = REVOKED.has(code),
): Governed {
  const counted = count(before, code, maxRetries)
  if (lost) return { ...counted, ended: 'AUTHORITY_REVOKED' }
  if (isFailedProof(code)) return { ...counted, ended: code }
  return isEndingAtOnce(code) ? { ...counted, ended: code } : counted
}

function count(before: Rejections, code: ReasonCode, maxRetries: number): Governed {
  // No agent can do anything about the rules that a process was started with.
  if (code === 'RULES_NOT_IN_FORCE') return { ...pickRejections(before), ended: null }
  if (REASONS[code].transient) {
    const transient_rejections = before.transient_rejections + 1
    const ended = transient_rejections >= LIMITS.transientRetries ? 'CONTENTION_EXHAUSTION' : null
    return { rejections: before.rejections, transient_rejections, ended }
  }
  const rejections = before.rejections + 1
  const ended = rejections >= maxRetries ? 'REASONING_EXHAUSTION' : null
  return { rejections, transient_rejections: before.transient_rejections, ended }
}

function pickRejections({ rejections, transient_rejections }: Rejections): Rejections {
  return { rejections, transient_rejections }
}
