/** Whom a move of a class, or what is counted for it, reaches. */
import type { Patch } from './patch.ts'

export const SIBLINGS_PATCHES: readonly Patch[] = [
  {
    name: 'narrowing-stops-the-class',
    edits: [
      {
        file: 'runtime/src/engine/authority/narrowing.ts',
        function: 'findNarrowedClass',
        before: 'return bySelf ? undefined : ofClass',
        after: 'return bySelf ? ofClass && undefined : undefined',
      },
    ],
  },
  {
    name: 'every-narrowing-excuses-the-class',
    edits: [
      {
        file: 'runtime/src/engine/authority/narrowing.ts',
        function: 'isNarrowing',
        before: "return wider === 'staged' ||",
        after: "return wider !== 'repeated' ||",
      },
    ],
  },
  {
    name: 'own-narrowing-excuses-the-class',
    edits: [
      {
        file: 'runtime/src/engine/authority/narrowing.ts',
        function: 'findNarrowedClass',
        before: 'return bySelf ? undefined : ofClass',
        after: 'return bySelf ? ofClass : ofClass',
      },
    ],
  },
  {
    name: 'narrow-writ-blames-the-class',
    edits: [
      {
        file: 'kernel/src/compile/unnarrowed.ts',
        function: 'removeNarrowing',
        before: 'if (leaf === undefined || body === null)',
        after: 'if (leaf !== undefined || body === null)',
      },
    ],
  },
  {
    name: 'what-was-delegated-goes-on',
    edits: [
      {
        file: 'runtime/src/engine/authority/delegation.ts',
        function: 'findStoppedDelegation',
        before: 'if (writ !== undefined) return { writ, status: stop }',
        after: '',
      },
      {
        file: 'runtime/src/engine/authority/writ-cache.ts',
        function: 'buildWritFact',
        before: "findAgentStatus(authority, body.subject) === 'RETIRED'",
        after: 'false',
      },
    ],
  },
  {
    name: 'opened-below-what-a-stopped-agent-delegated',
    edits: [
      {
        file: 'runtime/src/engine/flow/prepare-opening.ts',
        function: 'checkStoppedAbove',
        before: 'flow.writs.slice(1)',
        after: 'flow.writs.slice(flow.writs.length)',
      },
    ],
  },
  {
    name: 'whoever-is-held-up-is-to-blame',
    edits: [
      {
        file: 'runtime/src/engine/judge/reject.ts',
        function: 'NOBODYS_FAULT',
        before: "'AGENT_SUSPENDED',",
        after: '',
      },
    ],
  },
  {
    name: 'verifier-passes-over-who-delegated',
    edits: [
      {
        file: 'verifier/src/authority/delegation.ts',
        function: 'findStoppedDelegation',
        before: 'return status === undefined ?',
        after: 'return status !== null ?',
      },
    ],
  },
  {
    name: 'instances-go-on-while-their-class-pauses',
    edits: [
      {
        file: 'runtime/src/engine/rows/waiting-flows.ts',
        function: 'countWaitingFlows',
        before: 'getCountOwner(first.contract) === counted',
        after: 'first.contract.agent_id === (most === 1 ? contract.agent_id : counted)',
      },
    ],
  },
  {
    name: 'instances-begin-to-wait-uncounted',
    edits: [
      {
        file: 'runtime/src/engine/judge/pause.ts',
        function: 'toWaitingCounter',
        before: 'findAgentClass(authority, agent) ?? agent',
        after: 'authority && agent',
      },
    ],
  },
  {
    name: 'dissonant-class-goes-on',
    edits: [
      {
        file: 'runtime/src/engine/judge/reject.ts',
        function: 'findDissonantClass',
        before: 'return isOfClass ? undefined : ofClass.agent_id',
        after: 'return isOfClass ? undefined : deployed?.contract.agent_id',
      },
    ],
  },
  {
    name: 'mission-of-a-class-stops-it',
    edits: [
      {
        file: 'runtime/src/engine/judge/reject.ts',
        function: 'findDissonantClass',
        before: 'return isOfClass ? undefined : ofClass.agent_id',
        after: 'return isOfClass ? ofClass.agent_id : ofClass.agent_id',
      },
    ],
  },
  {
    name: 'instances-watched-by-themselves',
    edits: [
      {
        file: 'runtime/src/engine/monitors/sampler.ts',
        function: 'findStreams',
        before: 'return [findAgentClass(authority, intent.agent_id), intent.agent_id].flatMap(',
        after: 'return [authority && intent.agent_id].flatMap(',
      },
    ],
  },
  {
    name: 'monitors-wait-for-a-class-to-act',
    edits: [
      {
        file: 'runtime/src/engine/monitors/sweep.ts',
        function: 'isStoppedBy',
        before: "if (status === 'SUSPENDED' || status === 'RETIRED') return true",
        after: "if (status !== 'ACTIVE') return true",
      },
    ],
  },
  {
    name: 'instances-stopped-for-what-stopped-their-class',
    edits: [
      {
        file: 'runtime/src/engine/monitors/sweep.ts',
        function: 'isStoppedBy',
        before:
          'return stopped.has(agent) || stopped.has(findAgentClass(authority, agent) ?? agent)',
        after: 'return stopped.has(agent)',
      },
    ],
  },
  {
    name: 'lift-of-a-class-leaves-its-instances-watched',
    edits: [
      {
        file: 'runtime/src/engine/monitors/windows.ts',
        function: '#findWindowStart',
        before: 'const names = [agent_id, findAgentClass(authority, agent_id) ?? agent_id]',
        after: 'const names = [agent_id]',
      },
    ],
  },
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
        file: 'runtime/src/engine/close/end-instances.ts',
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
        function: 'buildBudgetStop',
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
        function: 'buildBudgetStop',
        before: 'escalations_per_hour < perHour) return []',
        after: 'escalations_per_hour < -perHour) return []',
      },
    ],
  },
  {
    name: 'siblings-suspended-for-their-class',
    edits: [
      {
        file: 'runtime/src/engine/judge/reject.ts',
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
        file: 'runtime/src/engine/authority/registry/lifecycle.ts',
        function: 'endSessionsAfter',
        before: "const stops = to === 'SUSPENDED' || to === 'RETIRED'",
        after: "const stops = to !== 'INITIALIZING'",
      },
    ],
  },
]
