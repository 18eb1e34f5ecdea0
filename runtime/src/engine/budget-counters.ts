/** Budgets as counters of minor units. A counter is named by its writ's nonce, which is in time order. */
import {
  assert,
  type BudgetFact,
  formatBudgetUnits,
  toBudgetUnits,
  type Writ,
} from 'rubicon-kernel'
import type { Guard, Write } from '../ports/store.ts'

export function counterId(nonce: string, measure: string): string {
  return `${nonce}:${measure}`
}

export function counterIds(writ: Writ): readonly string[] {
  return Object.keys(writ.body.budget).map((measure) => counterId(writ.body.nonce, measure))
}

export function budgetFacts(
  writ: Writ,
  counters: Readonly<Record<string, number>>,
): readonly BudgetFact[] {
  return Object.entries(writ.body.budget).map(([measure, granted]) => ({
    granted,
    measure,
    used: formatBudgetUnits(measure, BigInt(counters[counterId(writ.body.nonce, measure)] ?? 0)),
    writ: writ.id,
  }))
}

/** Guards and writes that reserve a cost against a writ, all or none. */
export function reserve(
  writ: Writ,
  cost: Readonly<Record<string, string>>,
): { readonly guards: readonly Guard[]; readonly writes: readonly Write[] } {
  const guards: Guard[] = []
  const writes: Write[] = []
  for (const [measure, amount] of Object.entries(cost)) {
    const by = units(measure, amount)
    const limit = units(measure, writ.body.budget[measure] ?? '0')
    const id = counterId(writ.body.nonce, measure)
    guards.push({ kind: 'counter', id, by, limit })
    if (by !== 0) writes.push({ kind: 'count', id, by })
  }
  return { guards, writes }
}

/** What a cost holds, counter by counter. */
export function budgetUnitsOf(
  nonce: string,
  cost: Readonly<Record<string, string>>,
): readonly (readonly [id: string, units: number])[] {
  return Object.entries(cost).map(([measure, amount]) => {
    return [counterId(nonce, measure), units(measure, amount)]
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
    const held = units(measure, amount)
    const used = Math.min(held, spent[measure] === undefined ? 0 : units(measure, spent[measure]))
    if (held !== used)
      writes.push({ kind: 'count', id: counterId(nonce, measure), by: used - held })
  }
  return writes
}

function units(measure: string, amount: string): number {
  const exact = toBudgetUnits(measure, amount)
  assert(
    exact !== undefined && exact <= Number.MAX_SAFE_INTEGER,
    'a cost was checked by the kernel',
  )
  return Number(exact)
}
