/** Mistakes that change nothing that anybody could see, each with the reason. */
import type { Mutant } from './mutant.ts'

export type Equivalent = Pick<Mutant, 'file' | 'function' | 'before' | 'after'> & {
  readonly why: string
}

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'kernel/src/canonical/numeral.ts',
    function: 'splitNumeral',
    before: '<',
    after: '<=',
    why: 'a number begins with a digit or a minus: neither a point nor an `e` stands at place 0',
  },
]

export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some(
    ({ file, function: name, before, after }) =>
      file === mutant.file &&
      name === mutant.function &&
      before === mutant.before &&
      after === mutant.after,
  )
}
