/** Mistakes about which log it is. */
import type { Patch } from './patch.ts'

export const LOG_PATCHES: readonly Patch[] = [
  {
    name: 'epoch-told-by-the-copy',
    edits: [
      {
        file: 'runtime/src/engine/ledger/accept-restore.ts',
        function: 'findHighestEpoch',
        before: 'kept.map(({ epoch }) => epoch)',
        after: 'kept.map(() => 0)',
      },
    ],
  },
  {
    name: 'epoch-told-by-one-place',
    edits: [
      {
        file: 'runtime/src/engine/ledger/rollback.ts',
        function: 'readKeptCheckpoints',
        before: 'of sinks)',
        after: 'of sinks.slice(0, 1))',
      },
    ],
  },
  {
    name: 'used-epoch-believed',
    edits: [
      {
        file: 'verifier/src/authority/authority-state.ts',
        function: 'parseNoteEpoch',
        before: '? Number(epoch) : -1',
        after: '? -1 : -1',
      },
    ],
  },
]
