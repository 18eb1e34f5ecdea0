/** Mistakes about what agents are shown, and about what people are offered and sign. */
import type { Patch } from './patch.ts'

export const CONTEXTS_PATCHES: readonly Patch[] = [
  {
    name: 'refused-override-offered',
    findings: ['29a'],
    edits: [
      {
        file: 'runtime/src/engine/escalate/brief/standing.ts',
        function: 'offeredOn',
        before: 'standing.OVERRIDE ?? refusal',
        after: 'standing.OVERRIDE',
      },
    ],
  },
  {
    name: 'reason-filled-in',
    findings: ['29b'],
    edits: [
      {
        file: 'console/src/pages/inbox/draft.ts',
        function: 'UNTOUCHED',
        before: "reason: ''",
        after: "reason: 'as proposed'",
      },
    ],
  },
]
