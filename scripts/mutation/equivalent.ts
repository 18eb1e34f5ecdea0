/** Mistakes that change nothing that anybody could see, each with the reason. */
import { EQUIVALENT_BOUNDED } from './equivalent-bounded.ts'
import { EQUIVALENT_FASTER } from './equivalent-faster.ts'
import { EQUIVALENT_FORMS } from './equivalent-forms.ts'
import { EQUIVALENT_IN_RANGE } from './equivalent-in-range.ts'
import { EQUIVALENT_KEEPING } from './equivalent-keeping.ts'
import { EQUIVALENT_READING } from './equivalent-reading.ts'
import { EQUIVALENT_VERIFIER } from './equivalent-verifier.ts'
import type { Mutant } from './mutant.ts'

export type Equivalent = Pick<Mutant, 'file' | 'function' | 'before' | 'after'> & {
  /** Of the line, where the function has others that somebody would notice. */
  readonly code?: string
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
    file: 'verifier/src/crypto/address-batch.ts',
    function: 'join',
    before: 'work(batch)',
    after: ';',
    why: 'the helping thread answers what this one leaves: only who works is another',
  },
  {
    file: 'verifier/src/authority/verify-authority.ts',
    function: 'UNCITED',
    before: '1',
    after: '2',
    why: 'whatever is sent names the authority it saw, by its shape: there is nothing to stand in for',
  },
  {
    file: 'verifier/src/authority/writs.ts',
    function: 'createWrits',
    before: " ?? ''",
    after: '',
    why: 'no flow has an empty name, so that nobody and it have no writ alike',
  },
  {
    file: 'verifier/src/bundle/verify-flow.ts',
    function: 'findEvidenceProblems',
    before:
      "if (contract === undefined)\n    return toMisfitProblems('the contract of the evidence is not in the bundle')",
    after: ';\n',
    why: 'the hash of a contract that is not there fits nothing: the same finding in other words',
  },
  {
    file: 'kernel/src/execution/reconcile.ts',
    function: 'mayResend',
    before: "'queryable'",
    after: "'queryablex'",
    why: 'nothing is returned then, which is as little a yes as `false`',
  },
  {
    file: 'kernel/src/canonical/json-reader.ts',
    function: 'readLongNumber',
    before: '>',
    after: '>=',
    why: 'a number that is short enough is judged digit by digit too, with the same result',
  },
  {
    file: 'kernel/src/contract/parse-contract.ts',
    function: 'checkEnvelope',
    before: "'string'",
    after: "'stringx'",
    why: '`strict` has no `applies_to`, and nothing is checked without one',
  },
  {
    file: 'kernel/src/canonical/time.ts',
    function: 'findDay',
    before: '!==',
    after: '===',
    why: 'only another day is remembered: what is not remembered is read anew',
  },
  {
    file: 'kernel/src/canonical/decimal.ts',
    function: 'formatDecimal',
    code: 'while (end > whole.length && padded.charCodeAt(end - 1) === ZERO) end -= 1',
    before: '>',
    after: '>=',
    why: 'zeros of the whole number are passed over too, and then no fraction is written either',
  },
  {
    file: 'kernel/src/contract/read-scalar.ts',
    function: 'ZERO',
    before: '0',
    after: '1',
    why: 'nought has the same value at every scale',
  },
  {
    file: 'kernel/src/canonical/write-json.ts',
    function: 'isArrayInOrder',
    before: '<',
    after: '<=',
    why: 'past its end nothing stands: it is then written the slow way, as the same text',
  },
  {
    file: 'kernel/src/compile/03-window.ts',
    function: 'checkApproval',
    before: '0',
    after: '1',
    why: 'the form of a time was checked when it was read: there is nothing to stand in for',
  },
  {
    file: 'kernel/src/compile/03-window.ts',
    function: 'checkDeadline',
    before: '0',
    after: '1',
    why: 'the form of a time was checked when it was read: there is nothing to stand in for',
  },
  {
    file: 'kernel/src/context/words.ts',
    function: 'toWordCharacter',
    before: '>=',
    after: '>',
    why: 'the first code beyond ASCII separates words on either way',
  },
  {
    file: 'kernel/src/context/deceiving.ts',
    function: 'MISLEADING',
    before: '0xfff8',
    after: '65529',
    why: 'the next code is invisible: it is in the other table',
  },
  {
    file: 'kernel/src/world/erased-leaves.ts',
    function: 'deriveStatedResource',
    before: "'increment'",
    after: "'incrementx'",
    why: 'an increment states no version, and what states none is refused by that',
  },
  {
    file: 'kernel/src/canonical/json-reader.ts',
    function: 'readString',
    code: 'for (let i = start; i < this.text.length; i += 1) {',
    before: '<',
    after: '<=',
    why: 'past its end a text has no code that is a quote, an escape or a control character',
  },
  {
    file: 'kernel/src/canonical/check-json.ts',
    function: 'copyMember',
    before: '?.',
    after: '.',
    why: 'a property that is not there is a fault, and then it is not asked for its value',
  },
  {
    file: 'kernel/src/canonical/sort-keys.ts',
    function: 'sortKeys',
    before: 'keys.length > FEW_KEYS',
    after: '!(keys.length > FEW_KEYS)',
    why: 'both ways of sorting have the same result',
  },
  {
    file: 'kernel/src/canonical/sort-keys.ts',
    function: 'sortFewKeys',
    code: 'for (; gap > 0; gap -= 1) {',
    before: '>',
    after: '>=',
    why: 'before the first key there is none, and that ends the loop too',
  },
  {
    file: 'kernel/src/canonical/time.ts',
    function: 'findDay',
    before: 'day !== undefined',
    after: '!(day !== undefined)',
    why: 'what is no day is remembered as none, and what is not remembered is read anew',
  },
  {
    file: 'kernel/src/canonical/time.ts',
    function: 'formatDay',
    code: 'let year = FIRST_YEAR + Math.floor(days / 366)',
    before: '+',
    after: '-',
    why: 'the search for the year begins earlier, and ends at the same one',
  },
  {
    file: 'kernel/src/canonical/write-json.ts',
    function: 'isInOrder',
    before: "'boolean'",
    after: "'booleanx'",
    why: 'it is then written the slow way, as the same text',
  },
  {
    file: 'kernel/src/canonical/write-json.ts',
    function: 'serialiseObject',
    code: "if (text.length > 1) text += ','",
    before: '1',
    after: '2',
    why: 'a member is longer than one character',
  },
  {
    file: 'kernel/src/compile/compile.ts',
    function: 'buildRejection',
    before: '?.',
    after: '',
    why: 'whatever a stage rejects with has a refusal: without one both throw',
  },
  {
    file: 'kernel/src/context/search.ts',
    function: 'computeWeight',
    code: 'return weight < LEAST_WEIGHT ? LEAST_WEIGHT : weight',
    before: '<',
    after: '<=',
    why: 'the least weight is itself',
  },
  {
    file: 'kernel/src/contract/priority.ts',
    function: 'compareByPriority',
    code: 'return a.agent_id < b.agent_id ? -1 : 1',
    before: '1',
    after: '2',
    why: 'only the sign says who comes first',
  },
  {
    file: 'kernel/src/monitor/sample.ts',
    function: 'REMEMBERED',
    before: '4_096',
    after: '4097',
    why: 'what is not remembered is read anew',
  },
  {
    file: 'kernel/src/world/layered-map.ts',
    function: 'get',
    before: '?.',
    after: '.',
    why: 'every place from the last down to the first has a layer',
  },
  {
    file: 'kernel/src/world/layered-map.ts',
    function: 'copy',
    before: '*',
    after: '/',
    why: 'only when layers are put together is another',
  },
  ...EQUIVALENT_BOUNDED,
  ...EQUIVALENT_READING,
  ...EQUIVALENT_FASTER,
  ...EQUIVALENT_KEEPING,
  ...EQUIVALENT_VERIFIER,
  ...EQUIVALENT_IN_RANGE,
  ...EQUIVALENT_FORMS,
]

export function isEquivalent(mutant: Mutant): boolean {
  return EQUIVALENT.some(
    ({ file, function: name, before, after, code = mutant.code }) =>
      file === mutant.file &&
      code === mutant.code &&
      name === mutant.function &&
      before === mutant.before &&
      after === mutant.after,
  )
}
