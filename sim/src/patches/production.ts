/** What production code must not hold at all. */
import type { Patch } from './patch.ts'

export const PRODUCTION_PATCHES: readonly Patch[] = [
  {
    name: 'mistake-known-to-production',
    findings: ['23a'],
    edits: [
      {
        file: 'runtime/src/engine/rows/maintenance.ts',
        function: 'countDirty',
        before: 'by }',
        after: "by: process.env.RUBICON_PLANTED_BUG === 'dirty_agent_goes_on' ? 0 : by }",
      },
    ],
  },
]
