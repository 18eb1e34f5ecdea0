/** Mistakes about how long a request waits for an answer. */
import type { Patch } from './patch.ts'

const VERIFIED = {
  file: 'verifier/src/approvals/answer-window.test.ts',
  title: 'AUTHORITY_ORDER: a request waits longer, or shorter, than the contract of its flow says',
}

export const ANSWER_WINDOW_PATCHES: readonly Patch[] = [
  {
    name: 'answer-window-of-nobody',
    test: {
      file: 'runtime/src/engine/approve/decide.test.ts',
      title: 'what is approved next morning runs where the contract leaves so long, and no longer',
    },
    edits: [
      {
        file: 'kernel/src/escalation/request.ts',
        function: 'requestTimes',
        before: 'getApprovalWindowMs(safety_rules)',
        after: 'getApprovalWindowMs({})',
      },
    ],
  },
  {
    name: 'answer-window-widened',
    test: {
      file: 'kernel/src/contract/safety-widening.test.ts',
      title: 'requests of an instance wait no longer than those of its class',
    },
    edits: [
      {
        file: 'kernel/src/contract/safety-widening.ts',
        function: 'SAFETY_RULES',
        before: 'getApprovalWindowMs(child) <= getApprovalWindowMs(parent)',
        after: 'getApprovalWindowMs(child) > 0',
      },
    ],
  },
  {
    name: 'answer-window-without-bounds',
    test: {
      file: 'kernel/src/contract/parse-safety.test.ts',
      title: 'a request waits from a minute to a day, and saying an hour is saying nothing',
    },
    edits: [
      {
        file: 'kernel/src/contract/parse-safety.ts',
        function: 'readApprovalWindow',
        before: 'if (seconds > most)',
        after: 'if (seconds < 0)',
      },
    ],
  },
  {
    name: 'answer-window-all-for-a-parent',
    test: {
      file: 'runtime/src/engine/escalate/parent.test.ts',
      title: 'of a short time to answer a person has half, though a parent says nothing',
    },
    edits: [
      {
        file: 'runtime/src/engine/escalate/ask.ts',
        function: 'computeAnswerDeadline',
        before: 'Math.min(LIMITS.parentMs, half)',
        after: 'Math.max(LIMITS.parentMs, half)',
      },
    ],
  },
  {
    name: 'answer-window-of-any-contract-believed',
    test: VERIFIED,
    edits: [
      {
        file: 'verifier/src/authority/approval-window.ts',
        function: 'findAnswerWindow',
        before: 'if (deployed === undefined) return',
        after: 'if (deployed !== null) return',
      },
    ],
  },
  {
    name: 'answer-window-of-no-contract-believed',
    test: VERIFIED,
    edits: [
      {
        file: 'verifier/src/authority/approval-window.ts',
        function: 'readWindow',
        before: 'isWindow(said) ?',
        after: 'isWindow(said) && said === 0 ?',
      },
    ],
  },
]
