/** Mistakes that change nothing that anybody could see, each with the reason. */
import type { Mutant } from './mutant.ts'

export type Equivalent = Pick<Mutant, 'file' | 'function' | 'before' | 'after'> & {
  readonly why: string
}

export const EQUIVALENT: readonly Equivalent[] = []

export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some(
    ({ file, function: name, before, after }) =>
      file === mutant.file &&
      name === mutant.function &&
      before === mutant.before &&
      after === mutant.after,
  )
}
