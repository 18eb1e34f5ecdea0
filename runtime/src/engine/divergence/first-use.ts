/**
 * Flows that had ended before this process started, or that another process opened: each is held against
 * the ledger once, before anything is answered of it or decided in it.
 *
 * U1 what was open at the start was looked at then, and what this process opens it has written itself.
 * U2 what is remembered is bounded: of what was forgotten, the next use is a first one again.
 */
import { StoreDiverged } from '../../ports/store-diverged.ts'
import type { Deps } from '../deps.ts'
import { checkFlow } from './flow-check.ts'

/** How many flows a generation holds. */
const MOST = 4096
/** A dfid begins with its time: 48 bits in hex, and a hyphen. */
const TIME_DIGITS = 13

export class FirstUse {
  readonly #deps: Pick<Deps, 'store' | 'sha256' | 'clock'>
  /** Where nobody else writes, what was opened since then was opened here. Null: before the start. */
  #since: string | null = null
  #young: Set<string> = new Set()
  #old: Set<string> = new Set()

  constructor(deps: Pick<Deps, 'store' | 'sha256' | 'clock'>) {
    this.#deps = deps
  }

  /** What is open was looked at. */
  begin(checked: readonly string[]): void {
    const { store, clock } = this.#deps
    this.#since = store.shared ? null : timeDigits(clock.now())
    for (const dfid of checked) this.opened(dfid)
  }

  /** This process wrote it. */
  opened(dfid: string): void {
    if (this.#isOwn(dfid)) return
    if (this.#young.size >= MOST) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(dfid)
  }

  isFirst(dfid: string): boolean {
    return !this.#isOwn(dfid) && !this.#young.has(dfid) && !this.#old.has(dfid)
  }

  /** Throws a `StoreDiverged` unless its rows are what the ledger says. */
  async check(dfid: string): Promise<void> {
    const difference = await checkFlow(this.#deps, dfid)
    if (difference !== null) throw new StoreDiverged(difference.row, difference.detail)
    this.opened(dfid)
  }

  #isOwn(dfid: string): boolean {
    return this.#since !== null && dfid.slice(0, TIME_DIGITS) > this.#since
  }
}

function timeDigits(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}
