/** Mistakes about load: what one of them asks for, everybody waits for. */
import type { Patch } from './patch.ts'

export const STARVING_PATCHES: readonly Patch[] = [
  {
    name: 'drafts-judged-where-decisions-are',
    findings: ['32a', '32c'],
    edits: [
      {
        file: 'runtime/src/server/drafts/drafts-of.ts',
        function: 'draftsOf',
        before: 'return (draft) => draftThread.ask(draft, asking)',
        after:
          "return (async (draft: Draft) => (await import('./judge-draft.ts')).judgeDraft(draft)) as never",
      },
    ],
  },
  {
    name: 'the-past-in-one-go',
    findings: ['32b'],
    edits: [
      {
        file: 'runtime/src/evidence/trial.ts',
        function: 'tryLast',
        before: `      // Between any two: one flow may hold as many as are asked for.
      await pause()`,
        after: '',
      },
    ],
  },
]
