/** Mistakes of a verifier about what people were asked, and what they lifted. */
import type { Patch } from './patch.ts'

export const APPROVAL_PATCHES: readonly Patch[] = [
  {
    name: 'requests-about-anything',
    test: {
      file: 'verifier/src/approvals/as-asked.test.ts',
      title:
        'AUTHORITY_ORDER: a request asks about other triggers than its trace has, or waits too long',
    },
    edits: [
      {
        file: 'verifier/src/approvals/verify-approvals.ts',
        function: 'foldRequest',
        before:
          'found.push(...requestProblems(request, trace, at, state.people.answerWindow(dfid)))',
        after: '',
      },
    ],
  },
  {
    name: 'asked-where-nobody-looks',
    test: {
      file: 'verifier/src/approvals/as-asked.test.ts',
      title:
        'people are asked on the first channel that leads to them, an agent where all go to one',
    },
    edits: [
      {
        file: 'verifier/src/approvals/asked-channel.ts',
        function: 'findChannelProblems',
        before: 'return channel === wanted ?',
        after: "return channel !== '' ?",
      },
    ],
  },
  {
    name: 'lifts-of-anything',
    test: {
      file: 'verifier/src/approvals/as-asked.test.ts',
      title: 'AUTHORITY_ORDER: an approval lifts what was not asked, or holds too long',
    },
    edits: [
      {
        file: 'verifier/src/approvals/verify-approvals.ts',
        function: 'applyDecision',
        before: 'if (isApproval) found.push(...liftProblems(request, body, at))',
        after: '',
      },
    ],
  },
  {
    name: 'refused-release-runs-later',
    test: {
      file: 'verifier/src/approvals/as-said.test.ts',
      title: 'AUTHORITY_ORDER: something runs by an approval whose release was refused',
    },
    edits: [
      {
        file: 'verifier/src/approvals/verify-approvals.ts',
        function: 'endReleased',
        before: 'isUsed: true,',
        after: '',
      },
    ],
  },
  {
    name: 'decided-after-it-was-asked-anew',
    test: {
      file: 'verifier/src/approvals/as-said.test.ts',
      title: 'AUTHORITY_ORDER: a request is decided that was asked anew',
    },
    edits: [
      {
        file: 'verifier/src/approvals/verify-approvals.ts',
        function: 'endReleased',
        before: 'isDecided: true',
        after: '',
      },
    ],
  },
  {
    name: 'a-part-is-overridden',
    test: {
      file: 'verifier/src/approvals/as-said.test.ts',
      title: 'AUTHORITY_ORDER: an OVERRIDE leaves a trigger in place',
    },
    edits: [
      {
        file: 'verifier/src/approvals/as-said.ts',
        function: 'findSaidProblems',
        before: "decision === 'OVERRIDE' &&",
        after: "decision === 'MODIFY' &&",
      },
    ],
  },
  {
    name: 'approved-until-a-while-ago',
    test: {
      file: 'verifier/src/approvals/as-said.test.ts',
      title: 'AUTHORITY_ORDER: an approval had ended when it was given, or has no end',
    },
    edits: [
      {
        file: 'verifier/src/approvals/as-said.ts',
        function: 'findSaidProblems',
        before: 'valid_until <= at',
        after: 'valid_until < at',
      },
    ],
  },
  {
    name: 'decided-for-no-reason',
    test: {
      file: 'verifier/src/approvals/as-said.test.ts',
      title: 'AUTHORITY_ORDER: a decision has no reason that anybody can read',
    },
    edits: [
      {
        file: 'verifier/src/approvals/as-said.ts',
        function: 'findSaidProblems',
        before: 'isBlank(justification)',
        after: "justification === ''",
      },
    ],
  },
  {
    name: 'agent-retires-who-asks',
    test: {
      file: 'verifier/src/approvals/as-said.test.ts',
      title: 'AUTHORITY_ORDER: an agent retires the one that it was asked about',
    },
    edits: [
      {
        file: 'verifier/src/approvals/as-said.ts',
        function: 'findSaidProblems',
        before: '|| approver.startsWith(AGENT)',
        after: '',
      },
    ],
  },
  {
    name: 'reactivated-for-no-reason',
    test: {
      file: 'verifier/src/authority/reasons.test.ts',
      title: 'AUTHORITY_ORDER: an agent leaves a suspension, and nobody can read why',
    },
    edits: [
      {
        file: 'verifier/src/authority/reasons.ts',
        function: 'getReason',
        before: "from === 'SUSPENDED' ?",
        after: 'from === null ?',
      },
    ],
  },
]
