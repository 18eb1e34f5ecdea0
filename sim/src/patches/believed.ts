/** What a verifier believes that should not: more than was asked for, and less than was done. */
import type { Patch } from './patch.ts'

export const BELIEVED_PATCHES: readonly Patch[] = [
  {
    name: 'part-of-a-flow-erased',
    edits: [
      {
        file: 'verifier/src/ledger/erasures.ts',
        function: 'createErasures',
        before: 'remains.has(body.dfid)',
        after: "remains.has('')",
      },
    ],
  },
  {
    name: 'second-opening-hides-a-part',
    test: {
      file: 'verifier/src/ledger/erasures.test.ts',
      title:
        'a part of a flow is left where what is gone begins with a second opening, which nobody can read',
    },
    edits: [
      {
        file: 'verifier/src/ledger/erasures.ts',
        function: 'createRemains',
        before: 'else if (!spoken.has(dfid))',
        after: "else if (kind !== 'writ' && gone.has(dfid))",
      },
    ],
  },
  {
    name: 'second-step-believed',
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'findSecondStepProblems',
        before: 'isOneStep === true',
        after: 'isOneStep === null',
      },
    ],
  },
  {
    name: 'settled-with-an-effect-left',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensated.ts',
        function: 'foldSagaMove',
        before: "status === 'COMPENSATED' || payload.settles !== undefined",
        after: "status === 'COMPENSATED'",
      },
    ],
  },
  {
    name: 'writ-beyond-its-contract',
    edits: [
      {
        file: 'verifier/src/authority/openings.ts',
        function: 'foldOpening',
        before: 'deployed?.isReadable === true',
        after: 'deployed?.isReadable === null',
      },
    ],
  },
  {
    name: 'writ-by-hand-left-out',
    edits: [
      {
        file: 'runtime/src/evidence/export-bundle.ts',
        function: 'listNamedWrits',
        before: "'intent' in sent ?",
        after: "'intents' in sent && 'intent' in sent ?",
      },
    ],
  },
  {
    name: 'any-writ-by-hand-in-a-bundle',
    edits: [
      {
        file: 'verifier/src/bundle/verify-flow.ts',
        function: 'findStrangerProblems',
        before: "!named.has(findWritByHand(entry)?.id ?? '')",
        after: 'findWritByHand(entry) === undefined',
      },
    ],
  },
  {
    name: 'contract-of-an-instance-not-seen',
    edits: [
      {
        file: 'verifier/src/bundle/verify-flow.ts',
        function: 'findContract',
        before: "payload?.kind !== 'contract'",
        after: "payload?.kind !== 'contract' || payload.payload.body.action !== 'deploy'",
      },
    ],
  },
  {
    name: 'child-that-nobody-tells-of',
    edits: [
      {
        file: 'verifier/src/authority/verify-children.ts',
        function: 'foldChildOpening',
        before: 'if (state.authority.whole)',
        after: 'if (!state.authority.whole)',
      },
    ],
  },
  {
    name: 'decided-otherwise-than-asked',
    edits: [
      {
        file: 'verifier/src/authority/asked-steps.ts',
        function: 'formatDecision',
        before: '{ lifts: [], ...said }',
        after: 'said.request_id ?? null, said.decision ?? null',
      },
    ],
  },
  {
    name: 'spawned-for-longer-than-asked',
    edits: [
      {
        file: 'verifier/src/authority/asked-steps.ts',
        function: 'formatSpawn',
        before: 'until ?? null',
        after: 'until === null',
      },
    ],
  },
  {
    name: 'occasion-that-ends-later',
    edits: [
      {
        file: 'verifier/src/authority/contracts.ts',
        function: 'findOccasionProblems',
        before: "!('at' in until) ||",
        after: "'at' in until || !('at' in until) ||",
      },
    ],
  },
  {
    name: 'request-that-ends-early',
    edits: [
      {
        file: 'verifier/src/approvals/as-asked.ts',
        function: 'isNearerThan',
        before: '- since < ms',
        after: '- since < 0',
      },
    ],
  },
  {
    name: 'one-step-spawns-twice',
    edits: [
      {
        file: 'verifier/src/authority/verify-children.ts',
        function: 'foldDelegation',
        before: 'state.used.add(intent_id)',
        after: '',
      },
    ],
  },
  {
    name: 'shown-another-proposal',
    edits: [
      {
        file: 'verifier/src/approvals/as-shown.ts',
        function: 'findShownProblems',
        before: 'return isSame ?',
        after: 'return proposal !== null ?',
      },
    ],
  },
  {
    name: 'ran-without-being-shown',
    edits: [
      {
        file: 'verifier/src/approvals/as-shown.ts',
        function: 'isOfShown',
        before: 'shown !== null &&',
        after: 'shown === null ||',
      },
    ],
  },
  {
    name: 'modified-more-than-was-written',
    edits: [
      {
        file: 'verifier/src/approvals/as-shown.ts',
        function: 'isAsModified',
        before: '=== proposal_hash',
        after: "!== ''",
      },
    ],
  },
  {
    name: 'typed-with-any-words',
    edits: [
      {
        file: 'verifier/src/effects/asked.ts',
        function: 'findWordProblems',
        before: 'acknowledge === words',
        after: 'acknowledge !== null',
      },
    ],
  },
  {
    name: 'taken-back-by-its-own-word',
    edits: [
      {
        file: 'verifier/src/effects/asked.ts',
        function: 'findRequestProblems',
        before: 'reversible: description.reversible',
        after: 'reversible',
      },
    ],
  },
  {
    name: 'asked-about-no-capability',
    edits: [
      {
        file: 'verifier/src/effects/asked.ts',
        function: 'findRequestProblems',
        before: "return [...found, 'its capability is not recorded']",
        after: 'return found',
      },
    ],
  },
]
