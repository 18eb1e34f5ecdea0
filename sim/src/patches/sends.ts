/** Mistakes about when an effect may still be sent. */
import type { Patch } from './patch.ts'

export const SENDS_PATCHES: readonly Patch[] = [
  {
    name: 'sleep-not-noticed',
    test: {
      file: 'runtime/src/engine/effect/shared-store.test.ts',
      title: 'a machine that slept does not repeat what others have sent for it meanwhile',
    },
    edits: [
      {
        file: 'runtime/src/engine/effect/effect.ts',
        function: 'isLate',
        before: ' || clock.now() >= end',
        after: '',
      },
    ],
  },
  {
    name: 'left-behind-not-looked-at',
    findings: ['19a'],
    edits: [
      {
        file: 'runtime/src/engine/effect/recover.ts',
        function: 'recover',
        before: 'row.epoch === store.epoch && !inFlight.isUnderWay(row)',
        after: 'row.epoch < 0 && !inFlight.isUnderWay(row)',
      },
    ],
  },
  {
    name: 'hands-without-world',
    findings: ['22a'],
    edits: [
      {
        file: 'runtime/src/engine/effect/effect.ts',
        function: 'createEffectIo',
        before: 'world.find((fact) => fact.kind === kind && fact.id === id)',
        after: 'world.find((fact) => fact.kind === id && fact.id === kind)',
      },
    ],
  },
  {
    name: 'suspension-in-a-second-unit',
    findings: ['22b'],
    edits: [
      {
        file: 'runtime/src/engine/judge/reject.ts',
        function: 'storeRejection',
        before: 'writes: [...writes, ...stop.writes],',
        after: 'writes,',
      },
      {
        file: 'runtime/src/engine/judge/reject.ts',
        function: 'storeRejection',
        before: `const last = \`last at \${traceId(outcome)}\``,
        after: `const last = \`last at \${traceId(outcome)}\`
  if (code === 'MISSION_DISSONANCE') await suspendAgent(context, flow.agent_id, code, last)`,
      },
    ],
  },
  {
    name: 'resend-not-judged',
    findings: ['18a'],
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
    name: 'approval-without-end',
    findings: ['18b'],
    edits: [
      {
        file: 'kernel/src/compile/03-window.ts',
        function: 'windowStage',
        before: 'return checkApproval(approval.valid_until, now)',
        after: 'return PASS',
      },
      {
        file: 'kernel/src/compile/10-emission.ts',
        function: 'dispatchDeadline',
        before: 'approval?.valid_until ?? proposal.valid_until',
        after: 'proposal.valid_until',
      },
    ],
  },
  {
    name: 'resend-in-maintenance',
    findings: ['18c'],
    edits: [
      {
        file: 'runtime/src/engine/judge/judge-again.ts',
        function: 'loadHeld',
        before: 'toMaintenanceCounter(flow.agent_id),',
        after: '',
      },
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'buildDispatchGuards',
        before: 'guards.push(buildMaintenanceGuard(view.flow.agent_id))',
        after: 'guards.push()',
      },
    ],
  },
]

/** Those of which the storm's auditor sees what comes of them. */
export const SENDS_IN_STORM: readonly string[] = [
  'left-behind-not-looked-at',
  'resend-in-maintenance',
]
