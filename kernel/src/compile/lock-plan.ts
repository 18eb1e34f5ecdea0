/**
 * Gate 4 as a plan: what an action needs to hold, in the one order in which everybody takes it. Two
 * flows that take the same things in two orders would wait for each other for ever; so the kernel
 * sorts, not the agent.
 *
 * The capability says what it needs. With a capacity, amounts share the resource up to it; without
 * one, whoever holds the resource holds all of it.
 */
import { assert } from '../assert.ts'
import { addDecimal, formatDecimal, parseDecimal } from '../canonical/decimal.ts'
import type { ResourceNeed } from '../execution/capability.ts'
import { LIMITS } from '../limits.ts'

/** Undefined where it cannot be held as stated: what cannot be counted cannot be reserved. */
export function planLocks(needs: readonly ResourceNeed[]): readonly ResourceNeed[] | undefined {
  const plan = new Map<string, ResourceNeed>()
  for (const need of needs) {
    const earlier = plan.get(need.id)
    const merged = earlier === undefined ? parseResourceNeed(need) : mergeNeeds(earlier, need)
    if (merged === undefined) return undefined
    plan.set(need.id, merged)
  }
  if (plan.size > LIMITS.resourcesPerProposal) return undefined
  return [...plan.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function parseResourceNeed({ id, amount, capacity }: ResourceNeed): ResourceNeed | undefined {
  if (typeof id !== 'string' || id === '' || id.length > LIMITS.resourceIdLength) return undefined
  // No database keeps half a pair, and not every one a NUL.
  if (!id.isWellFormed() || id.includes('\0') || !isAmount(amount)) return undefined
  if (capacity === undefined) return { id, amount }
  return isAmount(capacity) ? { id, amount, capacity } : undefined
}

/** Named twice, it is needed twice. */
function mergeNeeds(earlier: ResourceNeed, need: ResourceNeed): ResourceNeed | undefined {
  const other = parseResourceNeed(need)
  if (other === undefined || other.capacity !== earlier.capacity) return undefined
  const [first, second] = [parseDecimal(earlier.amount), parseDecimal(other.amount)]
  assert(first !== undefined && second !== undefined, 'a sound amount can be counted')
  return { ...earlier, amount: formatDecimal(addDecimal(first, second)) }
}

function isAmount(text: string): boolean {
  const amount = typeof text === 'string' ? parseDecimal(text) : undefined
  return amount !== undefined && amount.digits >= 0n
}
