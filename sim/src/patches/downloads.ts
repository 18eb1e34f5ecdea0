/** Mistakes about downloads of the ledger: what one takes of them, nobody else has. */
import type { Patch } from './patch.ts'

export const DOWNLOAD_PATCHES: readonly Patch[] = [
  {
    name: 'downloads-of-one-keep-others-out',
    edits: [
      {
        file: 'server/src/http/turns/downloads.ts',
        function: 'reply',
        before: 'own.length >= LIMITS.downloadsEach',
        after: 'own.length >= LIMITS.downloads',
      },
    ],
  },
  {
    name: 'downloads-in-one-go',
    edits: [
      {
        file: 'server/src/http/turns/downloads.ts',
        function: '#makeInTurns',
        before: 'await this.#turns.take(asker, isGone, makePiece)',
        after: 'await makePiece()',
      },
    ],
  },
  {
    name: 'downloads-without-a-rest',
    edits: [
      {
        file: 'server/src/http/turns/shared-turns.ts',
        function: '#leaveThread',
        before: 'if (this.#spentMs < LIMITS.pastSliceMs) return',
        after: 'if (this.#spentMs >= 0) return',
      },
    ],
  },
  {
    name: 'downloads-prepared-without-a-place',
    edits: [
      {
        file: 'server/src/http/turns/downloads.ts',
        function: 'reply',
        before: "return buildHttpProblem('STREAMS_FULL')",
        after: "return prepare().then(() => buildHttpProblem('STREAMS_FULL'))",
      },
    ],
  },
  {
    name: 'downloads-in-long-pages',
    edits: [
      {
        file: 'server/src/http/routes/ledger.ts',
        function: 'createLedgerRoutes',
        before: 'end, LIMITS.downloadEntries)',
        after: 'end)',
      },
    ],
  },
]
