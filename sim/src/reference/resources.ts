/** What an action says it needs to hold, judged once more by other code. */
import type { ResourceNeed } from 'rubicon-kernel'
import { exact } from './exact.ts'

const MOST = 64
const LONGEST_ID = 256

/** The names, or null where the list cannot be held. */
export function heldNames(list: Iterable<ResourceNeed>): readonly string[] | null {
  const capacities = new Map<string, unknown>()
  for (const need of list) {
    if (!isName(need.id) || !isQuantity(need.amount)) return null
    if (need.capacity !== undefined && !isQuantity(need.capacity)) return null
    if (capacities.has(need.id) && capacities.get(need.id) !== need.capacity) return null
    capacities.set(need.id, need.capacity)
  }
  return capacities.size > MOST ? null : [...capacities.keys()]
}

function isName(id: unknown): boolean {
  return typeof id === 'string' && id.length > 0 && id.length <= LONGEST_ID && id.isWellFormed()
}

function isQuantity(text: unknown): boolean {
  if (typeof text !== 'string' || text.startsWith('-')) return false
  return exact(text) !== null
}
