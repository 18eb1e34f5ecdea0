/** Mistakes about HALT: how it is lost, and what is sent after it. */
import type { Patch } from './patch.ts'

const HALT = 'runtime/src/engine/arbitrate/halt.findings.test.ts'

export const HALT_PATCHES: readonly Patch[] = [
  {
    name: 'halt-void-with-a-winner',
    test: {
      file: HALT,
      title: 'a HALT that a person is asked about is not void because another has won',
    },
    edits: [
      {
        file: 'runtime/src/engine/arbitrate/end-member.ts',
        function: 'isAskedAboutLoser',
        before: "typeof kind !== 'string' || !isReserved(kind)",
        after: "typeof kind !== 'string' || kind.length > 0",
      },
    ],
  },
  {
    name: 'sent-again-after-a-halt',
    test: { file: HALT, title: 'nothing is sent again after a HALT: not applied, inline' },
    edits: [
      {
        file: 'runtime/src/engine/effect/resend.ts',
        function: 'judgeResend',
        before: 'isStoppable ? await readEventGuards(context, view.flow) : []',
        after: 'isStoppable && view === null ? await readEventGuards(context, view) : []',
      },
    ],
  },
  {
    name: 'resend-after-a-halt-verified',
    test: {
      file: HALT,
      title:
        'a record of an event that was changed does not hide that something was sent again after its HALT',
    },
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'foldResend',
        before: '!known.undoes && !isReserved(known.kind)',
        after: 'known.undoes && !isReserved(known.kind)',
      },
    ],
  },
  {
    name: 'resend-after-a-halt-unaudited',
    test: { file: 'sim/src/audit/events.test.ts', title: 'nothing is sent again after a HALT' },
    edits: [
      {
        file: 'sim/src/audit/events.ts',
        function: '#auditSentAgain',
        before: 'if (isHalted &&',
        after: 'if (!isHalted &&',
      },
    ],
  },
]
