/** Those of what the verifier says of authority, signatures and taking back: no ledger shows the difference. */
import type { Equivalent } from './equivalent.ts'
import { listEquivalents } from './list-equivalents.ts'

const REMEMBERED = 'what is not remembered is computed anew'
const KNOWN = 'every effect is of an intent that authority has taken in before'
const CITED =
  'whatever is sent names the authority it saw, by its shape: there is nothing to stand in for'

export const EQUIVALENT_VERIFIER: readonly Equivalent[] = [
  {
    file: 'verifier/src/signatures/filled.ts',
    function: 'findFilledProblems',
    before: ' ?? name',
    after: '',
    why: 'before every name but the first there is another one',
  },
  {
    file: 'verifier/src/signatures/resend-signature.ts',
    function: 'findResendSignatureProblems',
    before: ' ?? -1',
    after: '',
    why: CITED,
  },
  {
    file: 'verifier/src/signatures/resend-signature.ts',
    function: 'findResendSignatureProblems',
    before: '1',
    after: '2',
    why: CITED,
  },
  {
    file: 'verifier/src/authority/intents.ts',
    function: 'findNewerFactsProblems',
    before: ' ?? -1',
    after: '',
    why: CITED,
  },
  {
    file: 'verifier/src/authority/intents.ts',
    function: 'findNewerFactsProblems',
    before: '1',
    after: '2',
    why: CITED,
  },
  {
    file: 'verifier/src/authority/authority-state.ts',
    function: 'parseNoteEpoch',
    code: 'return /^(0|[1-9][0-9]{0,15})$/.test(epoch) ? Number(epoch) : -1',
    before: '1',
    after: '2',
    why: 'no epoch is below nought, so that either is less than every one',
  },
  {
    file: 'verifier/src/authority/delegation.ts',
    function: 'findStoppedDelegation',
    before: 'if (others.size === 0) return []',
    after: ';',
    why: 'of nobody nothing is said either way',
  },
  {
    file: 'verifier/src/authority/budget-number.ts',
    function: 'toBudgetNumber',
    before: 'if (before !== undefined) return before',
    after: ';',
    why: REMEMBERED,
  },
  {
    file: 'verifier/src/authority/budget-number.ts',
    function: 'toBudgetNumber',
    before: 'known.size >= REMEMBERED',
    after: '!(known.size >= REMEMBERED)',
    why: REMEMBERED,
  },
  {
    file: 'verifier/src/authority/budget-number.ts',
    function: 'toBudgetNumber',
    before: '>=',
    after: '>',
    why: REMEMBERED,
  },
  {
    file: 'verifier/src/authority/budget-number.ts',
    function: 'toBudgetNumber',
    before: 'known.clear()',
    after: ';',
    why: 'only more is remembered',
  },
  {
    file: 'verifier/src/authority/budget-number.ts',
    function: 'toBudgetNumber',
    before: 'known.set(name, number)',
    after: ';',
    why: REMEMBERED,
  },
  {
    file: 'verifier/src/authority/budget-number.ts',
    function: 'REMEMBERED',
    before: '4_096',
    after: '4097',
    why: REMEMBERED,
  },
  {
    file: 'verifier/src/compensations/verify-compensated.ts',
    function: 'listFlowsUpwards',
    before: 'if (above === null) return found',
    after: ';',
    why: 'of a writ that is not known no parent is known either, and that ends it too',
  },
  {
    file: 'verifier/src/compensations/verify-compensations.ts',
    function: 'findChoiceProblems',
    before: " ?? '[]'",
    after: '',
    why: 'whatever is a choice says what was chosen',
  },
  {
    file: 'verifier/src/compensations/verify-compensated.ts',
    function: 'end',
    before: '?.',
    after: '.',
    code: 'const dfid = state.authority.intents.get(id)?.dfid',
    why: KNOWN,
  },
  {
    file: 'verifier/src/compensations/verify-compensated.ts',
    function: 'end',
    before: 'if (dfid === undefined) return',
    after: ';',
    why: KNOWN,
  },
  {
    file: 'verifier/src/compensations/verify-compensations.ts',
    function: 'endUndoing',
    before: ' ?? null',
    after: '',
    why: 'what has no name is not being undone',
  },
  {
    file: 'verifier/src/compensations/verify-compensations.ts',
    function: 'foldDispatchById',
    before: ' ?? undefined',
    after: '',
    why: 'nobody has settled what has no name',
  },
  ...listEquivalents(
    'verifier/src/authority/openings.ts',
    'an agent of no class is asked for by its own name right after, and nobody has no status',
    [['findInactiveProblems', ' ?? agent', '']],
  ),
  ...listEquivalents(
    'verifier/src/authority/verify-children.ts',
    'a flow is known from the entry that has its writ, which is taken in before it',
    [['foldChildOpening', '?.', '.']],
  ),
  ...listEquivalents(
    'verifier/src/effects/steps.ts',
    'the word that an effect is settled has no status, and so none that is under review',
    [['findWordProblems', "'settled'", "'settledx'"]],
  ),
  ...listEquivalents(
    'verifier/src/effects/windows.ts',
    'an intent whose time is none cannot be read: there is nothing to stand in for',
    [['listWindowParts', '0', '1']],
  ),
]
