/** Who decides what was asked, and about what. */
import type { Patch } from './patch.ts'

export const ESCALATION_PATCHES: readonly Patch[] = [
  {
    name: 'agent-replaces-approvers',
    findings: ['8c'],
    edits: [
      {
        file: 'kernel/src/escalation/request.ts',
        function: 'mayAskAgents',
        before: 'request.needs === 1 && request.approvers.length === 0 &&',
        after: '',
      },
      {
        file: 'runtime/src/engine/escalate/decision-unit.ts',
        function: 'approveUnit',
        before: 'Math.max(0, request.needs - counted.length)',
        after: "approver.startsWith('agent:') ? 0 : Math.max(0, request.needs - counted.length)",
      },
    ],
  },
  {
    name: 'unrated-is-kept-from-agents',
    findings: ['11a'],
    edits: [
      {
        file: 'kernel/src/escalation/impact.ts',
        function: 'isForAgents',
        before: 'reason === IRREVERSIBLE',
        after: "reason === ''",
      },
    ],
  },
]
