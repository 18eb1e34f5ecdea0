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
  {
    name: 'stops-wait-with-the-others',
    findings: ['32d'],
    edits: [
      {
        file: 'runtime/src/server/gate.ts',
        function: '#bucketOf',
        before: 'return stops === true ? this.#stops : this.#principals',
        after: 'return stops === true ? this.#principals : this.#principals',
      },
      {
        file: 'runtime/src/server/connections.ts',
        function: '#take',
        before: 'if (this.#held.size >= most && !this.#makeRoom()) return',
        after: 'if (this.#held.size >= most) return',
      },
      {
        file: 'runtime/src/adapters/unit/stopping-unit.ts',
        function: 'enqueue',
        before: 'if (!endsAuthority(next.unit)) return',
        after: 'return',
      },
    ],
  },
  {
    name: 'pipelined-requests-all-at-once',
    findings: ['32e'],
    edits: [
      {
        file: 'runtime/src/server/connections.ts',
        function: 'begin',
        before: 'if (held.requests.length === 1) answer()',
        after: 'answer()',
      },
    ],
  },
]
