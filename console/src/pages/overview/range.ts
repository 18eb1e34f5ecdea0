/** The spans that the overview shows, in words. */
import type { Overview } from 'rubicon-agents/client'

export type RangeName = '1h' | '24h' | '7d' | '30d'

export type ShownRange = {
  readonly value: RangeName
  readonly label: string
  /** After "in the last". */
  readonly words: string
}

export const RANGES: readonly ShownRange[] = [
  { value: '1h', label: '1 h', words: 'hour' },
  { value: '24h', label: '24 h', words: '24 hours' },
  { value: '7d', label: '7 days', words: '7 days' },
  { value: '30d', label: '30 days', words: '30 days' },
]

export const USUAL_RANGE: RangeName = '24h'

export function findRange(value: string): ShownRange {
  const usual = RANGES.find((range) => range.value === USUAL_RANGE)
  const found = RANGES.find((range) => range.value === value) ?? usual
  if (found === undefined) throw new Error('the usual range is one of the ranges')
  return found
}

export type FlowsFilter = {
  readonly since: string
  readonly until: string
  readonly outcome: 'decided' | 'accepted' | 'rejected' | 'escalated'
  readonly reason?: string
  readonly measure?: string
}

/** The flows that a figure counts. */
export function toFlowsPath(filter: FlowsFilter): string {
  return `/flows?${new URLSearchParams(filter)}`
}

/** The span of the same length before the one that is shown. */
export function computeSpanBefore({
  since,
  until,
}: Pick<Overview, 'since' | 'until'>): Pick<FlowsFilter, 'since' | 'until'> {
  const length = Date.parse(until) - Date.parse(since)
  return { since: new Date(Date.parse(since) - length).toISOString(), until: since }
}
