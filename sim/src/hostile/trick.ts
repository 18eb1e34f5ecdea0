/** One thing a hostile agent tries. What came of it is for the judge to find, not for the trick to say. */
import type { Goal } from './goals.ts'
import type { Stage } from './stage.ts'

export type Trick = {
  readonly name: string
  readonly goal: Goal
  /** The planted patch (`../patches/`) under which it succeeds. */
  readonly patch: string
  attempt(stage: Stage): Promise<void>
}
