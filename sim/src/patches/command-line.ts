/** Mistakes about what somebody typed. */
import type { Patch } from './patch.ts'

export const COMMAND_LINE_PATCHES: readonly Patch[] = [
  {
    name: 'tool-check-could-not-run',
    test: {
      file: 'server/src/cli/tool-verbs.test.ts',
      title:
        'tool check ends as contract check does: 4 where something is wrong, 2 where nothing can be read',
    },
    edits: [
      {
        file: 'server/src/cli/tool-check.ts',
        function: 'checkTools',
        before: 'ok ? EXIT.done : EXIT.findings',
        after: 'ok ? EXIT.done : EXIT.couldNotRun',
      },
    ],
  },
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
