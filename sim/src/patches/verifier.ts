/** Checks that the verifier does not make: what it would then believe of a forged ledger. */
import type { Patch } from './patch.ts'

export const VERIFIER_PATCHES: readonly Patch[] = [
  {
    name: 'any-agent-decides',
    edits: [
      {
        file: 'verifier/src/approvals/agent-decision.ts',
        function: 'findAgentDecisionProblems',
        before: 'if (!people.isAbove(agent, agent_id))',
        after: "if (agent === '')",
      },
    ],
  },
  {
    name: 'bundle-of-nothing-believed',
    edits: [
      {
        file: 'verifier/src/bundle/verify-omissions.ts',
        function: 'findUnopenedFlows',
        before: '!opened.has(flow)',
        after: 'opened.size < 0',
      },
    ],
  },
  {
    name: 'authority-left-out-unseen',
    edits: [
      {
        file: 'verifier/src/bundle/verify-omissions.ts',
        function: 'findAuthorityGaps',
        before: 'if (seq > next)',
        after: 'if (seq < 0)',
      },
      {
        file: 'verifier/src/bundle/verify-omissions.ts',
        function: 'findAuthorityGaps',
        before: 'authority_seq >= next',
        after: 'authority_seq < -1',
      },
    ],
  },
  {
    name: 'outcome-left-out-unseen',
    edits: [
      {
        file: 'verifier/src/bundle/verify-omissions.ts',
        function: 'countUnsettled',
        before: 'return open.size',
        after: 'return 0',
      },
    ],
  },
  {
    name: 'deployer-believed',
    edits: [
      {
        file: 'verifier/src/approvals/approving-person.ts',
        function: 'isAnswering',
        before: 'listAnsweringPersons(persons).map(',
        after: '[persons.owner].map(',
      },
    ],
  },
  {
    name: 'missing-payloads-believed',
    findings: ['15a'],
    edits: [
      {
        file: 'verifier/src/ledger/erasures.ts',
        function: 'createErasures',
        before: 'one.named === null)',
        after: 'one.named === null && one.entry.payloadText !== null)',
      },
    ],
  },
  {
    name: 'outcomes-without-dispatch-believed',
    findings: ['15b'],
    edits: [
      {
        file: 'verifier/src/authority/intents.ts',
        function: 'findOutcomeProblems',
        before: 'isSent ?',
        after: 'isSent || state.erasedDispatches > 0 ?',
      },
    ],
  },
  {
    name: 'unknown-writs-believed',
    findings: ['15c'],
    edits: [
      {
        file: 'verifier/src/authority/writs.ts',
        function: 'createWrits',
        before: "const named = erased.get(dfid ?? '')",
        after: 'const named = erased.size > 0 ? id : undefined',
      },
    ],
  },
  {
    name: 'erased-leaves-unfolded',
    findings: ['15d'],
    edits: [
      {
        file: 'verifier/src/history/verify-world.ts',
        function: 'applyErasure',
        before: 'if (leaves === undefined) {',
        after: 'if (leaves !== null) {',
      },
    ],
  },
  {
    name: 'settled-effect-undone-unseen',
    edits: [
      {
        file: 'verifier/src/compensations/verify-compensations.ts',
        function: 'findSettledProblems',
        before: 'settled.has(of)',
        after: 'settled.size < 0',
      },
    ],
  },
  {
    name: 'approvals-of-anything-added-up',
    edits: [
      {
        file: 'verifier/src/approvals/verify-approvals.ts',
        function: 'findDivergenceProblems',
        before: 'known.said === said',
        after: 'known.said !== null',
      },
    ],
  },
  {
    name: 'stopped-agents-believed',
    edits: [
      {
        file: 'verifier/src/authority/openings.ts',
        function: 'findInactiveProblems',
        before: 'whole || isStopped(status)',
        after: 'false',
      },
    ],
  },
  {
    name: 'any-version-believed',
    edits: [
      {
        file: 'verifier/src/authority/openings.ts',
        function: 'foldOpening',
        before: 'pinned?.hash === contract.hash',
        after: 'contract.hash.length > 0',
      },
    ],
  },
  {
    name: 'foreign-instances-believed',
    edits: [
      {
        file: 'verifier/src/authority/openings.ts',
        function: 'spawnProblems',
        before: '!hasAncestorOrSelf(ofClass, spawner, findParentAgent)',
        after: 'false',
      },
    ],
  },
  {
    name: 'unasked-instances-believed',
    edits: [
      {
        file: 'verifier/src/authority/openings.ts',
        function: 'spawnProblems',
        before: '!isAsked(state, spawnAsked(occasion, ofClass, contract.agent_id))',
        after: 'false',
      },
    ],
  },
  {
    name: 'accepted-without-standing',
    edits: [
      {
        file: 'verifier/src/authority/intents.ts',
        function: 'foldAccepted',
        before: 'state.whole ? [',
        after: '!state.whole ? [',
      },
    ],
  },
  {
    name: 'flow-changes-its-contract',
    edits: [
      {
        file: 'verifier/src/authority/standing.ts',
        function: 'findStandingProblems',
        before: 'flow.contract !== contract',
        after: 'false',
      },
    ],
  },
  {
    name: 'store-is-trusted-unsigned',
    edits: [
      {
        file: 'verifier/src/ledger/covered.ts',
        function: 'findUncoveredProblems',
        before: 'if (problem === undefined) return []',
        after: "if (problem !== '') return []",
      },
    ],
  },
  {
    name: 'any-erased-flow-excuses-from-the-law',
    edits: [
      {
        file: 'runtime/src/evidence/law/judge-law.ts',
        function: '#isOnErasedWrit',
        before: 'if (index > 0) return writs[index - 1]?.body.parent === missing.id',
        after: 'if (index > 0) return true',
      },
    ],
  },
  {
    name: 'verifier-forgets-behind-the-end-of-its-table',
    edits: [
      {
        file: 'verifier/src/compact-records/record-index.ts',
        function: 'grow',
        before: 'before.indexOf(0)',
        after: 'before.length - 1',
      },
      {
        file: 'verifier/src/compact-records/record-index.ts',
        function: 'grow',
        before: "assert(step < FARTHEST, 'what is remembered is found again')",
        after: '',
      },
    ],
  },
  {
    name: 'verifier-forgets-texts-with-a-mark',
    edits: [
      {
        file: 'verifier/src/compact-records/record.ts',
        function: 'decoder',
        before: 'ignoreBOM: true',
        after: 'ignoreBOM: false',
      },
    ],
  },
  {
    name: 'raw-text-written-as-it-is',
    edits: [
      {
        file: 'kernel/src/canonical/write-json.ts',
        function: 'isInOrder',
        before: " || 'rawJSON' in value",
        after: '',
      },
    ],
  },
  {
    name: 'openings-of-any-shape',
    edits: [
      {
        file: 'kernel/src/proof/payload-shape.ts',
        function: 'opened',
        before: '  contract: createOpenShape({ hash: address }),',
        after: '',
      },
    ],
  },
  {
    name: 'outcomes-of-any-name',
    edits: [
      {
        file: 'kernel/src/proof/payload-shape.ts',
        function: 'SHAPES',
        before: 'status: createEnumShape(EXECUTION_STATUSES)',
        after: 'status: text',
      },
    ],
  },
  {
    name: 'modifications-of-any-shape',
    edits: [
      {
        file: 'kernel/src/proof/escalation-shape.ts',
        function: 'decided',
        before: 'modified: createExactShape({ params: object }, { execution_constraints: object })',
        after: 'modified: object',
      },
    ],
  },
]
