/**
 * Reads the ledger again, a little at a time: what nobody asks for rots, or is changed, unnoticed.
 *
 * Invariants:
 * 1. A round reads a bounded number of leaves, of bounded length, whatever the size of the ledger.
 * 2. Every leaf is held against its own hashes and its tile, and once a pass all tiles against the tree
 *    that this process has kept: a pass that ends has seen the ledger that was signed.
 * 3. What came since is looked at as it comes; everything again when the time for it has come.
 */
import { isEqualBytes, LIMITS } from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import type { Deps } from '../deps.ts'
import { TreeCheck } from '../rows/tree-check.ts'
import { readLeafPage } from './leaf-page.ts'
import { computePrefixRoot } from './prefix-root.ts'

export type ScrubProgress = {
  /** Leaves of this pass, of how many there were. */
  readonly checked: number
  readonly of: number
  readonly passes: number
}

export class Scrub {
  readonly #deps: Pick<Deps, 'store' | 'sha256' | 'clock'>
  readonly #check: TreeCheck
  #checked = 0
  #of = 0
  #passes = 0
  #againAt = 0
  #isWhole = false
  #verifiedAt: number | null = null

  constructor(deps: Pick<Deps, 'store' | 'sha256' | 'clock'>) {
    this.#deps = deps
    this.#check = new TreeCheck(deps.store, deps.sha256)
  }

  get progress(): ScrubProgress {
    return { checked: this.#checked, of: this.#of, passes: this.#passes }
  }

  /** When the last pass ended; null: none has. */
  get verifiedAt(): number | null {
    return this.#verifiedAt
  }

  /** Throws a `HeadMismatch` where the ledger is not the one that was signed. */
  async round(): Promise<ScrubProgress> {
    const { store, clock } = this.#deps
    if (this.#isWhole && clock.monotonic() >= this.#againAt) this.#begin()
    const { size, root } = await store.readTree()
    const page = await readLeafPage(store, this.#checked, LIMITS.scrubLeaves)
    await this.#check.check(page)
    this.#checked += page.length
    this.#of = Math.max(size, this.#checked)
    if (this.#isWhole || this.#checked < size) return this.progress
    if (!isEqualBytes(await computePrefixRoot(this.#deps, size), root))
      throw new HeadMismatch(`its ${size} entries are not those of the tree`)
    this.#isWhole = true
    this.#passes += 1
    this.#verifiedAt = Math.floor(clock.now())
    this.#againAt = clock.monotonic() + LIMITS.scrubPassEveryMs
    return this.progress
  }

  #begin(): void {
    this.#checked = 0
    this.#isWhole = false
  }
}
