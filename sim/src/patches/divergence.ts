/** What whoever holds the database could change in rows, and the runtime would believe. */
import type { Patch } from './patch.ts'

export const DIVERGENCE_PATCHES: readonly Patch[] = [
  {
    name: 'rows-are-not-compared-at-the-start',
    edits: [
      {
        file: 'runtime/src/engine/prepare-store.ts',
        function: 'findDiverged',
        before: 'await checkOpenFlows(context)',
        after: 'await (context, [])',
      },
    ],
  },
  {
    name: 'rows-of-ended-flows-are-believed',
    edits: [
      {
        file: 'runtime/src/engine/load-decision.ts',
        function: 'loadDecision',
        before: 'if (firstUse.isFirst(dfid))',
        after: "if (dfid === '')",
      },
    ],
  },
  {
    name: 'a-claim-that-is-gone-is-not-missed',
    edits: [
      {
        file: 'runtime/src/engine/divergence/compare-flow.ts',
        function: 'compareSteps',
        before: 'return gone === undefined ?',
        after: 'return gone !== null ?',
      },
    ],
  },
  {
    name: 'counters-are-not-compared',
    edits: [
      {
        file: 'runtime/src/engine/divergence/flow-check.ts',
        function: 'compareBudget',
        before: 'if (counted !== units)',
        after: 'if (counted < 0)',
      },
    ],
  },
  {
    name: 'time-taken-from-rows',
    edits: [
      {
        file: 'runtime/src/engine/prepare-store.ts',
        function: 'findDiverged',
        before: 'await checkTimeRows(context)',
        after: '',
      },
    ],
  },
  {
    name: 'keys-of-the-retired',
    edits: [
      {
        file: 'runtime/src/engine/keys.ts',
        function: 'registerKey',
        before: "purpose === 'agent' ? retired(authority, subject) : null",
        after: 'null',
      },
    ],
  },
]
