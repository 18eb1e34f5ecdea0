/** Mistakes about when an effect may still be sent. */
import type { Patch } from './patch.ts'

export const SENDS_PATCHES: readonly Patch[] = [
  {
    name: 'sleep-not-noticed',
    edits: [
      {
        file: 'runtime/src/engine/effect.ts',
        function: 'isLate',
        before: ' || clock.now() >= end',
        after: '',
      },
    ],
  },
]
