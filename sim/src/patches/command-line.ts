/** Mistakes about what somebody typed. */
import type { Patch } from './patch.ts'

export const COMMAND_LINE_PATCHES: readonly Patch[] = [
  {
    name: 'trust-read-from-a-file-first',
    edits: [
      {
        file: 'server/src/cli/verify.ts',
        function: 'readTrust',
        before: 'if (typed.ok || VERIFIER_KEY.test(given)) return',
        after: 'if (typed.ok && !existsSync(given)) return',
      },
    ],
  },
  {
    name: 'writ-read-from-a-file-first',
    edits: [
      {
        file: 'server/src/cli/writ.ts',
        function: 'inspect',
        before: '!isAddress(given) && !isDfid(given) && ',
        after: '',
      },
    ],
  },
]
