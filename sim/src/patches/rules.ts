/** Mistakes about the rules in force: what is held is taken for what is recorded. */
import type { Patch } from './patch.ts'

export const RULES_PATCHES: readonly Patch[] = [
  {
    name: 'held-rules-decide',
    findings: ['9a'],
    edits: [
      {
        file: 'kernel/src/compile/rules-in-force.ts',
        function: 'rulesRefusal',
        before: '!in_force.rules.includes(rules_hash)',
        after: 'false',
      },
      {
        file: 'runtime/src/engine/propose.ts',
        function: 'unruledRefusal',
        before: 'if (isEarlier ||',
        after: 'if (true ||',
      },
    ],
  },
  {
    name: 'held-rules-are-recorded',
    findings: ['9b'],
    edits: [
      {
        file: 'runtime/src/engine/registry/record-rules.ts',
        function: 'agreedOverlap',
        before: 'if (recorded === null) return 0',
        after: 'return 0',
      },
    ],
  },
]
