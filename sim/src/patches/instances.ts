/** What brings the mistakes of findings 25 and 28 back. */
import type { Edit, Patch } from './patch.ts'

/** The second look, at the contract as it would be signed. */
const NOT_ASKED_AGAIN: Edit = {
  file: 'runtime/src/engine/authority/registry/instances.ts',
  function: 'isOutliving',
  before: 'return effective_until === undefined || effective_until > ends_at',
  after: 'return effective_until === ends_at && effective_until === undefined',
}

export const INSTANCES_PATCHES: readonly Patch[] = [
  {
    name: 'stopped-agents-spawn',
    edits: [
      {
        file: 'runtime/src/engine/reserved-kinds/spawn-instance.ts',
        function: 'checkSpawnHierarchy',
        before: 'if (stopped !== null) return stopped',
        after: '',
      },
    ],
    test: {
      file: 'runtime/src/engine/judge/overtaken.test.ts',
      title:
        'nor where the dispatch was durable before: the step is refused when it is carried out',
    },
  },
  {
    name: 'instance-outlives-its-hierarchy',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/append-authority.ts',
        function: 'buildAuthorityUnit',
        before: 'before === undefined ?',
        after: 'before !== null ?',
      },
    ],
  },
  {
    name: 'absent-mission-is-dissonance',
    findings: ['25a'],
    edits: [
      {
        file: 'kernel/src/proposal/complete-proposal.ts',
        function: 'listMissingMembers',
        before: 'document[name] === undefined)',
        after: "document[name] === undefined && name !== 'mission_context_hash')",
      },
      {
        file: 'kernel/src/compile/08-preconditions.ts',
        function: 'checkContextIdentity',
        before: 'if (missing.length > 0)',
        after: "if (missing.includes('context_ref'))",
      },
      {
        file: 'kernel/src/compile/08-preconditions.ts',
        function: 'checkMission',
        before: 'said === undefined || said === wanted',
        after: 'said === wanted',
      },
    ],
  },
  {
    name: 'absent-context-is-stale',
    findings: ['25b'],
    edits: [
      {
        file: 'kernel/src/proposal/complete-proposal.ts',
        function: 'listMissingMembers',
        before: 'document[name] === undefined)',
        after: "document[name] === undefined && name !== 'context_ref')",
      },
    ],
  },
  {
    name: 'signed-proposals-are-completed',
    findings: ['25b'],
    edits: [
      {
        file: 'kernel/src/proposal/complete-proposal.ts',
        function: 'listMissingMembers',
        before: '|| document.signature !== undefined',
        after: '',
      },
    ],
  },
  {
    name: 'silence-of-open-flows-only',
    findings: ['28b'],
    edits: [
      {
        file: 'runtime/src/engine/close/watchdog.ts',
        function: 'escalateSilent',
        before: '+ (await watchAgents(context))',
        after: '',
      },
    ],
  },
  {
    name: 'instances-of-anybody',
    findings: ['28a'],
    edits: [
      {
        file: 'runtime/src/engine/reserved-kinds/spawn-instance.ts',
        function: 'checkSpawnHierarchy',
        before: '!hasAncestorOrSelf(ofClass, spawner, findParent)',
        after: 'ofClass === "" && !hasAncestorOrSelf(ofClass, spawner, findParent)',
      },
    ],
  },
  {
    name: 'instance-contract-outlives-its-occasion',
    findings: ['28a'],
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/instances.ts',
        function: 'limitNarrowing',
        before: 'return { ...narrowing, effective_until: formatInstant(ends) }',
        after: 'return ends < 0 ? { effective_until: formatInstant(ends) } : narrowing',
      },
      NOT_ASKED_AGAIN,
    ],
  },
  {
    name: 'narrowing-removes-the-end',
    findings: ['28a'],
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/instances.ts',
        function: 'limitNarrowing',
        before: 'const asked = narrowing.effective_until ?? ofClass.effective_until',
        after: 'const { effective_until: asked = ofClass.effective_until } = narrowing',
      },
      NOT_ASKED_AGAIN,
    ],
  },
  {
    name: 'instances-outlive-their-class',
    findings: ['28a'],
    edits: [
      {
        file: 'kernel/src/ledger/agent-status.ts',
        function: 'findAgentStatus',
        before: 'statuses.get(findAgentClass(authority, agentId) ?? agentId)',
        after: 'own',
      },
    ],
  },
  {
    name: 'class-of-an-instance-not-looked-at',
    findings: ['28a'],
    edits: [
      {
        file: 'verifier/src/authority/standing.ts',
        function: 'findStandingProblems',
        before: "if (ofClass === 'SUSPENDED' || ofClass === 'RETIRED')",
        after: "if (ofClass === 'INITIALIZING')",
      },
    ],
  },
  {
    name: 'instances-count-for-themselves',
    findings: ['28a'],
    edits: [
      {
        file: 'kernel/src/contract/counted-as.ts',
        function: 'getCountOwner',
        before: 'return instance_of ?? agent_id',
        after: "return instance_of === '' ? instance_of : agent_id",
      },
    ],
  },
  {
    name: 'instances-spawned-without-rate',
    findings: ['28a'],
    edits: [
      {
        file: 'runtime/src/engine/reserved-kinds/spawn-instance.ts',
        function: 'checkSpawnRate',
        before: 'if (spawned < LIMITS.instancesPerHour) return null',
        after: 'if (spawned >= 0) return null',
      },
    ],
  },
  {
    name: 'instance-contracts-of-any-size',
    findings: ['28a'],
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/instances.ts',
        function: 'narrowContract',
        before: '> LIMITS.instanceContractBytes)',
        after: '> LIMITS.instanceContractBytes * 1000)',
      },
    ],
  },
  {
    name: 'instances-of-others-taken-for-own',
    findings: ['28a'],
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/instances.ts',
        function: 'decideSpawn',
        before: 'request.occasion === undefined && known',
        after: 'known',
      },
    ],
  },
  {
    name: 'stopped-agents-open-flows',
    findings: ['28a'],
    edits: [
      {
        file: 'runtime/src/engine/flow/prepare-opening.ts',
        function: 'prepareOpening',
        before: 'if (stopped !== null) return err(stopped)',
        after: '',
      },
    ],
  },
  {
    name: 'limits-reach-reserved-kinds-unnamed',
    findings: ['28a'],
    edits: [
      {
        file: 'kernel/src/contract/limit-widening.ts',
        function: 'isApplicableToAll',
        before: 'return kinds.every(',
        after: 'return applies_to === undefined || kinds.every(',
      },
    ],
  },
  {
    name: 'instance-deployed-like-any-agent',
    test: {
      file: 'verifier/src/authority/instance-limits.test.ts',
      title: 'AUTHORITY_ORDER: an instance is deployed, so that nothing holds it inside its class',
    },
    edits: [
      {
        file: 'verifier/src/authority/contracts.ts',
        function: 'createContracts',
        before: 'const found = isInstance ?',
        after: 'const found = isInstance && hash === null ?',
      },
    ],
  },
  {
    name: 'instance-for-a-month',
    test: {
      file: 'verifier/src/authority/instance-limits.test.ts',
      title: 'AUTHORITY_ORDER: an instance that an agent spawned lives for more than a week',
    },
    edits: [
      {
        file: 'verifier/src/authority/openings.ts',
        function: 'spawnProblems',
        before: '> LIMITS.instanceMs',
        after: '> 5 * LIMITS.instanceMs',
      },
    ],
  },
]
