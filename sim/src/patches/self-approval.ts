/** Mistakes about who may approve for an agent of their own, and whether the record says that they did. */
import type { Patch } from './patch.ts'

const DECIDE = 'runtime/src/engine/approve/decide.test.ts'
const VERIFIED = {
  file: 'verifier/src/approvals/quorum.test.ts',
  title:
    'AUTHORITY_ORDER: the owner approves HIGH_IMPACT though the contract does not allow it, or the record does not say so',
}

export const SELF_APPROVAL_PATCHES: readonly Patch[] = [
  {
    name: 'self-approval-of-anybody',
    test: {
      file: DECIDE,
      title:
        'HIGH_IMPACT asks for a moment, for a typed word, and for somebody else than the owner',
    },
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'checkHaste',
        before: "request.self_approval !== 'allowed' &&",
        after: "request.self_approval === 'allowed' &&",
      },
    ],
  },
  {
    name: 'self-approval-unsaid',
    test: {
      file: DECIDE,
      title:
        'where the contract allows it the owner approves HIGH_IMPACT, with the same care, and the record says so',
    },
    edits: [
      {
        file: 'runtime/src/engine/approve/decision-unit.ts',
        function: 'listBeside',
        before: 'isSelf ?',
        after: 'isSelf && modification !== null ?',
      },
    ],
  },
  {
    name: 'self-approval-said-of-all',
    test: {
      file: DECIDE,
      title:
        'no approval of somebody else, of a low impact, and no abort is called one of the owner for himself',
    },
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'isSelfApproval',
        before: "impact === 'LOW_IMPACT') return false",
        after: "impact === 'LOW_IMPACT' && answering.length === 0) return false",
      },
    ],
  },
  {
    name: 'self-approval-widened',
    test: {
      file: 'kernel/src/contract/safety-widening.test.ts',
      title: 'an instance does not let its owner approve what that of its class may not',
    },
    edits: [
      {
        file: 'kernel/src/contract/safety-widening.ts',
        function: 'SAFETY_RULES',
        before: 'child.self_approval === undefined || parent.self_approval !== undefined',
        after: 'child.self_approval === undefined || parent.requires_signature !== undefined',
      },
    ],
  },
  {
    name: 'self-approval-of-any-contract-believed',
    test: VERIFIED,
    edits: [
      {
        file: 'verifier/src/authority/contracts.ts',
        function: 'isAskedBy',
        before:
          "if (findSafetyRule(contract, 'self_approval') !== (asked.self_approval ?? null)) return false",
        after: '',
      },
    ],
  },
  {
    name: 'self-approval-unsaid-believed',
    test: VERIFIED,
    edits: [
      {
        file: 'verifier/src/approvals/approving-person.ts',
        function: 'findPersonProblems',
        before: 'if (isSelf && !isCalledSelf)',
        after: 'if (isSelf && !isCalledSelf && impact === null)',
      },
    ],
  },
]
