/** Mistakes of a verifier about what people were asked, and what they lifted. */
import type { Patch } from './patch.ts'

export const APPROVAL_PATCHES: readonly Patch[] = [
  {
    name: 'requests-about-anything',
    edits: [
      {
        file: 'verifier/src/approvals/verify-approvals.ts',
        function: 'foldRequest',
        before: 'found.push(...requestProblems(request, trace, at))',
        after: '',
      },
    ],
  },
  {
    name: 'asked-where-nobody-looks',
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
