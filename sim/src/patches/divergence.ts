/** What whoever holds the database could change in rows, and the runtime would believe. */
import type { Patch } from './patch.ts'

export const DIVERGENCE_PATCHES: readonly Patch[] = [
  {
    name: 'rows-are-not-compared-at-the-start',
    edits: [
      {
        file: 'runtime/src/engine/prepare-store.ts',
        function: 'checkStore',
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
    name: 'codes-of-rows-are-not-checked',
    edits: [
      {
        file: 'runtime/src/adapters/unit/row-macs.ts',
        function: 'share',
        before: 'throw notOurs(row)',
        after: 'notOurs(row)',
      },
    ],
  },
  {
    name: 'the-sum-over-rows-is-not-compared',
    edits: [
      {
        file: 'runtime/src/engine/heads.ts',
        function: 'problem',
        before: 'return head.body.rows === tree.rows ?',
        after: 'return head.body.rows !== null ?',
      },
    ],
  },
  {
    name: 'counters-of-agents-are-believed',
    edits: [
      {
        file: 'runtime/src/engine/divergence/counters.ts',
        function: 'checkCounters',
        before: 'if (counted !== body.used)',
        after: 'if (counted < 0)',
      },
    ],
  },
  {
    name: 'resources-are-not-held-against-the-world',
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/kept-world.ts',
        function: 'checkResource',
        before: 'if (isLeaf) return',
        after: 'if (isLeaf || key.length > 0) return',
      },
    ],
  },
  {
    name: 'the-stored-checkpoint-is-believed',
    edits: [
      {
        file: 'runtime/src/engine/check-note.ts',
        function: 'checkNote',
        before: "if (!isSigned) throw wrong('is signed by nobody who may')",
        after: "if (!isSigned) wrong('')",
      },
    ],
  },
]
