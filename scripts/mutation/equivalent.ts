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
  {
    file: 'verifier/src/verify-flow.ts',
    function: 'evidenceProblems',
    before:
      "if (contract === undefined) return misfit('the contract of the evidence is not in the bundle')",
    after: ';',
    why: 'the hash of a contract that is not there fits nothing: the same finding in other words',
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
