/**
 * Stage 3: everything that has a time is inside it. Ends are exclusive, so that a writ expiring now
 * and a proposal carrying `valid_until: now` authorise nothing.
 */
import { parseInstant } from '../canonical/time.ts'
import { isInForce } from '../contract/in-force.ts'
import { LIMITS } from '../limits.ts'
import type { WritBody } from '../writ/writ.ts'
import type { AuthorityInput, CompileInput } from './input.ts'
import type { Stage, StageResult } from './stage.ts'
import { PASS, refuse } from './stage.ts'

export const windowStage: Stage = {
  name: 'window',
  reads: ['now', 'writs', 'contract', 'approval'],
  run(input: CompileInput): StageResult {
    const standing = checkStandingTimes(input)
    if (standing.said !== 'pass') return standing
    const { facts, proposal } = input
    const now = toEpochMs(facts.value.now)
    const { approval } = facts.value
    if (approval != null) return checkApproval(approval.valid_until, now)
    return checkDeadline(proposal.valid_until, now)
  },
}

/** Of what authority stands on, whatever is proposed. */
export function checkStandingTimes({ facts, writs, contract }: AuthorityInput): StageResult {
  const now = toEpochMs(facts.value.now)
  for (const writ of writs) {
    const result = checkWindow(writ.body, now)
    if (result.said !== 'pass') return result
  }
  if (contract !== null && !isInForce(contract, now))
    return refuse('CONTRACT_NOT_EFFECTIVE', { version: contract.version })
  return PASS
}

/** A time that cannot be read is past every end. */
function toEpochMs(now: string): number {
  return parseInstant(now) ?? Number.POSITIVE_INFINITY
}

function checkWindow({ window, nonce }: WritBody, now: number): StageResult {
  const from = parseInstant(window.not_before)
  const until = parseInstant(window.expires_at)
  if (from === undefined || now < from) return refuse('WRIT_NOT_YET_VALID', { writ: nonce })
  if (until === undefined || now >= until) return refuse('WRIT_EXPIRED', { writ: nonce })
  return PASS
}

function checkApproval(validUntil: string, now: number): StageResult {
  const until = parseInstant(validUntil) ?? 0
  return now < until ? PASS : refuse('APPROVAL_EXPIRED', { late_by_ms: now - until })
}

function checkDeadline(validUntil: string | undefined, now: number): StageResult {
  if (validUntil === undefined) return PASS
  const until = parseInstant(validUntil) ?? 0
  if (now >= until) return refuse('TTL_EXPIRED', { late_by_ms: now - until })
  if (until - now > LIMITS.deadlineHorizonMs)
    return refuse('TTL_TOO_FAR', { horizon_ms: LIMITS.deadlineHorizonMs })
  return PASS
}
