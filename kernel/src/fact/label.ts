/**
 * Whose word a fact is. No caller chooses a label: it is that of the source that owns the path, of
 * the operator, or of the agent.
 */
export type FactLabel = 'trusted' | 'operator' | 'external' | 'agent'

/** From the most to the least believed. */
export const FACT_LABELS: readonly FactLabel[] = ['trusted', 'operator', 'external', 'agent']

/** Whether `label` is believed as much as `least`, or more. */
export function isRankedAtLeast(label: FactLabel, least: FactLabel): boolean {
  return FACT_LABELS.indexOf(label) <= FACT_LABELS.indexOf(least)
}
