/** Mistakes of the kernel under which tricks of the hostile agent succeed, and that no finding has. */
import type { Patch } from './patch.ts'

export const HOSTILE_LAW_PATCHES: readonly Patch[] = [
  {
    name: 'limit-not-checked',
    edits: [
      {
        file: 'kernel/src/contract/limit-check.ts',
        function: 'checkRange',
        before: 'if (!below && !above) return null',
        after: "if ((!below && !above) || name === 'order_value') return null",
      },
    ],
  },
  {
    name: 'arguments-not-validated',
    edits: [
      {
        file: 'kernel/src/compile/07-arguments.ts',
        function: 'findArgumentProblems',
        before: 'return law.validate(params)',
        after: 'return []',
      },
    ],
  },
  {
    name: 'kinds-not-checked',
    edits: [
      {
        file: 'kernel/src/compile/04-scope.ts',
        function: 'checkKind',
        before: "if (result.said !== 'pass') return result",
        after: "if (result.said !== 'pass') return PASS",
      },
    ],
  },
  {
    name: 'context-not-checked',
    edits: [
      {
        file: 'kernel/src/compile/08-preconditions.ts',
        function: 'preconditionsStage',
        before: 'refusals.push(...checkContextIdentity(input))',
        after: 'void checkContextIdentity',
      },
    ],
  },
  {
    name: 'deadline-not-checked',
    edits: [
      {
        file: 'kernel/src/compile/03-window.ts',
        function: 'checkDeadline',
        before: 'if (now >= until) return',
        after: 'if (now >= until + 1e9) return',
      },
      {
        file: 'kernel/src/compile/10-emission.ts',
        function: 'dispatchDeadline',
        before: 'proposal.valid_until ?? expires_at',
        after: 'expires_at',
      },
    ],
  },
  {
    name: 'mission-not-checked',
    edits: [
      {
        file: 'kernel/src/compile/08-preconditions.ts',
        function: 'checkMission',
        before: 'if (said === undefined || said === wanted) return []',
        after: "if (said !== '') return []",
      },
    ],
  },
  {
    name: 'writ-window-not-checked',
    edits: [
      {
        file: 'kernel/src/compile/03-window.ts',
        function: 'checkWindow',
        before: 'if (until === undefined || now >= until) return',
        after: 'if (until === undefined) return',
      },
      {
        file: 'kernel/src/compile/10-emission.ts',
        function: 'dispatchDeadline',
        before: 'const ends = [expires_at, wanted, ...words].map(toEpochMs)',
        after: 'const ends = [proposal.valid_until ?? now].map(toEpochMs).map((end) => end + 1e6)',
      },
    ],
  },
  {
    name: 'revocations-not-checked',
    edits: [
      {
        file: 'kernel/src/compile/04-scope.ts',
        function: 'checkRevocations',
        before:
          "if (facts.contract === null || facts.contract.revoked) return refuse('CONTRACT_REVOKED')",
        after: '',
      },
    ],
  },
  {
    name: 'writ-of-anybody',
    edits: [
      {
        file: 'kernel/src/compile/04-scope.ts',
        function: 'checkChain',
        before: 'if (index === 0 && body.subject !== proposal.agent_id)',
        after: 'if (index < 0)',
      },
    ],
  },
  {
    name: 'sink-takes-any-label',
    edits: [
      {
        file: 'kernel/src/compile/input.ts',
        function: 'isReadable',
        before: 'return isAccepted(',
        after: 'return true || isAccepted(',
      },
      {
        file: 'kernel/src/compile/07-arguments.ts',
        function: 'checkSink',
        before: 'return labels.includes(fact.label) ? PASS',
        after: 'return labels.length > 0 ? PASS',
      },
    ],
  },
  {
    name: 'resources-not-checked',
    edits: [
      {
        file: 'kernel/src/contract/resource-scope.ts',
        function: 'selectOutside',
        before: 'return values.filter(',
        after: 'return values.slice(0, 0).filter(',
      },
    ],
  },
  {
    name: 'sink-not-grounded',
    edits: [
      {
        file: 'kernel/src/compile/07-arguments.ts',
        function: 'checkSinks',
        before: "if (result.said !== 'pass') return result",
        after: "if (result.said === 'repeat') return result",
      },
    ],
  },
  {
    name: 'unanswered-sets-ignored',
    edits: [
      {
        file: 'kernel/src/contract/unanswered.ts',
        function: 'findUnansweredRules',
        before: 'const sets = Object.keys(selectResources(contract, policyKind))',
        after: 'const sets: string[] = []',
      },
      {
        file: 'kernel/src/contract/resource-scope.ts',
        function: 'findScopeRefusals',
        before: "if (isMeant && touches !== 'none')",
        after: 'if (isMeant && sets === undefined)',
      },
    ],
  },
  {
    name: 'anybody-decides',
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'mayDecide',
        before:
          'if (findChannelAgent(channel) === by.agent_id && mayAskAgents(request)) return null',
        after: "if (by.agent_id !== '') return null",
      },
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'checkQuorum',
        before: 'if (by.refusal !== null) {',
        after: 'if (by.refusal === undefined) {',
      },
    ],
  },
  {
    name: 'state-shown-to-anybody',
    edits: [
      {
        file: 'kernel/src/context/select.ts',
        function: 'isNameReadable',
        before: 'reads.length === 0 ||',
        after: 'reads.length >= 0 ||',
      },
    ],
  },
]
