/** A proof of the simulator, as data: what `rubicon sim NAME` runs. */
import type { StoreName } from './race/place.ts'

/** What it found, and whether that is what must be. */
export type ProofResult = { readonly report: object; readonly good: boolean }

/** A proof: its options, whole numbers all but the store, and what it runs. */
export type Proof = {
  readonly name: string
  readonly summary: string
  /** What it is told to have done so many of. */
  readonly counts: string
  readonly options: Readonly<Record<string, readonly [text: string, standard: number]>>
  /** Switches, by name: 1 where they are given. */
  readonly flags?: Readonly<Record<string, string>>
  /** It takes `--store`. */
  readonly onStores?: true
  run(
    options: (name: string) => number,
    store: StoreName,
    progress: (done: number, of: number) => void,
  ): Promise<ProofResult> | ProofResult
}

export const SEED = ['seed', 1] as const
