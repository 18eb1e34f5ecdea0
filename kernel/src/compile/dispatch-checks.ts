/**
 * What is looked at once more just before an intent becomes durable: the outside, on the values
 * that were read for it. The list is open; later parts add locks.
 */
import { compareDecimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { parseInstant } from '../canonical/time.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { selectEnvelope } from '../contract/applies.ts'
import type { Contract } from '../contract/contract.ts'
import type { CapabilityLaw } from '../execution/capability.ts'
import { checkDrift, type DriftFinding } from '../jit/check.ts'
import type { FieldReport } from '../jit/drift.ts'
import { ENVELOPE_NAMES } from '../jit/envelope.ts'
import { resolveJitFields } from '../jit/fields.ts'
import type { PolicyProposal } from '../proposal/proposal.ts'
import type { Facts } from './facts.ts'
import { findAcceptedFact, getLastLookTime, isReadable } from './input.ts'
import type { Refusal } from './verdict.ts'

export type DispatchInput = {
  readonly facts: Facts
  readonly proposal: PolicyProposal
  readonly contract: Contract
  readonly law: CapabilityLaw
  readonly measures: Readonly<Record<string, JsonValue>>
}

export type DispatchCheck = {
  readonly name: string
  run(input: DispatchInput): Refusal | null
}

/** A fact older than the contract allows, or as far ahead of us, says nothing about now. */
const stateAge: DispatchCheck = {
  name: 'state_age',
  run({ facts, contract, law }) {
    const limitMs = contract.jit_verification.max_state_age_ms
    const now = parseInstant(facts.now)
    if (limitMs === undefined) return null
    for (const fact of facts.state) {
      if (!isReadable(fact, { law, contract })) continue
      const { path, observed_at } = fact
      const at = parseInstant(observed_at)
      if (now === undefined || at === undefined || Math.abs(now - at) > limitMs)
        return { code: 'STATE_UNAVAILABLE', details: { path, max_age_ms: limitMs } }
    }
    return null
  },
}

/** The values that the capability names are still what the agent decided on. */
const drift: DispatchCheck = {
  name: 'drift',
  run: (input) => findDrift(input).refusal,
}

/** What moved how far, for the record of the dispatch. */
export function reportDrift(input: DispatchInput): readonly FieldReport[] {
  return findDrift(input).report
}

export function findDrift({ facts, proposal, contract, law }: DispatchInput): DriftFinding {
  const fields = resolveJitFields(law, proposal.params)
  if (fields === undefined) {
    const details = { missing: 'the capability could not say which values must not move' }
    return { report: [], refusal: { code: 'STATE_UNAVAILABLE', details } }
  }
  return checkDrift({
    now: facts.now,
    fields,
    envelope: selectEnvelope(contract, proposal.policy_kind),
    constraints: proposal.execution_constraints,
    was: (path) => findAcceptedFact(facts.seen, path, { law, contract }),
    is: (path) => findAcceptedFact(facts.state, path, { law, contract }),
  })
}

/** The agent said under which conditions it wants the action; one that cannot be checked fails. */
const constraints: DispatchCheck = {
  name: 'constraints',
  run(input) {
    for (const [name, bound] of Object.entries(input.proposal.execution_constraints)) {
      if (ENVELOPE_NAMES.includes(name)) continue
      if (!isConstraintMet(name, bound, input))
        return { code: 'EXECUTION_CONSTRAINT_VIOLATED', details: { constraint: name, bound } }
    }
    return null
  },
}

function isConstraintMet(name: string, bound: JsonValue, input: DispatchInput): boolean {
  const { facts, measures } = input
  if (name.startsWith('max_'))
    return hasAcceptedOrder(measures[name.slice(4)], bound, (order) => order <= 0)
  if (name.startsWith('min_'))
    return hasAcceptedOrder(measures[name.slice(4)], bound, (order) => order >= 0)
  if (name === 'requires_market_state') {
    const fact = findAcceptedFact(facts.state, 'market.state', input)
    return fact !== undefined && toCanonicalText(fact.value) === toCanonicalText(bound)
  }
  if (name === 'validity_window_sec') {
    const now = parseInstant(facts.now)
    const shown = parseInstant(getLastLookTime(facts))
    if (now === undefined || shown === undefined || typeof bound !== 'number') return false
    return now - shown <= bound * 1000
  }
  return false
}

function hasAcceptedOrder(
  value: JsonValue | undefined,
  bound: JsonValue,
  accepts: (order: number) => boolean,
): boolean {
  const left = value === undefined ? undefined : toDecimal(value)
  const right = toDecimal(bound)
  return left !== undefined && right !== undefined && accepts(compareDecimal(left, right))
}

export const DISPATCH_CHECKS: readonly DispatchCheck[] = [stateAge, drift, constraints]

export function checkDispatch(
  input: DispatchInput,
  checks: readonly DispatchCheck[] = DISPATCH_CHECKS,
): Refusal | null {
  for (const check of checks) {
    const refusal = check.run(input)
    if (refusal !== null) return refusal
  }
  return null
}
