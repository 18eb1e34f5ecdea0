/** What the auditor is told of a seed. */
import type { ArtifactsView } from './artifact-files.ts'
import type { DriftOptions } from './drift.ts'
import type { VerifySignature } from './signed.ts'
import type { ReadAgain, Recompile } from './verdicts.ts'

export type AuditorOptions = {
  readonly codes: ReadonlySet<string>
  /** Null: verdicts are not judged again in this seed. */
  readonly recompile: Recompile | null
  /** What a second reading of the law says, in every seed, of what an atom had settled. */
  readonly readAgain: ReadAgain
  readonly verify: VerifySignature
  /** How far the clock of the simulator has come. */
  readonly getMs: () => number
  /** Also checks that every payload is its own canonical form. */
  readonly thorough: boolean
  /** Several processes work on the store, and take each other for dead. */
  readonly shared: boolean
  readonly outside: DriftOptions
  /** A bus tells of events. */
  readonly carried: boolean
  /** Files and what is kept of them; null: there are none. */
  readonly artifacts: ArtifactsView | null
}
