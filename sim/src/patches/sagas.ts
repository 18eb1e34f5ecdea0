/** Half a job put right twice, or called right when it is not. */
import type { Patch } from './patch.ts'

export const SAGAS_PATCHES: readonly Patch[] = [
  {
    name: 'outcomes-miss-each-other',
    edits: [
      {
        file: 'runtime/src/engine/saga/outcome-counts.ts',
        function: 'watchFlows',
        before: 'limit: await store.readCounter(id)',
        after: 'limit: Number.MAX_SAFE_INTEGER',
      },
    ],
  },
  {
    name: 'outcomes-wait-for-all-others',
    edits: [
      {
        file: 'runtime/src/engine/effect/aftermath.ts',
        function: 'buildFlowAboveUnit',
        before: 'guards: [unmoved, ...unit.guards]',
        after: 'guards: [unmoved, ...unchanged, ...unit.guards]',
      },
    ],
  },
  {
    name: 'failure-waits-for-new-children',
    edits: [
      {
        file: 'runtime/src/engine/saga/outcome-counts.ts',
        function: 'watchFlows',
        before: "status === 'SUCCESS' || one.steps === 'many'",
        after: "status === 'SUCCESS'",
      },
    ],
  },
  {
    name: 'half-a-job-of-the-next-above-only',
    edits: [
      {
        file: 'runtime/src/engine/saga/outcome-counts.ts',
        function: 'watchFlows',
        before: "dfid = status === 'FAILED' ? null : one.parent_dfid",
        after: 'dfid = null',
      },
    ],
  },
  {
    name: 'half-a-job-above-unsaid',
    edits: [
      {
        file: 'runtime/src/engine/effect/aftermath.ts',
        function: 'isHalfDone',
        before: "if (status === 'FAILED') return hasSucceeded(context, above, dfid)",
        after: "if (status === 'FAILED') return false",
      },
    ],
  },
  {
    name: 'half-jobs-without-a-notice',
    edits: [
      {
        file: 'runtime/src/engine/effect/become-dirty.ts',
        function: 'becomeDirty',
        before: `      buildNoticeWrite({
        id: \`\${dfid}:dirty:\${at}\`,
        kind: 'dirty_flow',
        agent_id,
        dfid,
        reason_code: 'PARTIAL_SUCCESS_DIRTY',
        channel: 'operator',
        at,
        details,
      }),
`,
        after: '',
      },
    ],
  },
  {
    name: 'failure-of-the-flow-above-unseen',
    edits: [
      {
        file: 'runtime/src/engine/saga/effects.ts',
        function: 'iterateAborted',
        before: "if (flow.state === 'ABORTED') yield flow",
        after: '',
      },
    ],
  },
  {
    name: 'read-is-half-a-job',
    edits: [
      {
        file: 'runtime/src/engine/saga/effects.ts',
        function: 'isEffect',
        before: 'return !isRead(',
        after: 'return true || !isRead(',
      },
    ],
  },
  {
    name: 'late-undo-is-sent',
    edits: [
      {
        file: 'runtime/src/engine/effect/effect.ts',
        function: 'attempt',
        before: 'if (startedMonotonic !== undefined && isLate(',
        after: 'if (startedMonotonic !== undefined && intent.compensation === undefined && isLate(',
      },
    ],
  },
  {
    name: 'settled-effect-undone',
    edits: [
      {
        file: 'runtime/src/engine/saga/effects.ts',
        function: 'readOpenEffects',
        before: ' || settled.has(step_id)',
        after: ' || settled.has("")',
      },
      {
        file: 'runtime/src/engine/compensate/undo.ts',
        function: 'buildUndoUnit',
        before: 'buildUnsettledGuard(dfid, row.step_id),',
        after: '',
      },
    ],
  },
  {
    name: 'settled-over-an-undoing',
    edits: [
      {
        file: 'runtime/src/engine/compensate/resolve-dirty.ts',
        function: 'listStepsUnderWay',
        before: '...undoing.filter(({ status }) => !isSettled(status))',
        after: '...undoing.slice(undoing.length)',
      },
      {
        file: 'runtime/src/engine/saga/standing-choice.ts',
        function: 'findChoiceGuards',
        before: 'return null',
        after: 'return []',
      },
    ],
  },
  {
    name: 'undoing-shows-the-choice',
    edits: [
      {
        file: 'server/src/http/lookups/flows.ts',
        function: 'getFlow',
        before: 'own === null ? serialiseEntry : serialiseAgentEntry',
        after: 'own === null ? serialiseEntry : serialiseEntry',
      },
    ],
  },
  {
    name: 'undone-and-still-in-world',
    edits: [
      {
        file: 'runtime/src/engine/compensate/resolve.ts',
        function: 'loadUnsaidDelta',
        before: 'readInverse(context, dfid, compensation.of)',
        after: '(await readInverse(context, dfid, compensation.of))?.slice(0, 0) ?? null',
      },
    ],
  },
  {
    name: 'compensated-over-what-a-child-did',
    edits: [
      {
        file: 'runtime/src/engine/compensate/continue.ts',
        function: 'finish',
        before: 'flows.map(',
        after: 'dirty.map(',
      },
    ],
  },
  {
    name: 'exchanged-capability-did-only-read',
    edits: [
      {
        file: 'runtime/src/engine/saga/effects.ts',
        function: 'isRead',
        before: '{ capability_hash }: SignedIntent',
        after: '{ policy_kind }: SignedIntent',
      },
      {
        file: 'runtime/src/engine/saga/effects.ts',
        function: 'isRead',
        before: 'rules?.reads.has(capability_hash) === true',
        after:
          "rules?.capabilities.some(({ kind, effect }) => kind === policy_kind && effect === 'read') === true",
      },
    ],
  },
  {
    name: 'compensated-is-believed',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensated.ts',
        function: 'foldSagaMove',
        before: '(state.flows.get(dfid)?.left ?? 0) > 0',
        after: '(state.flows.get(dfid)?.left ?? 0) < 0',
      },
    ],
  },
  {
    name: 'effects-settled-by-nobody',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensated.ts',
        function: 'findWordProblems',
        before: 'if (settles === undefined) return []',
        after: 'if (settles !== null) return []',
      },
    ],
  },
  {
    name: 'put-right-without-half-a-job',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensated.ts',
        function: 'foldSagaMove',
        before: 'if (isHalfDone === isBegun)',
        after: 'if (isHalfDone === null)',
      },
    ],
  },
  {
    name: 'saga-read-for-anybody',
    edits: [
      {
        file: 'runtime/src/engine/saga/load-saga.ts',
        function: 'gatherSaga',
        before: 'related && open !== null ?',
        after: 'flow !== null ?',
      },
    ],
  },
  {
    name: 'stuck-saga-stays-with-who-has-spoken',
    edits: [
      {
        file: 'runtime/src/engine/effect/settle.ts',
        function: 'buildSettlementUnit',
        before: 'isByPerson(settlement) ?',
        after: 'settlement === null ?',
      },
    ],
  },
  {
    name: 'stuck-saga-above-stays-with-who-has-spoken',
    edits: [
      {
        file: 'runtime/src/engine/compensate/resolve-dirty.ts',
        function: 'resolveDirty',
        before: '...resumed.writes,',
        after: '',
      },
    ],
  },
]

export const SAGAS_IN_STORM: readonly string[] = [
  'half-a-job-above-unsaid',
  'half-jobs-without-a-notice',
  'stuck-saga-stays-with-who-has-spoken',
  'settled-effect-undone',
  'settled-over-an-undoing',
]
