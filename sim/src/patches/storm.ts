/** Mistakes of the engine that only a history shows: `sim planted` runs seeds until the auditor does. */
import type { Patch } from './patch.ts'

export const STORM_PATCHES: readonly Patch[] = [
  {
    name: 'instance_never_ends',
    findings: ['28a'],
    edits: [
      {
        file: 'runtime/src/engine/close/end-instances.ts',
        function: 'endWhenOver',
        before: 'if (why === null) return false',
        after: 'if (why !== null) return false',
      },
    ],
  },
  {
    name: 'foreign_rules_decide',
    edits: [
      {
        file: 'kernel/src/compile/rules-in-force.ts',
        function: 'findRulesRefusal',
        before: 'if (!in_force.rules.includes(rules_hash))',
        after: 'if (rules_hash.length === 0)',
      },
      {
        file: 'runtime/src/engine/decide/propose.ts',
        function: 'findUnruledRefusal',
        before: 'if (isEarlier ||',
        after: 'if (true ||',
      },
    ],
  },
  {
    name: 'expired_flow_stays',
    findings: ['28c'],
    edits: [
      {
        file: 'runtime/src/engine/close/expire-flows.ts',
        function: 'expireFlows',
        before: "return endFlowByRule(context, flow, 'FLOW_EXPIRED', { opened_at, expired_at })",
        after: 'return false',
      },
    ],
  },
  {
    name: 'effect_before_dispatch',
    edits: [
      {
        file: 'runtime/src/engine/decide/dispatch-staged.ts',
        function: 'dispatchStaged',
        before: "if (inline) await context.failpoints.reach('dispatch.before_commit')",
        after: `const early = performEffect(context, prepared.placed({ ok: true, at: gathered.view.now, entries: [] }))
  early.catch(() => {})
  if (inline) await context.failpoints.reach('dispatch.before_commit')`,
      },
      {
        file: 'runtime/src/engine/decide/dispatch-staged.ts',
        function: 'dispatchStaged',
        before: 'startEffect(context, dispatched, timing)',
        after: 'early',
      },
    ],
  },
  {
    name: 'unsafe_sent_again',
    edits: [
      {
        file: 'runtime/src/engine/effect/reconcile.ts',
        function: 'reconcile',
        before: 'resolveUncertain(',
        after:
          "description.effect === 'unsafe' ? { kind: 'resend', why: 'same_key' } : resolveUncertain(",
      },
    ],
  },
  {
    name: 'resend_without_authority',
    edits: [
      {
        file: 'runtime/src/engine/judge/judge-again.ts',
        function: 'judgeAgain',
        before: "{ dispatched }: Pick<ExecutionRow, 'dispatched'>",
        after: '{ dispatched, sends }: ExecutionRow',
      },
      {
        file: 'runtime/src/engine/judge/judge-again.ts',
        function: 'judgeAgain',
        before: 'checked.refusal ?? recheckDispatch(gathered, checked)',
        after: 'sends > 0 ? null : checked.refusal ?? recheckDispatch(gathered, checked)',
      },
    ],
  },
  {
    name: 'budget_not_taken',
    edits: [
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'buildIntentUnit',
        before: '...reserved.writes,',
        after: '',
      },
    ],
  },
  {
    name: 'recovery_sends_again',
    edits: [
      {
        file: 'runtime/src/engine/effect/recover.ts',
        function: 'recover',
        before:
          "await settleInterrupted(context, execution, 'the engine ended before the answer came')",
        after: `{
      const { performEffect } = await import('./effect.ts')
      const flow = await context.store.readFlow(execution.dfid)
      if (flow !== null)
        await performEffect(context, { intent: parseIntent(execution.intent), execution, flow, world: [] })
    }`,
      },
    ],
  },
  {
    name: 'locks_not_taken',
    edits: [
      {
        file: 'runtime/src/engine/effect/locks.ts',
        function: 'takeLocks',
        before: 'return { guards, writes:',
        after: 'return { guards: [], writes: [] }; return { guards, writes:',
      },
    ],
  },
  {
    name: 'drift_not_checked',
    edits: [
      {
        file: 'runtime/src/engine/decide/dispatch-staged.ts',
        function: 'recheckDispatch',
        before: 'return checkDispatch(',
        after: 'return null; return checkDispatch(',
      },
      {
        file: 'runtime/src/engine/judge/judge-again.ts',
        function: 'recheckDispatch',
        before: 'return checkDispatch(',
        after: 'return null; return checkDispatch(',
      },
    ],
  },
  {
    name: 'expired_hold_dispatches',
    edits: [
      {
        file: 'runtime/src/engine/effect/locks.ts',
        function: 'buildHeldGuards',
        before: 'return resources.map(',
        after: 'return []; return resources.map(',
      },
    ],
  },
  {
    name: 'fenced_engine_dispatches',
    edits: [
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'buildDispatchGuards',
        before: "{ kind: 'engine_epoch', epoch: context.store.epoch },",
        after: '',
      },
    ],
  },
  {
    name: 'approval_never_ends',
    edits: [
      {
        file: 'runtime/src/engine/approve/release.ts',
        function: 'attachRelease',
        before: 'release: { approval, unit }',
        after:
          "release: { approval: { ...approval, valid_until: '2999-01-01T00:00:00.000Z' }, unit }",
      },
    ],
  },
  {
    name: 'modification_ignored',
    edits: [
      {
        file: 'runtime/src/engine/approve/decision-unit.ts',
        function: 'applyModification',
        before: 'return document',
        after: 'return proposal',
      },
    ],
  },
  {
    name: 'one_approval_is_enough',
    edits: [
      {
        file: 'runtime/src/engine/approve/decision-unit.ts',
        function: 'countMissingApprovals',
        before: 'Math.max(0, request.needs - approvals)',
        after: '0',
      },
    ],
  },
  {
    name: 'undone_in_order',
    edits: [
      {
        file: 'runtime/src/engine/compensate/continue.ts',
        function: 'advanceSaga',
        before: 'const [first] = plan.undo',
        after: 'const [first] = plan.undo.toReversed()',
      },
    ],
  },
  {
    name: 'undone_twice',
    edits: [
      {
        file: 'runtime/src/engine/compensate/undo.ts',
        function: 'buildUndoUnit',
        before: "{ kind: 'claim_absent', dfid, step_id: intent.step_id },",
        after: '',
      },
      {
        file: 'runtime/src/engine/saga/effects.ts',
        function: 'isUndone',
        before: "status === 'SUCCESS'",
        after: 'false',
      },
    ],
  },
  {
    name: 'dirty_agent_goes_on',
    edits: [
      {
        file: 'runtime/src/engine/rows/maintenance.ts',
        function: 'countDirty',
        before: 'id: toMaintenanceCounter(agent), by }',
        after: 'id: toMaintenanceCounter(agent), by: 0 }',
      },
    ],
  },
  {
    name: 'trip_stops_nobody',
    edits: [
      {
        file: 'runtime/src/engine/monitors/sweep.ts',
        function: '#record',
        before: 'this.#buildStoppingWrites(authority, found.trips)',
        after: 'this.#buildStoppingWrites(authority, [])',
      },
    ],
  },
]
