/** Who decides what was asked, and about what. */
import type { Patch } from './patch.ts'

export const ESCALATION_PATCHES: readonly Patch[] = [
  {
    name: 'pause-not-guarded',
    edits: [
      {
        file: 'runtime/src/engine/judge/pause.ts',
        function: 'buildPauseGuards',
        before: "return [{ kind: 'counter', id, by: 0, limit: counters[id] ?? 0 }]",
        after: 'return []',
      },
    ],
  },
  {
    name: 'review-pauses-nobody',
    edits: [
      {
        file: 'runtime/src/engine/judge/pause.ts',
        function: 'countBeginning',
        before: "after.state !== 'ESCALATED'",
        after: 'true',
      },
    ],
  },
  {
    name: 'questions-are-for-anybody',
    edits: [
      {
        file: 'runtime/src/engine/escalate/ask-flow.ts',
        function: 'askAboutFlow',
        before: '...getQuorum(contract)',
        after: '...{ ...getQuorum(contract), needs: 1, approvers: [] }',
      },
    ],
  },
  {
    name: 'one-sends-back',
    edits: [
      {
        file: 'runtime/src/engine/approve/decide.ts',
        function: 'chooseApprovalUnit',
        before: 'if (countMissingApprovals(body, say) > 0) return waitUnit',
        after:
          "if (countMissingApprovals(body, say) > 0 && body.request.kind === 'proposal') return waitUnit",
      },
    ],
  },
  {
    name: 'stopped-parents-decide',
    edits: [
      {
        file: 'runtime/src/engine/approve/decide.ts',
        function: 'prepare',
        before: 'if (stopped !== null)',
        after: 'if (stopped === undefined)',
      },
    ],
  },
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
        file: 'runtime/src/engine/approve/decision-unit.ts',
        function: 'countMissingApprovals',
        before: '{ request }: Escalation, { approvals }: Say): number {',
        after:
          "{ request }: Escalation, { approvals, body }: Say): number {\n  if (body.approver.startsWith('agent:')) return 0",
      },
    ],
  },
  {
    name: 'asked-one-level-only',
    findings: ['11b'],
    edits: [
      {
        file: 'runtime/src/engine/escalate/parent.ts',
        function: 'findAgentAbove',
        before:
          'return findAncestorAbove(asked, { authority, now, agent: request.agent_id, kind })',
        after: 'return undefined',
      },
      {
        file: 'kernel/src/escalation/ancestors.ts',
        function: 'findNearestAncestor',
        before: '[from, ...listAncestors(from, findParent)]',
        after: '[from]',
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
  {
    name: 'modification-judged-as-asked',
    findings: ['8a'],
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'checkJudgedBefore',
        before: "decision !== 'MODIFY' ||",
        after: "decision !== 'NEVER' ||",
      },
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'selectWeighed',
        before: "decision === 'MODIFY' && modification !== null ? modification.judged : request",
        after: 'request',
      },
      {
        file: 'runtime/src/engine/approve/decision-unit.ts',
        function: 'appendCounted',
        before: 'modification?.impact ?? request.impact',
        after: 'request.impact',
      },
      {
        file: 'kernel/src/compile/08-preconditions.ts',
        function: 'findRaisedImpact',
        before: "if (impact === 'LOW_IMPACT') return []",
        after: 'return []',
      },
    ],
  },
  {
    name: 'parent-makes-much-of-it',
    findings: ['8b'],
    edits: [
      {
        file: 'kernel/src/escalation/judge-decision.ts',
        function: 'checkQuorum',
        before: 'if (modification === null || isForAgents(modification.judged)) return null',
        after: 'return null',
      },
    ],
  },
  {
    name: 'ended-keys-make-keys-needless',
    test: {
      file: 'runtime/src/engine/approve/approver.test.ts',
      title:
        'when the last key for approving has ended, nobody decides until somebody has one again',
    },
    edits: [
      {
        file: 'runtime/src/engine/approve/approver.ts',
        function: 'isRegistered',
        before: '!hasKeys ||',
        after: '!hasKeys || inUse.length === 0 ||',
      },
    ],
  },
  {
    name: 'rows-read-all-that-was-written',
    test: {
      file: 'kernel/src/escalation/object.test.ts',
      title: 'of what an agent made long no more is looked at than a row shows',
    },
    edits: [
      {
        file: 'kernel/src/escalation/object.ts',
        function: 'quoteStart',
        before: 'takeStart(value, LONGEST + 1)',
        after: 'value',
      },
    ],
  },
]
