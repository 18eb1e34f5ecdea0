/** Mistakes towards whoever asks from outside: late, twice, by somebody else's hand, or with texts that show nothing. */
import type { Patch } from './patch.ts'

export const OUTSIDE_PATCHES: readonly Patch[] = [
  {
    name: 'signed-ahead-forgotten',
    edits: [
      {
        file: 'runtime/src/server/ahead-nonces.ts',
        function: 'isFirstUse',
        before: 'if (at <= now) return true',
        after: 'if (at <= now + LIMITS.proofMs) return true',
      },
    ],
  },
]
