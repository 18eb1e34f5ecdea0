/**
 * How much harm an approval given without reading could do. It comes from the capability, from what
 * the kernel computed, and from what the agent has done before; never from what the agent says.
 */
import {
  compareDecimal,
  type Decimal,
  multiplyDecimal,
  parseDecimal,
  toDecimal,
  toMagnitude,
} from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { getOwn } from '../contract/own.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { LIMITS } from '../limits.ts'

/** How much care a decision asks for. */
export type Impact = 'LOW_IMPACT' | 'HIGH_IMPACT'

/** The measure that the capability calls its exposure, with what the kernel computed for it. */
export type Exposure = {
  /** The measure that says how much is at stake. */
  readonly measure: string
  /** Null: it could not be computed. */
  readonly value: JsonValue
  /** From where on that is much. */
  readonly threshold: string
}

/** What the ledger says of the agent's past. */
export type AgentPast = {
  /** Effects of this agent that succeeded. */
  readonly successes: number
  /** Those of this kind among them. */
  readonly of_kind: number
  /** The largest exposure among the latest of these; null: none is known. */
  readonly largest: string | null
}

export const NO_PAST: AgentPast = { successes: 0, of_kind: 0, largest: null }

/** How much care a decision asks for, and why. */
export type ImpactFinding = {
  /** How much. */
  readonly impact: Impact
  /** Why. */
  readonly impact_reasons: readonly string[]
  /** How much is at stake; null: the capability does not say. */
  readonly exposure: Exposure | null
}

export function judgeImpact(
  description: Pick<CapabilityDescription, 'reversible' | 'risk' | 'exposure'>,
  measures: Readonly<Record<string, JsonValue>>,
  past: AgentPast,
): ImpactFinding {
  const reasons: string[] = []
  const { reversible, risk } = description
  const exposure = findExposure(description, measures)
  // What says how much is at stake is judged by that, also where it cannot be taken back.
  if (!reversible && exposure === null) reasons.push(IRREVERSIBLE)
  if (risk === 'high' || risk === 'critical') reasons.push(`risk_${risk}`)
  if (exposure !== null && isAbove(exposure.value, exposure.threshold)) reasons.push('exposure')
  if (isUnusual(exposure, past)) reasons.push('unusual')
  const impact = reasons.length === 0 ? 'LOW_IMPACT' : 'HIGH_IMPACT'
  return { impact, impact_reasons: reasons, exposure }
}

const IRREVERSIBLE = 'irreversible'

/**
 * Whether agents above may be asked before a person is. Nobody said how much is at stake where nothing
 * but `irreversible` makes it HIGH_IMPACT, as every capability is that says nothing of itself: a person
 * takes care with it, and an agent that may do the same itself may allow it.
 */
export function isForAgents({ impact_reasons }: Pick<ImpactFinding, 'impact_reasons'>): boolean {
  return impact_reasons.every((reason) => reason === IRREVERSIBLE)
}

function findExposure(
  { exposure }: Pick<CapabilityDescription, 'exposure'>,
  measures: Readonly<Record<string, JsonValue>>,
): Exposure | null {
  if (exposure === undefined) return null
  return { ...exposure, value: getOwn(measures, exposure.measure) ?? null }
}

/** How much is at stake, whichever way it goes: a short sale of a million is a million. */
function computeSize(value: JsonValue): Decimal | undefined {
  const amount = toDecimal(value)
  return amount === undefined ? undefined : toMagnitude(amount)
}

/** What cannot be compared is above everything. */
function isAbove(value: JsonValue, bound: string): boolean {
  const left = computeSize(value)
  const right = parseDecimal(bound)
  return left === undefined || right === undefined || compareDecimal(left, right) > 0
}

/**
 * An agent with a past that has never done this, or never nearly as much of it. One without a past
 * is not unusual: there is nothing to compare with, and the threshold speaks.
 */
function isUnusual(exposure: Exposure | null, { successes, of_kind, largest }: AgentPast): boolean {
  if (of_kind === 0) return successes >= LIMITS.unusualAfterSuccesses
  const before = largest === null ? undefined : computeSize(largest)
  const value = exposure === null ? undefined : computeSize(exposure.value)
  if (before === undefined || value === undefined) return false
  return compareDecimal(value, multiplyDecimal(before, FACTOR)) > 0
}

const FACTOR = { digits: BigInt(LIMITS.unusualFactor), scale: 0 } as const
