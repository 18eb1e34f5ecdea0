/** What an auditor would take for done, asked for or decided because the kernel's key says so. */
import type { Patch } from './patch.ts'

export const INVENTED_PATCHES: readonly Patch[] = [
  {
    name: 'accepted-undoing-believed',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensations.ts',
        function: 'foldCompensationEntry',
        before: 'return foldIntent(state, payload.payload.intent, getMemberTexts(entry))',
        after: `foldIntent(state, payload.payload.intent, getMemberTexts(entry))
      return []`,
      },
    ],
  },
  {
    name: 'choice-for-another-flow-believed',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensations.ts',
        function: 'findChoiceProblems',
        before: 'wanted === action && isBelow(state.authority, undo.dfid, about)',
        after: 'wanted === action || isBelow(state.authority, undo.dfid, about)',
      },
    ],
  },
  {
    name: 'stranger-choosing-believed',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensations.ts',
        function: 'isAnswerableFor',
        before: 'if (flow.agent === agent) return true',
        after: 'if (flow.agent !== dfid) return true',
      },
    ],
  },
  {
    name: 'stated-approval-believed',
    edits: [
      {
        file: 'verifier/src/approvals/as-approved.ts',
        function: 'isStated',
        before: "return isIt && isWeighed && isSame && isRuled && valid_until <= (until ?? '')",
        after: "return isIt || (isWeighed && isSame && isRuled && valid_until <= (until ?? ''))",
      },
    ],
  },
  {
    name: 'agents-approval-believed',
    edits: [
      {
        file: 'verifier/src/authority/verify-authority.ts',
        function: 'createAuthorityCheck',
        before: '!whole || isAsked(state, formatAskedDecision(agent, body))',
        after: 'whole || isAsked(state, formatAskedDecision(agent, body))',
      },
    ],
  },
  {
    name: 'unopened-flow-believed',
    edits: [
      {
        file: 'verifier/src/authority/standing.ts',
        function: 'findStandingProblems',
        before: 'if (flow === undefined && state.whole &&',
        after: 'if (flow === undefined && !state.whole &&',
      },
    ],
  },
  {
    name: 'flow-opened-twice-believed',
    edits: [
      {
        file: 'verifier/src/authority/openings.ts',
        function: 'foldOpening',
        before: 'if (isOpen) found',
        after: "if (isOpen && dfid === '') found",
      },
    ],
  },
]
