/** Mistakes about which log it is. */
import type { Patch } from './patch.ts'

export const LOG_PATCHES: readonly Patch[] = [
  {
    name: 'epoch-told-by-the-copy',
    test: {
      file: 'runtime/src/engine/ledger/rollback.test.ts',
      title: 'two histories never have one origin, however often an old copy is put back',
    },
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
    test: {
      file: 'runtime/src/engine/ledger/rollback.test.ts',
      title: 'an epoch that any place outside has seen is never used again, whatever else it holds',
    },
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
