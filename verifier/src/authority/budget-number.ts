import { toBudgetUnits } from 'rubicon-kernel'

/** Amounts come again and again: of so many it is remembered what they come to. */
const REMEMBERED = 4_096
const known = new Map<string, number>()

/** An amount in units of its measure; what cannot be counted is more than everybody has. */
export function toBudgetNumber(measure: string, amount: string): number {
  const name = `${measure} ${amount}`
  const before = known.get(name)
  if (before !== undefined) return before
  const units = toBudgetUnits(measure, amount)
  const number = units === undefined ? Number.POSITIVE_INFINITY : Number(units)
  if (known.size >= REMEMBERED) known.clear()
  known.set(name, number)
  return number
}
