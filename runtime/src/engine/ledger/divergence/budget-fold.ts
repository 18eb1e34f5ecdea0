/** What the ledger says was taken of a flow's own writ, counter by counter. */
import type { SignedIntent, Writ } from 'rubicon-kernel'
import { listBudgetUnits } from '../../rows/budget-counters.ts'

type Amounts = Readonly<Record<string, string>>

export class BudgetFold {
  readonly #writ: Writ
  readonly #used: Map<string, number> = new Map()

  constructor(writ: Writ) {
    this.#writ = writ
  }

  /** Minor units by counter. */
  get used(): ReadonlyMap<string, number> {
    return this.#used
  }

  /** What stands on another writ is counted there. */
  reserve({ writ_id, cost }: SignedIntent): void {
    if (writ_id === this.#writ.id) this.add(cost, 1)
  }

  report(writ_id: string | undefined, used: Amounts): void {
    if (writ_id === this.#writ.id) this.add(used, 1)
  }

  /** Of what an intent reserved only what was spent stays; never more than was reserved. */
  release({ writ_id, cost }: SignedIntent, spent: Amounts): void {
    if (writ_id !== this.#writ.id) return
    const { nonce } = this.#writ.body
    const kept = new Map(listBudgetUnits(nonce, spent))
    for (const [id, held] of listBudgetUnits(nonce, cost))
      this.#count(id, Math.min(held, kept.get(id) ?? 0) - held)
  }

  add(amounts: Amounts, sign: 1 | -1): void {
    for (const [id, units] of listBudgetUnits(this.#writ.body.nonce, amounts))
      this.#count(id, sign * units)
  }

  #count(id: string, units: number): void {
    this.#used.set(id, (this.#used.get(id) ?? 0) + units)
  }
}
