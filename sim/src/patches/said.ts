/** What an auditor would believe of what is said of a flow, and of the people who are said to have said it. */
import type { Patch } from './patch.ts'

export const SAID_PATCHES: readonly Patch[] = [
  {
    name: 'contract-for-a-mission-that-nobody-sees',
    edits: [
      {
        file: 'kernel/src/contract/read-scalar.ts',
        function: 'freeText',
        before: 'isBlank(value)',
        after: "value.trim() === ''",
      },
    ],
  },
]
