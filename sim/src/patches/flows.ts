/** Flows without owners: who opened where, spoke in what had ended, or went on without authority. */
import type { Patch } from './patch.ts'

const PLACE = 'runtime/src/engine/opening-place.ts'
const DRAFT = 'runtime/src/adapters/unit/unit-draft.ts'

export const FLOWS_PATCHES: readonly Patch[] = [
  {
    name: 'authority-takes-flows',
    findings: ['6a'],
    edits: [
      {
        file: PLACE,
        function: 'openingPlace',
        before: 'if (!takesFlows(trajectory)) return',
        after: 'if (trajectory === "") return',
      },
      {
        file: PLACE,
        function: 'openingPlace',
        before: "by.kind !== 'runtime' && trajectory !== usual",
        after: "trajectory === ''",
      },
      { file: DRAFT, function: 'append', before: 'misplaced === undefined', after: 'true' },
    ],
  },
  {
    name: 'unknown-trajectory-begins',
    findings: ['6b'],
    edits: [
      {
        file: PLACE,
        function: 'openingPlace',
        before: '!(await exists(store, trajectory))',
        after: "trajectory === ''",
      },
    ],
  },
  {
    name: 'foreign-parent-takes-children',
    findings: ['7a'],
    edits: [
      {
        file: PLACE,
        function: 'foreignParent',
        before: "by.kind === 'intent'",
        after: 'dfid !== ""',
      },
    ],
  },
]
