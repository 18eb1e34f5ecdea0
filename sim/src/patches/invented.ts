/** What an auditor would take for done, asked for or decided because the kernel's key says so. */
import type { Patch } from './patch.ts'

export const INVENTED_PATCHES: readonly Patch[] = [
  {
    name: 'accepted-undoing-believed',
    edits: [
      {
        file: 'verifier/src/verify-compensations.ts',
        function: 'details',
        before: 'return decided(state, payload.payload.intent, textsOf(entry))',
        after: 'decided(state, payload.payload.intent, textsOf(entry))\n      return []',
      },
    ],
  },
]
