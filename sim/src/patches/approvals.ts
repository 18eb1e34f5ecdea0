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
]
