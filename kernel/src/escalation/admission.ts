/**
 * How often an agent may ask. A person who is asked too often stops reading, so exceptions have a
 * budget, and the agent that spends it is stopped; approvals that the rules always ask for have
 * a limit of their own, because they are not the agent's choice.
 */
import { parseInstant } from '../canonical/time.ts'
import type { Refusal, Trigger } from '../compile/verdict.ts'
import type { Contract } from '../contract/contract.ts'
import { LIMITS } from '../limits.ts'
import { type EscalationQueue, findChannelAgent } from './request.ts'

export type AskedBefore = {
  readonly now: string
  readonly queue: EscalationQueue
  readonly channel: string
  /** When earlier exceptions of the agent reached a person. */
  readonly spent: readonly string[]
  readonly perHour: number
  /** Flows of the agent that wait for somebody. */
  readonly waiting: number
}

export type Admission = {
  /** Null: somebody is asked. */
  readonly refusal: Refusal | null
  /** As `spent`, with this one and without those that do not count any more; null: it does not. */
  readonly spent: readonly string[] | null
}

export function admitEscalation(asked: AskedBefore): Admission {
  const { now, queue, channel, perHour, waiting } = asked
  if (queue === 'approval') {
    const full = waiting >= LIMITS.approvalsWaiting
    const refusal: Refusal = { code: 'APPROVAL_QUEUE_FULL', details: { waiting } }
    return { refusal: full ? refusal : null, spent: null }
  }
  // A parent is no person, and tires of nothing.
  if (findChannelAgent(channel) !== undefined) return { refusal: null, spent: null }
  const spent = asked.spent.filter((at) => isWithinTheHour(at, now))
  if (spent.length < perHour) return { refusal: null, spent: [...spent, now] }
  const details = { escalations: spent.length, per_hour: perHour }
  return { refusal: { code: 'ESCALATION_BUDGET_EXHAUSTED', details }, spent: null }
}

/** What cannot be read counts: a budget must not grow by damage. */
function isWithinTheHour(at: string, now: string): boolean {
  const [then, today] = [parseInstant(at), parseInstant(now)]
  if (then === undefined || today === undefined) return true
  return today - then < LIMITS.escalationWindowMs
}

/** While one of its flows waits, an agent whose contract says so does nothing else. */
export function findPauseRefusal(
  { safety_rules }: Pick<Contract, 'safety_rules'>,
  waiting: number,
): Refusal | null {
  if (!safety_rules.pause_on_escalation || waiting === 0) return null
  return { code: 'ESCALATION_PENDING', details: { waiting } }
}

/** The agent's own words are shown to whoever decides, and decide nothing. */
export function buildAskedTrigger(reason: string): Trigger {
  return { id: 'asked', code: 'AGENT_ASKS', channel: 'operator', details: { reason } }
}

/**
 * A provider that fails again and again is nothing that an agent can reason about. `failed` says which
 * steps did, and why.
 */
export function findFailureTrigger(failures: number, failed: readonly string[]): Trigger | null {
  if (failures < LIMITS.operationalFailures) return null
  const details = { failures, failed }
  return { id: 'failures', code: 'REPEATED_FAILURE', channel: 'operator', details }
}
