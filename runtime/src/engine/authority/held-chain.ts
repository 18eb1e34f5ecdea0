/**
 * What was folded once is folded again. Entries that are read a second time, as after a failed
 * transaction, are those that were read first: whoever changes the database meanwhile changes nobody's
 * authority.
 */
import type { Address, Entry, Sha256 } from 'rubicon-kernel'
import { HeadMismatch } from '../../ports/head-mismatch.ts'
import { findEntryProblem } from '../rows/tree-check.ts'

export class HeldChain {
  readonly #sha256: Sha256
  /** By seq, of a trajectory of which no payload may be missing. */
  readonly #ids: Address[] = []

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
  }

  /** Throws a `HeadMismatch` at the first that is another than it was. */
  check(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const { trajectory, seq } = entry.envelope
      const problem = this.#findChainProblem(entry)
      if (problem !== undefined)
        throw new HeadMismatch(problem, null, `at \`${trajectory}\` ${seq}`)
      this.#ids[seq] = entry.id
    }
  }

  /** Of what is read first nothing is known here; the start and the scrub look at it. */
  #findChainProblem(entry: Entry): string | undefined {
    const known = this.#ids[entry.envelope.seq]
    if (known === undefined) return undefined
    if (known !== entry.id) return 'another entry stood there'
    if (entry.payload === null) return 'its payload is missing'
    return findEntryProblem(entry, this.#sha256)
  }
}
