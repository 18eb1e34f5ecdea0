/**
 * Runs every policy that applies, in order. One that throws or cannot be evaluated refuses: a rule
 * that is skipped when it fails is a rule that an attacker can switch off. An answer that has not
 * the form of one (a promise, nothing at all) was not evaluated either. Nor is one asked that would
 * cost more than is left: an agent chooses how long its texts are, and one thread decides for all.
 */
import { checkJson } from '../canonical/check-json.ts'
import { shorten } from '../canonical/shorten.ts'
import type { PolicyTraceLine, Refusal, Trigger } from '../compile/verdict.ts'
import { LIMITS } from '../limits.ts'
import type { Policy, PolicyAnswer, PolicyAsk, PolicyInput } from './policy.ts'

export type PolicyOutcome = {
  readonly lines: readonly PolicyTraceLine[]
  readonly refusals: readonly Refusal[]
  readonly triggers: readonly Trigger[]
}

export function evaluatePolicies(policies: readonly Policy[], input: PolicyInput): PolicyOutcome {
  const lines: Line[] = []
  const refusals: Refusal[] = []
  const triggers: Trigger[] = []
  let left: number = LIMITS.policySteps
  for (const policy of policies) {
    if (policy.applies_to !== undefined && !policy.applies_to.includes(input.proposal.policy_kind))
      continue
    const steps = countSteps(policy, input)
    const affordable = steps <= left
    if (affordable) left -= steps
    const line = affordable ? ask(policy, input) : buildErrorLine(policy, describeExcessCost(steps))
    lines.push(line)
    const details = {
      policy: policy.name,
      reason: line.reason ?? '',
      rules: listDecidingRules(line),
    }
    if (line.said === 'error') refusals.push({ code: 'POLICY_ERROR', details })
    if (line.said === 'deny') refusals.push({ code: 'POLICY_DENIED', details })
    for (const { channel, reason } of line.asks)
      triggers.push({
        id: formatPolicyTrigger(policy.name, channel),
        code: 'APPROVAL_REQUIRED',
        channel,
        details: { ...details, reason },
      })
  }
  return { lines: lines.map(omitAsks), refusals, triggers }
}

/** Of what cannot be told it is too much. */
function countSteps(policy: Policy, input: PolicyInput): number {
  if (policy.steps === undefined) return 0
  try {
    const steps = policy.steps(input)
    return steps >= 0 ? steps : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Why it is not asked. */
export function describeExcessCost(steps: number): string {
  return `the parameters are too long for its rules: ${steps} steps, and a decision has ${LIMITS.policySteps}`
}

/**
 * What an approval lifts: what this policy asks of this channel. A policy may ask somebody else by the
 * time of the release, and a yes to the one is none to the other. No name of a policy has an `@`.
 */
export function formatPolicyTrigger(name: string, channel: string): string {
  return `policy:${name}@${channel}`
}

/** Those that decided it; where some erred, those did. */
function listDecidingRules({ said, determining, erroring }: Line): readonly string[] {
  return said === 'error' ? erroring.map(({ rule }) => String(rule)) : determining
}

const LACKING = 'its answer lacks a reason or a channel, or is not JSON'

function ask(policy: Policy, input: PolicyInput): Line {
  try {
    const line = traceLine(policy, policy.evaluate(input))
    if (isDecisionOnly(line) || checkJson(line).ok) return line
    return buildErrorLine(policy, LACKING)
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'threw something that is not an error'
    return buildErrorLine(policy, shorten(detail, LIMITS.wordsLength))
  }
}

const NONE: Line['erroring'] = Object.freeze([])

/** The kind of its decision is all that the policy said: no value of its answer is in the line. */
function isDecisionOnly({ said, determining, erroring }: Line): boolean {
  return (said === 'permit' || said === 'nothing') && determining.length === 0 && erroring === NONE
}

function buildErrorLine({ name, version }: Policy, detail: string): Line {
  const erroring = [{ rule: name, detail }]
  const common = { policy: name, version, determining: [], erroring, asks: [] }
  return { ...common, said: 'error', reason: `${name}: ${detail}` }
}

type Line = PolicyTraceLine & { readonly asks: readonly PolicyAsk[] }

function traceLine(policy: Policy, answer: PolicyAnswer): Line {
  const { decision, determining = [], erroring = NONE } = answer
  const { name, version } = policy
  const common = {
    policy: name,
    version,
    determining: [...determining],
    erroring,
    asks: [],
  }
  if (erroring.length > 0) {
    const reason = erroring.map(({ rule, detail }) => `${rule}: ${detail}`).join('; ')
    return { ...common, said: 'error', reason }
  }
  if (decision === null) return { ...common, said: 'nothing' }
  switch (decision.kind) {
    case 'permit':
      return { ...common, said: 'permit' }
    case 'deny':
      if (typeof decision.reason !== 'string') return buildErrorLine(policy, LACKING)
      return { ...common, said: 'deny', reason: decision.reason }
    case 'require_approval': {
      const given = [decision, ...(decision.also ?? [])]
      if (!given.every(isAsk)) return buildErrorLine(policy, LACKING)
      const asks = mergeAsks(given)
      const reason = joinReasons(asks.map((one) => one.reason))
      return { ...common, said: 'require_approval', reason, asks }
    }
    default:
      return buildErrorLine(policy, 'its decision is unknown')
  }
}

function isAsk({ channel, reason }: PolicyAsk): boolean {
  return typeof channel === 'string' && typeof reason === 'string'
}

/** Each channel once, in the order in which they are named, with all that it is asked for. */
function mergeAsks(given: readonly PolicyAsk[]): readonly PolicyAsk[] {
  const reasons = new Map<string, string[]>()
  for (const { channel, reason } of given)
    reasons.set(channel, [...(reasons.get(channel) ?? []), reason])
  return [...reasons].map(([channel, all]) => ({ channel, reason: joinReasons(all) }))
}

function joinReasons(reasons: readonly string[]): string {
  return [...new Set(reasons)].join('; ')
}

function omitAsks({ asks: _, ...line }: Line): PolicyTraceLine {
  return line
}
