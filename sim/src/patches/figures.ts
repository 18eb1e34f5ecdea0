/** Mistakes in what is measured. */
import type { Patch } from './patch.ts'

export const FIGURES_PATCHES: readonly Patch[] = [
  {
    name: 'measured-policies-unpinned',
    test: {
      file: 'bench/src/ours.test.ts',
      title: 'a store that processes share does not keep ours from being measured',
    },
    edits: [
      {
        file: 'bench/src/subject.ts',
        function: 'createSubject',
        before: 'policies: [...POLICIES, ...extra]',
        after:
          "policies: [{ name: 'in-code', version: '1', evaluate: () => ({ decision: null }) }, ...extra]",
      },
    ],
  },
  {
    name: 'budgets-of-whoever-came-last',
    test: {
      file: 'server/src/http/routes/agent-activity.test.ts',
      title: 'who was at work last has a budget beside it, however many agents came later',
    },
    edits: [
      {
        file: 'server/src/http/routes/agent-activity.ts',
        function: 'showActivity',
        before: 'listMovedBudgets(engine, recent)',
        after: 'listMovedBudgets(engine)',
      },
    ],
  },
]
