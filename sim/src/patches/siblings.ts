/** Whom a move of a class, or what is counted for it, reaches. */
import type { Patch } from './patch.ts'

export const SIBLINGS_PATCHES: readonly Patch[] = [
  {
    name: 'class-that-never-acted-goes-on',
    edits: [
      {
        file: 'kernel/src/contract/lifecycle-machine.ts',
        function: 'MOVES',
        before: "SUSPENDED: ['runtime', 'operator'],\n    RETIRED: ['operator'],",
        after: "SUSPENDED: ['operator'],\n    RETIRED: ['operator'],",
      },
    ],
  },
  {
    name: 'suspended-instances-never-end',
    edits: [
      {
        file: 'runtime/src/engine/end-instances.ts',
        function: 'endWhenOver',
        before: "const ends = before !== 'RETIRED' &&",
        after: "const ends = before === 'ACTIVE' &&",
      },
    ],
  },
  {
    name: 'runtime-retires-suspended-classes',
    edits: [
      {
        file: 'kernel/src/contract/lifecycle-machine.ts',
        function: 'mayMove',
        before: "const ends = kind === 'instance' &&",
        after: "const ends = kind !== 'nobody' &&",
      },
    ],
  },
  {
    name: 'last-to-ask-is-stopped',
    edits: [
      {
        file: 'runtime/src/engine/escalate/stop-agents.ts',
        function: 'budgetStop',
        before: 'stopMark(ofClass?.agent_id ?? agent_id,',
        after: 'stopMark(agent_id,',
      },
    ],
  },
  {
    name: 'smaller-number-of-an-instance-stops-its-class',
    edits: [
      {
        file: 'runtime/src/engine/escalate/stop-agents.ts',
        function: 'budgetStop',
        before: 'escalations_per_hour < perHour) return []',
        after: 'escalations_per_hour < -perHour) return []',
      },
    ],
  },
  {
    name: 'siblings-suspended-for-their-class',
    edits: [
      {
        file: 'runtime/src/engine/reject.ts',
        function: 'storeRejection',
        before: 'if (why !== null) await suspendAgent(context, agent_id,',
        after: 'if (why !== null) await suspendAgent(context, flow.agent_id,',
      },
    ],
  },
  {
    name: 'start-of-a-class-ends-sessions-of-instances',
    edits: [
      {
        file: 'runtime/src/engine/registry/lifecycle.ts',
        function: 'sessionsAfter',
        before: "const stops = to === 'SUSPENDED' || to === 'RETIRED'",
        after: "const stops = to !== 'INITIALIZING'",
      },
    ],
  },
]
