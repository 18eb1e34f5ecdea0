/**
 * Whether a resource can be held besides those who hold it, and if not, why not. Holds whose time ran
 * out are not shown to this file: it judges those that count.
 */
import {
  addDecimal,
  compareDecimal,
  type Decimal,
  formatDecimal,
  parseDecimal,
} from '../canonical/decimal.ts'
import type { ResourceNeed } from '../execution/capability.ts'
import type { Refusal } from './verdict.ts'

/** Somebody else's hold. A null capacity: all of it. */
export type LockHold = {
  readonly dfid: string
  readonly amount: string
  readonly capacity: string | null
  /** Nobody knows what became of the effect that held it. */
  readonly quarantined: boolean
}

export function hasFreeCapacity(
  { amount, capacity }: ResourceNeed,
  holds: readonly LockHold[],
): boolean {
  // What cannot be counted cannot be granted, not even alone.
  const sum = sumAmounts([amount, ...holds.map((hold) => hold.amount)])
  if (sum === undefined) return false
  // One that holds all of it leaves nothing, whatever capacity the next one sees.
  if (capacity === undefined || isTaken(holds)) return holds.length === 0
  const limit = parseDecimal(capacity)
  return limit !== undefined && compareDecimal(sum, limit) <= 0
}

/** Why it does not fit. `waitedMs` is null where nobody waited for it. */
export function lockRefusal(
  need: ResourceNeed,
  holds: readonly LockHold[],
  waitedMs: number | null,
): Refusal {
  const { id: resource, amount: wanted, capacity = null } = need
  const known = holds.filter((hold) => !hold.quarantined)
  const holders = holds.map(({ dfid }) => dfid).sort()
  if (known.length < holds.length && hasFreeCapacity(need, known))
    return { code: 'RESOURCE_QUARANTINED', details: { resource, holders } }
  if (capacity !== null && !isTaken(holds)) {
    const held = sumAmounts(holds.map(({ amount }) => amount))
    const details = {
      resource,
      wanted,
      capacity,
      held: held === undefined ? null : formatDecimal(held),
    }
    return { code: 'INSUFFICIENT_LIQUIDITY', details }
  }
  if (waitedMs === null) return { code: 'RESOURCE_CONTENTION', details: { resource, holders } }
  const details = { resource, holders, waited_ms: waitedMs }
  return { code: 'RESOURCE_CONTENTION_TIMEOUT', details }
}

/** Somebody holds all of it. */
function isTaken(holds: readonly LockHold[]): boolean {
  return holds.some((hold) => hold.capacity === null)
}

function sumAmounts(amounts: readonly string[]): Decimal | undefined {
  let sum: Decimal = { digits: 0n, scale: 0 }
  for (const amount of amounts) {
    const one = parseDecimal(amount)
    if (one === undefined || one.digits < 0n) return undefined
    sum = addDecimal(sum, one)
  }
  return sum
}
