/**
 * How much a proposal is about: one measure of those that its capability computes. It is the one that the capability
 * names as its exposure, or else the first by name; counted in whole minor units, as budgets are.
 */
import { type JsonValue, toBudgetUnits } from 'rubicon-kernel'

export type FoundAmount = {
  readonly measure: string
  /** Minor units, as `toBudgetUnits` counts them; null: it is no amount that can be counted exactly. */
  readonly units: number | null
}

/** Measures that every flow has: no list is sorted by them. */
const GENERAL: readonly string[] = ['calls', 'tokens', 'wall_ms']

export function findAmount(
  measures: Readonly<Record<string, JsonValue>>,
  exposure: string | null,
): FoundAmount | null {
  const names = Object.keys(measures)
    .filter((name) => !GENERAL.includes(name))
    .sort()
  const measure = exposure !== null && names.includes(exposure) ? exposure : names[0]
  if (measure === undefined) return null
  return { measure, units: toUnits(measure, measures[measure] ?? null) }
}

export function toUnits(measure: string, value: JsonValue): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const units = toBudgetUnits(measure, String(value))
  return units === undefined ? null : Number(units)
}
