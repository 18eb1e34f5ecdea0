/** What is at stake in several requests together, measure by measure: no rate between them is assumed. */
import type { Exposure } from 'rubicon-agents/client'
import { addDecimal, type Decimal, formatDecimal, toDecimal } from 'rubicon-kernel'

export type StakeSums = {
  readonly sums: readonly { readonly measure: string; readonly total: string }[]
  /** Requests without an amount. */
  readonly unmeasured: number
}

export function sumStakes(rows: readonly { readonly exposure: Exposure | null }[]): StakeSums {
  const totals = new Map<string, Decimal>()
  let unmeasured = 0
  for (const { exposure } of rows) {
    const amount = exposure === null ? undefined : parseAmount(exposure.value)
    if (exposure === null || amount === undefined) {
      unmeasured += 1
      continue
    }
    const before = totals.get(exposure.measure)
    totals.set(exposure.measure, before === undefined ? amount : addDecimal(before, amount))
  }
  const sums = [...totals].map(([measure, total]) => ({ measure, total: formatDecimal(total) }))
  return { sums: sums.toSorted((a, b) => (a.measure < b.measure ? -1 : 1)), unmeasured }
}

/** What the kernel computed comes as JSON. */
function parseAmount(value: unknown): Decimal | undefined {
  return typeof value === 'string' || typeof value === 'number' ? toDecimal(value) : undefined
}
