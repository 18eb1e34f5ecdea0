/**
 * How many agents an event wakes. Reasoning costs money: a small change is worth fewer agents than a large one, and all
 * events of a topic together are worth no more tokens than the rules say.
 *
 * Those with the highest priority come first. Whoever watches for harm is always woken.
 */
import {
  compareDecimal,
  type Decimal,
  divideUp,
  formatDecimal,
  multiplyDecimal,
  parseDecimal,
  subtractDecimal,
  toDecimal,
  toMagnitude,
} from '../canonical/decimal.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { compareByPriority, type Ranked } from '../contract/priority.ts'
import type { AdmissionCount } from './event.ts'
import { EVENT_LIMITS } from './event-limits.ts'
import type { AdmissionRule, AdmissionStep, AdmissionTokens } from './topic.ts'

export type AdmittedAgents<T> = {
  readonly admitted: readonly T[]
  readonly refused: readonly T[]
  readonly count: AdmissionCount
}

type AdmissionBasis = {
  /** The largest change in percent; null: it cannot be measured, and counts as the largest there is. */
  readonly volatility: string | null
  /** What events of the topic were given in this window. */
  readonly tokensUsed: number
}

export function admitAgents<T extends Ranked>(
  rule: AdmissionRule | undefined,
  candidates: readonly T[],
  { volatility, tokensUsed }: AdmissionBasis,
): AdmittedAgents<T> {
  const ranked = [...candidates].sort(compareByPriority)
  const { table, tokens } = rule ?? {}
  const by_table = table === undefined ? undefined : lookUpTable(table, volatility)
  const tokenCount = tokens === undefined ? undefined : countTokens(tokens, tokensUsed)
  const most = Math.min(
    by_table ?? Infinity,
    tokenCount?.by_tokens ?? Infinity,
    EVENT_LIMITS.agents,
  )
  const monitors = ranked.filter(({ role }) => role === 'MONITOR')
  const others = ranked.filter(({ role }) => role !== 'MONITOR')
  return {
    admitted: [...monitors, ...others.slice(0, most)].sort(compareByPriority),
    refused: others.slice(most),
    count: {
      candidates: candidates.length,
      ...(by_table === undefined || volatility === null ? {} : { volatility }),
      ...(by_table === undefined ? {} : { by_table }),
      ...tokenCount,
    },
  }
}

/** Of two values the change in percent of the first, rounded up; null: it cannot be measured. */
export function measureChange(before: JsonValue | undefined, after: JsonValue): string | null {
  const from = before === undefined ? undefined : toDecimal(before)
  const to = toDecimal(after)
  if (from === undefined || to === undefined || from.digits === 0n) return null
  const hundredfold = multiplyDecimal(toMagnitude(subtractDecimal(to, from)), HUNDRED)
  return formatDecimal(divideUp(hundredfold, toMagnitude(from), PERCENT_SCALE))
}

/** The largest; null where one of them cannot be measured. */
export function findLargestChange(changes: readonly (string | null)[]): string | null {
  let largest: string | null = '0'
  for (const change of changes) {
    if (change === null) return null
    if (compareTexts(change, largest) > 0) largest = change
  }
  return largest
}

const HUNDRED: Decimal = { digits: 100n, scale: 0 }
const PERCENT_SCALE = 6

/** The last step that is reached; before the first one nobody is woken. */
function lookUpTable(table: readonly AdmissionStep[], volatility: string | null): number {
  const reached = table.findLast(
    ({ from }) => volatility === null || compareTexts(volatility, from) >= 0,
  )
  return reached?.agents ?? 0
}

/** What is left of the window, and for how many agents it is enough. */
function countTokens(
  { per_window, expected }: AdmissionTokens,
  used: number,
): Required<Pick<AdmissionCount, 'by_tokens' | 'tokens_left'>> {
  const tokens_left = Math.max(0, per_window - used)
  return { by_tokens: Math.floor(tokens_left / expected), tokens_left }
}

/** What is no decimal is refused where rules are read. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  return left === undefined || right === undefined ? -1 : compareDecimal(left, right)
}
