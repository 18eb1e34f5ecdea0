/**
 * Runs every policy that applies, in order. One that throws or cannot be evaluated refuses: a rule
 * that is skipped when it fails is a rule that an attacker can switch off. An answer that has not
 * the form of one (a promise, nothing at all) was not evaluated either.
 */
import { checkJson } from '../canonical/check-json.ts'
import { shorten } from '../canonical/shorten.ts'
import type { PolicyTraceLine, Refusal, Trigger } from '../compile/verdict.ts'
import { LIMITS } from '../limits.ts'
import type { Policy, PolicyAnswer, PolicyInput } from './policy.ts'

const OPERATOR = 'operator'

export type PolicyOutcome = {
  readonly lines: readonly PolicyTraceLine[]
  readonly refusals: readonly Refusal[]
  readonly triggers: readonly Trigger[]
}

export function evaluatePolicies(policies: readonly Policy[], input: PolicyInput): PolicyOutcome {
  const lines: Line[] = []
  const refusals: Refusal[] = []
  const triggers: Trigger[] = []
  for (const policy of policies) {
    if (policy.applies_to !== undefined && !policy.applies_to.includes(input.proposal.policy_kind))
      continue
    const line = ask(policy, input)
    lines.push(line)
    const details = { policy: policy.name, reason: line.reason ?? '', rules: rulesOf(line) }
    if (line.said === 'error') refusals.push({ code: 'POLICY_ERROR', details })
    if (line.said === 'deny') refusals.push({ code: 'POLICY_DENIED', details })
    if (line.said === 'require_approval')
      triggers.push({
        id: `policy:${policy.name}`,
        code: 'APPROVAL_REQUIRED',
        channel: line.channel,
        details,
      })
  }
  return { lines: lines.map(withoutChannel), refusals, triggers }
}

/** Those that decided it; where some erred, those did. */
function rulesOf({ said, determining, erroring }: Line): readonly string[] {
  return said === 'error' ? erroring.map(({ rule }) => String(rule)) : determining
}

function ask(policy: Policy, input: PolicyInput): Line {
  try {
    const line = traceLine(policy, policy.evaluate(input))
    if (saysNoMore(line) || checkJson(line).ok) return line
    return errorLine(policy, 'its answer lacks a reason or a channel, or is not JSON')
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'threw something that is not an error'
    return errorLine(policy, shorten(detail, LIMITS.wordsLength))
  }
}

const NONE: Line['erroring'] = Object.freeze([])

/** The kind of its decision is all that the policy said: no value of its answer is in the line. */
function saysNoMore({ said, determining, erroring }: Line): boolean {
  return (said === 'permit' || said === 'nothing') && determining.length === 0 && erroring === NONE
}

function errorLine({ name, version }: Policy, detail: string): Line {
  const erroring = [{ rule: name, detail }]
  const common = { policy: name, version, determining: [], erroring, channel: OPERATOR }
  return { ...common, said: 'error', reason: `${name}: ${detail}` }
}

type Line = PolicyTraceLine & { readonly channel: string }

function traceLine(policy: Policy, answer: PolicyAnswer): Line {
  const { decision, determining = [], erroring = NONE } = answer
  const { name, version } = policy
  const common = {
    policy: name,
    version,
    determining: [...determining],
    erroring,
    channel: OPERATOR,
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
      return { ...common, said: 'deny', reason: decision.reason }
    case 'require_approval':
      return {
        ...common,
        said: 'require_approval',
        reason: decision.reason,
        channel: decision.channel,
      }
    default:
      return errorLine(policy, 'its decision is unknown')
  }
}

function withoutChannel({ channel: _, ...line }: Line): PolicyTraceLine {
  return line
}
