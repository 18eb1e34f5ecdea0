/**
 * Flows that had ended before this process started, or that another process opened: each is held against
 * the ledger once, before anything is answered of it or decided in it.
 *
 * U1 what was open at the start was looked at then, and what this process opens it has written itself.
 * U2 what is remembered is bounded: of what was forgotten, the next use is a first one again.
 */
import { StoreDiverged } from '../../../ports/store-diverged.ts'
import type { Deps } from '../../deps.ts'
import { checkFlow } from './flow-check.ts'

/** How many flows a generation holds; a few megabytes altogether. */
const MOST = 16_384

export class FirstUse {
  readonly #deps: Pick<Deps, 'store' | 'sha256'>
  #young: Set<string> = new Set()
  #old: Set<string> = new Set()

  constructor(deps: Pick<Deps, 'store' | 'sha256'>) {
    this.#deps = deps
  }

  /** It was looked at, or this process wrote it. That its id is new says nothing: anybody can make one. */
  rememberChecked(dfid: string): void {
    if (this.#young.size >= MOST) {
      this.#old = this.#young
      this.#young = new Set()
    }
    this.#young.add(dfid)
  }

  isFirst(dfid: string): boolean {
    return !this.#young.has(dfid) && !this.#old.has(dfid)
  }

  /** Throws a `StoreDiverged` unless its rows are what the ledger says. */
  async check(dfid: string): Promise<void> {
    const difference = await checkFlow(this.#deps, dfid)
    if (difference !== null) throw new StoreDiverged(difference.row, difference.detail)
    this.rememberChecked(dfid)
  }
}
