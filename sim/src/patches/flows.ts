/** Flows without owners: who opened where, spoke in what had ended, or went on without authority. */
import type { Patch } from './patch.ts'

const PLACE = 'runtime/src/engine/flow/opening-place.ts'
const DRAFT = 'runtime/src/adapters/unit/unit-draft.ts'

export const FLOWS_PATCHES: readonly Patch[] = [
  {
    name: 'row-alone-closes-a-flow',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/compare-flow.ts',
        function: 'compareFlow',
        before: 'one.state === state && isCounted',
        after: "(one.state === state || state === 'CLOSED') && isCounted",
      },
    ],
  },
  {
    name: 'closed-flow-is-reopened',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/flow-fold.ts',
        function: 'foldEvidence',
        before: "moveTo(fold, 'CLOSED')",
        after: "moveTo(fold, 'CLOSED', 'ACTIVE')",
      },
    ],
  },
  {
    name: 'ended-flow-goes-on-unseen',
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'foldClose',
        before: 'ended.add(copyText(dfid))',
        after: 'ended.delete(copyText(dfid))',
      },
      {
        file: 'verifier/src/effects/flow-end.ts',
        function: 'isEnd',
        before: "(received === '' && reason_code === 'FLOW_CANCELLED')",
        after: "(received === '' && reason_code === '')",
      },
    ],
  },
  {
    name: 'opening-outlives-its-version',
    edits: [
      {
        file: 'runtime/src/engine/flow/prepare-opening.ts',
        function: 'buildOpening',
        before: 'if (turn !== undefined)',
        after: 'if (turn === null)',
      },
    ],
  },
  {
    name: 'requests-shown-to-all',
    findings: ['5a'],
    edits: [
      {
        file: 'kernel/src/context/select.ts',
        function: 'selectReadableState',
        before: '!isEscalationPath(path)',
        after: 'path !== ""',
      },
      {
        file: 'runtime/src/engine/context/observed-state.ts',
        function: 'listPathsUnder',
        before: 'if (!isEscalationPath(key)) found',
        after: 'found',
      },
    ],
  },
  {
    name: 'authority-takes-flows',
    findings: ['6a'],
    edits: [
      {
        file: PLACE,
        function: 'resolveOpeningPlace',
        before: 'if (!isFlowTrajectory(trajectory)) return',
        after: 'if (trajectory === "") return',
      },
      {
        file: PLACE,
        function: 'resolveOpeningPlace',
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
        function: 'resolveOpeningPlace',
        before: '!(await hasTrajectory(store, trajectory))',
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
        function: 'checkParentOwner',
        before: "by.kind === 'intent'",
        after: 'dfid !== ""',
      },
    ],
  },
  {
    name: 'recheck-without-signatures',
    findings: ['10a'],
    edits: [
      {
        file: 'kernel/src/compile/recheck.ts',
        function: 'RECHECKED',
        before: '  signatureStage,\n',
        after: '',
      },
    ],
  },
  {
    name: 'flow-outlives-its-writ',
    findings: ['10b'],
    edits: [
      {
        file: 'kernel/src/compile/04-scope.ts',
        function: 'checkRevocations',
        before: 'facts.flow.revoked_writ !== null',
        after: 'facts.flow.dfid === ""',
      },
    ],
  },
  {
    name: 'ended-flow-records-all',
    findings: ['13a'],
    edits: [
      {
        file: 'runtime/src/engine/rows/ended-flow.ts',
        function: 'countLateProposal',
        before: 'if (!hasEnded(flow))',
        after: 'if (flow.dfid !== "")',
      },
    ],
  },
  {
    name: 'window-of-the-agent-ignored',
    findings: ['13b'],
    edits: [
      {
        file: 'kernel/src/contract/agent-budget.ts',
        function: 'findAgentBudget',
        before: 'window_s === undefined',
        after: "window_s !== ''",
      },
    ],
  },
  {
    name: 'snapshots-of-any-size',
    edits: [
      {
        file: 'kernel/src/context/assemble.ts',
        function: 'assembleContext',
        before: 'if (encodeUtf8(snapshot.text).length > most)',
        after: 'if (most === 0)',
      },
    ],
  },
  {
    name: 'refreshes-not-counted',
    edits: [
      {
        file: 'runtime/src/engine/context/refresh.ts',
        function: 'refreshUnit',
        before: "{ kind: 'count', ...count },",
        after: '',
      },
      {
        file: 'runtime/src/engine/context/refresh.ts',
        function: 'refreshUnit',
        before: 'limit: LIMITS.refreshesPerFlow',
        after: 'limit: Number.MAX_SAFE_INTEGER',
      },
    ],
  },
  {
    name: 'snapshots-remembered-by-number',
    edits: [
      {
        file: 'runtime/src/engine/ledger/snapshot-cache.ts',
        function: 'remember',
        before: '&& this.#size <= LIMITS.snapshotsBytes',
        after: '',
      },
    ],
  },
  {
    name: 'whole-flow-read-for-a-snapshot',
    edits: [
      {
        file: 'runtime/src/engine/ledger/snapshot-cache.ts',
        function: '#load',
        before: 'listFlowEntries(dfid, [kind])',
        after: 'listFlowEntries(dfid)',
      },
    ],
  },
  {
    name: 'agent-window-overflows',
    edits: [
      {
        file: 'runtime/src/engine/close/usage.ts',
        function: 'takeIn',
        before: ', ...window.guards',
        after: '',
      },
    ],
  },
  {
    name: 'sources-asked-for-anything',
    edits: [
      {
        file: 'runtime/src/engine/context/compile-context.ts',
        function: 'loadState',
        before: 'if (odd !== undefined)',
        after: "if (odd === '\\n')",
      },
      {
        file: 'runtime/src/engine/context/read-outside.ts',
        function: 'askSources',
        before: 'paths.filter(isIdentifier).filter(',
        after: 'paths.filter(',
      },
    ],
  },
  {
    name: 'child-budgets-of-any-text',
    edits: [
      {
        file: 'runtime/src/capabilities/reserved.ts',
        function: 'RESERVED',
        before: 'additionalProperties: amount }',
        after: "additionalProperties: { type: 'string' } }",
      },
    ],
  },
  {
    name: 'flows-without-end',
    edits: [
      {
        file: 'kernel/src/compile/00-repeat.ts',
        function: 'repeatStage',
        before: 'facts.attempt > most',
        after: 'facts.attempt < 0',
      },
    ],
  },
  {
    name: 'one-page-of-steps',
    edits: [
      {
        file: 'runtime/src/engine/rows/all-executions.ts',
        function: 'readAllExecutions',
        before: 'if (page.length < limit) return rows',
        after: 'if (page.length <= limit) return rows',
      },
      {
        file: 'runtime/src/engine/rows/all-executions.ts',
        function: 'loadExecution',
        before: '(await store.readDecision(dfid, stepId, () => []))?.claim',
        after: '(await readAllExecutions(store, { dfid })).find((row) => row.step_id === stepId)',
      },
    ],
  },
]

/** Those
/** Those that the auditor of the storm sees, too. */
export const FLOWS_IN_STORM: readonly string[] = [
  'authority-takes-flows',
  'foreign-parent-takes-children',
  'flow-outlives-its-writ',
  'window-of-the-agent-ignored',
]
