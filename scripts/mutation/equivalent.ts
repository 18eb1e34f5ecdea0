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
    file: 'verifier/src/address-batch.ts',
    function: 'join',
    before: 'work(batch)',
    after: ';',
    why: 'the helping thread answers what this one leaves: only who works is another',
  },
  {
    file: 'verifier/src/verify-authority.ts',
    function: 'UNCITED',
    before: '1',
    after: '2',
    why: 'whatever is sent names the authority it saw, by its shape: there is nothing to stand in for',
  },
  {
    file: 'verifier/src/writs.ts',
    function: 'createWrits',
    before: " ?? ''",
    after: '',
    why: 'no flow has an empty name, so that nobody and it have no writ alike',
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
