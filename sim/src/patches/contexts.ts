/** Mistakes about what agents are shown, and about what people are offered and sign. */
import type { Patch } from './patch.ts'

export const CONTEXTS_PATCHES: readonly Patch[] = [
  {
    name: 'chooser-given-an-id',
    findings: ['26a'],
    edits: [
      {
        file: 'runtime/src/engine/saga/choice-timer.ts',
        function: 'chosenAbout',
        before: 'name.startsWith(PREFIX) ?',
        after: 'name === PREFIX ?',
      },
    ],
  },
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
