/** Mistakes about rules in force and about what people are asked, for tricks of the hostile agent. */
import type { Patch } from './patch.ts'

export const HOSTILE_RULE_PATCHES: readonly Patch[] = [
  {
    name: 'cedar-by-its-text-is-not-in-force',
    edits: [
      {
        file: 'runtime/src/policies/load-policy.ts',
        function: 'loadCedar',
        before: 'return tried.ok ? cedarPolicy(options, sha256) : tried',
        after:
          'return tried.ok ? ok({ ...tried.value, evaluate: () => ({ decision: null }) }) : tried',
      },
    ],
  },
]
