/** What an action says it needs to hold, judged once more by other code. */
import type { ResourceNeed } from 'rubicon-kernel'
import { type Exact, parseDecimal } from './exact.ts'

const MOST = 64
const LONGEST_ID = 256

/** The names, or null where the list cannot be held. */
export function listHeldNames(list: Iterable<ResourceNeed>): readonly string[] | null {
  const capacities = new Map<string, unknown>()
  for (const need of list) {
    if (!isName(need.id) || !isQuantity(need.amount)) return null
    if (need.capacity !== undefined && !isQuantity(need.capacity)) return null
    if (capacities.has(need.id) && capacities.get(need.id) !== need.capacity) return null
    capacities.set(need.id, need.capacity)
  }
  return capacities.size > MOST ? null : [...capacities.keys()]
}

/** What is held of each, in the order of names. Amounts of the same are added up. */
export function listHeldNeeds(list: Iterable<ResourceNeed>): readonly ResourceNeed[] {
  const needs = new Map<string, ResourceNeed>()
  for (const { id, amount, capacity } of list) {
    const earlier = needs.get(id)
    const total = earlier === undefined ? amount : addDecimals(earlier.amount, amount)
    needs.set(id, { id, amount: total, ...(capacity === undefined ? {} : { capacity }) })
  }
  return [...needs.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function isName(id: unknown): boolean {
  return typeof id === 'string' && id.length > 0 && id.length <= LONGEST_ID && id.isWellFormed()
}

function isQuantity(text: unknown): boolean {
  if (typeof text !== 'string' || text.startsWith('-')) return false
  return parseDecimal(text) !== null
}

function addDecimals(a: string, b: string): string {
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  if (left === null || right === null) return ''
  const places = Math.max(left.places, right.places)
  const scaleUnits = ({ units, places: own }: Exact): bigint => units * 10n ** BigInt(places - own)
  const digits = String(scaleUnits(left) + scaleUnits(right)).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
