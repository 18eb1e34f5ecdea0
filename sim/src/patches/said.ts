/** What an auditor would believe of what is said of a flow, and of the people who are said to have said it. */
import type { Patch } from './patch.ts'

const COMPENSATED = 'verifier/src/compensations/verify-compensated.ts'

export const SAID_PATCHES: readonly Patch[] = [
  {
    name: 'said-in-no-flow',
    edits: [
      {
        file: 'verifier/src/authority/verify-authority.ts',
        function: 'createAuthorityCheck',
        before: '...toOrderDetails(findPlaceProblems(state, entry)),',
        after: '',
      },
    ],
  },
  {
    name: 'closed-over-what-is-on-its-way',
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'foldClose',
        before: 'steps.isUnderWay(dfid)',
        after: "steps.isUnderWay('')",
      },
    ],
  },
  {
    name: 'settled-what-nobody-did',
    edits: [
      {
        file: COMPENSATED,
        function: 'settle',
        before: "state.whole ? ['it settles an unknown effect'] : []",
        after: '[]',
      },
      {
        file: COMPENSATED,
        function: 'settle',
        before: "return ['it settles an entry that is not an effect']",
        after: 'return []',
      },
    ],
  },
  {
    name: 'settled-before-its-outcome',
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'findEarlySettlements',
        before: "known.status !== 'MANUAL_REVIEW'",
        after: "known.status === 'SUCCESS'",
      },
    ],
  },
  {
    name: 'settled-while-it-is-undone',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensations.ts',
        function: 'settle',
        before: 'state.underWay.has(id)',
        after: "state.underWay.has('sha256:')",
      },
    ],
  },
  {
    name: 'unseen-word-of-a-person-counts',
    edits: [
      {
        file: 'verifier/src/effects/word-of-person.ts',
        function: 'isWordOfPerson',
        before: '!isBlank(text)',
        after: "text !== ''",
      },
    ],
  },
  {
    name: 'person-speaks-of-what-is-over',
    edits: [
      {
        file: 'verifier/src/effects/steps.ts',
        function: 'findWordProblems',
        before: "known !== 'settled' && known.status === 'MANUAL_REVIEW'",
        after: "known === 'settled' || known.status === 'MANUAL_REVIEW'",
      },
    ],
  },
  {
    name: 'half-a-job-unsaid',
    edits: [
      {
        file: COMPENSATED,
        function: 'fail',
        before: 'if (done === 0 ||',
        after: 'if (done >= 0 ||',
      },
    ],
  },
  {
    name: 'evidence-of-anybody',
    edits: [
      {
        file: 'kernel/src/proof/evidence-shape.ts',
        function: 'found',
        before: "source: createEnumShape(['probe', 'person']),",
        after: 'source: text,',
      },
    ],
  },
  {
    name: 'contract-for-a-mission-that-nobody-sees',
    edits: [
      {
        file: 'kernel/src/contract/read-scalar.ts',
        function: 'freeText',
        before: 'isBlank(value)',
        after: "value.trim() === ''",
      },
    ],
  },
]
