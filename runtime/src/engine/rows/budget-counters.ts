/** Budgets as counters of minor units. A counter is named by its writ's nonce, which is in time order. */
import {
  assert,
  type BudgetFact,
  formatBudgetUnits,
  toBudgetUnits,
  type Writ,
} from 'rubicon-kernel'
import type { Guard, Write } from '../../ports/store.ts'

export function toCounterId(nonce: string, measure: string): string {
  return `${nonce}:${measure}`
}

export function listCounterIds(writ: Writ): readonly string[] {
  return Object.keys(writ.body.budget).map((measure) => toCounterId(writ.body.nonce, measure))
}

export function toBudgetFacts(
  writ: Writ,
  counters: Readonly<Record<string, number>>,
  /** What is reserved for the decision itself, and does not count against it. */
  own: Readonly<Record<string, string>> = {},
): readonly BudgetFact[] {
  const held = new Map(listBudgetUnits(writ.body.nonce, own))
  return Object.entries(writ.body.budget).map(([measure, granted]) => {
    const id = toCounterId(writ.body.nonce, measure)
    const units = Math.max(0, (counters[id] ?? 0) - (held.get(id) ?? 0))
    return { granted, measure, used: formatBudgetUnits(measure, BigInt(units)), writ: writ.id }
  })
}

/** Guards and writes that reserve a cost against a writ, all or none. */
export function reserve(
  writ: Writ,
  cost: Readonly<Record<string, string>>,
): { readonly guards: readonly Guard[]; readonly writes: readonly Write[] } {
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const [measure, amount] of Object.entries(cost)) {
    const by = toExactUnits(measure, amount)
    const limit = toExactUnits(measure, writ.body.budget[measure] ?? '0')
    const id = toCounterId(writ.body.nonce, measure)
    guards.push({ kind: 'counter', id, by, limit })
    if (by !== 0) writes.push({ kind: 'count', id, by })
  }
  return { guards, writes }
}

/** What a cost holds, counter by counter. */
export function listBudgetUnits(
  nonce: string,
  cost: Readonly<Record<string, string>>,
): readonly (readonly [id: string, units: number])[] {
  return Object.entries(cost).map(([measure, amount]) => {
    return [toCounterId(nonce, measure), toExactUnits(measure, amount)]
  })
}

/** Gives back what was reserved beyond what was spent. */
export function release(
  nonce: string,
  reserved: Readonly<Record<string, string>>,
  spent: Readonly<Record<string, string>>,
): readonly Write[] {
  const writes: Write[] = []
  for (const [measure, amount] of Object.entries(reserved)) {
    const held = toExactUnits(measure, amount)
    const used = Math.min(
      held,
      spent[measure] === undefined ? 0 : toExactUnits(measure, spent[measure]),
    )
    if (held !== used)
      writes.push({ kind: 'count', id: toCounterId(nonce, measure), by: used - held })
  }
  return writes
}

function toExactUnits(measure: string, amount: string): number {
  const exact = toBudgetUnits(measure, amount)
  assert(
    exact !== undefined && exact <= Number.MAX_SAFE_INTEGER,
    'a cost was checked by the kernel',
  )
  return Number(exact)
}
