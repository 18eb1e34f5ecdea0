/** What is at stake in a request, as a row of a list has room for it. */
import {
  compareDecimal,
  type EscalationRequest,
  type JsonObject,
  type JsonValue,
  type parseDecimal,
  toDecimal,
  toMagnitude,
} from 'rubicon-kernel'

/** Beside the amount: whether it can be taken back, why it asks for care, and which limit it is over. */
export type Stakes = {
  readonly reversible: boolean
  readonly impact_reasons: readonly string[]
  /** The first of its limits that has figures; null: none has. */
  readonly over: OverLimit | null
}

export type OverLimit = {
  readonly limit: string
  /** What was held against it, and what that is. */
  readonly checked: string
  readonly value: string
  readonly min: string | null
  readonly max: string | null
}

export function describeStakes({
  reversible,
  impact_reasons,
  triggers,
}: Pick<EscalationRequest, 'reversible' | 'impact_reasons' | 'triggers'>): Stakes {
  const [over = null] = triggers.flatMap(({ details }) => parseOverLimit(details))
  return { reversible, impact_reasons, over }
}

function parseOverLimit({ limit, checked, value, min, max }: JsonObject): readonly OverLimit[] {
  if (typeof limit !== 'string' || typeof checked !== 'string') return []
  const bounds = { min: toText(min), max: toText(max) }
  const figure = toText(value)
  if (figure === null || (bounds.min === null && bounds.max === null)) return []
  return [{ limit, checked, value: figure, ...bounds }]
}

/** Limits have decimals as text; whatever else there is has no place in a row. */
function toText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

type Staked = Pick<EscalationRequest, 'impact' | 'exposure'>

/**
 * The larger stake last: what needs care after what does not, amounts within a measure; amounts of different measures
 * cannot be compared, and stand by the names of these. What has no amount stands before what has one;
 * a list from small to large puts it last all the same.
 */
export function compareStakes(a: Staked, b: Staked): number {
  if (a.impact !== b.impact) return a.impact === 'LOW_IMPACT' ? -1 : 1
  const [left, right] = [toAmount(a), toAmount(b)]
  if (left === null || right === null) return (left === null ? 0 : 1) - (right === null ? 0 : 1)
  // The order of a list from large to small is this one backwards: names go on from A to Z there.
  if (left.measure !== right.measure) return left.measure < right.measure ? 1 : -1
  return compareDecimal(left.size, right.size)
}

export function hasAmount(staked: Staked): boolean {
  return toAmount(staked) !== null
}

function toAmount({ exposure }: Staked): {
  readonly measure: string
  readonly size: NonNullable<ReturnType<typeof parseDecimal>>
} | null {
  const size = exposure === null ? undefined : toDecimal(exposure.value)
  return exposure === null || size === undefined
    ? null
    : { measure: exposure.measure, size: toMagnitude(size) }
}
