/** Mistakes of engine and server under which tricks of the hostile agent succeed, and that no finding has. */
import type { Patch } from './patch.ts'

export const HOSTILE_DOOR_PATCHES: readonly Patch[] = [
  {
    name: 'dead-session-tells-why',
    edits: [
      {
        file: 'server/src/http/gate/authenticate.ts',
        function: 'authenticateAgent',
        before: 'toProblemReply(redactFailure(read.error))',
        after: 'toProblemReply(read.error)',
      },
    ],
  },
  {
    name: 'proofs-under-way-not-counted',
    edits: [
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#chargePrincipal',
        before: 'if (bucket.isEmpty(name, this.#underProof.count(key)))',
        after: 'if (bucket.isEmpty(name))',
      },
      {
        file: 'server/src/http/gate/gate.ts',
        function: '#isSpent',
        before: 'const entered = this.#entered.count(key)',
        after: 'const entered = 0 * this.#entered.count(key)',
      },
    ],
  },
  {
    name: 'agents-erase',
    edits: [
      {
        file: 'server/src/http/routes/erasures.ts',
        function: 'createErasureRoutes',
        before: "permanently',\n      roles: ['operator'],",
        after: "permanently',\n      roles: ['operator', 'agent'],",
      },
    ],
  },
  {
    name: 'open-flows-erased',
    edits: [
      {
        file: 'runtime/src/engine/erase/refusal.ts',
        function: 'describeUnfinished',
        before: 'if (!hasEnded(flow))',
        after: 'if (!hasEnded(flow) && flow.version < 0)',
      },
    ],
  },
  {
    name: 'claims-not-held',
    edits: [
      {
        file: 'kernel/src/compile/00-repeat.ts',
        function: 'run',
        before: 'if (claim !== null) {',
        after: 'if (claim !== null && claim.status === undefined) {',
      },
      {
        file: 'runtime/src/engine/effect/dispatch.ts',
        function: 'buildIntentUnit',
        before: "{ kind: 'claim_absent', dfid, step_id: intent.step_id },",
        after: '',
      },
    ],
  },
  {
    name: 'ended-flow-acts',
    edits: [
      {
        file: 'kernel/src/compile/00-repeat.ts',
        function: 'run',
        before: 'if (!isOpen)',
        after: 'if (!isOpen && facts === null)',
      },
      {
        file: 'runtime/src/engine/rows/flow-row.ts',
        function: 'moveFlow',
        before: 'isPath(flow.state, path)',
        after: 'path.length > 0 || isPath(flow.state, path)',
      },
    ],
  },
  {
    name: 'flow-of-anybody',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/in-session.ts',
        function: 'loadFlowSession',
        before: 'if (flow === null || flow.agent_id === speaker) return read',
        after:
          'if (flow !== undefined) return ok({ ...read.value, agent_id: flow?.agent_id ?? speaker, key_id: null })',
      },
    ],
  },
  {
    name: 'session-of-anybody',
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/in-session.ts',
        function: 'performForAgent',
        before:
          'return read.value.agent_id === agent ? work() : err(buildForeignSessionFailure(agent))',
        after: 'return work()',
      },
    ],
  },
  {
    name: 'agents-move-anybody',
    edits: [
      {
        file: 'server/src/http/routes/agent.ts',
        function: 'move',
        before: "if (principal.kind === 'agent' && principal.agent_id !== agent_id)",
        after: "if (principal.kind === 'agent' && agent_id === '')",
      },
    ],
  },
  {
    name: 'flows-read-by-anybody',
    edits: [
      {
        file: 'server/src/http/lookups/flows.ts',
        function: 'getFlow',
        before: 'if (own !== null && own !== flow.agent_id) return refuseForeignFlow(flow)',
        after: '',
      },
    ],
  },
  {
    name: 'flows-listed-for-anybody',
    edits: [
      {
        file: 'server/src/http/lookups/flow-list.ts',
        function: 'parseFlowFilter',
        before: 'const whose = own ?? agent',
        after: 'const whose = agent ?? own',
      },
    ],
  },
  {
    name: 'replies-shared',
    edits: [
      {
        file: 'server/src/people/principal.ts',
        function: 'getPrincipalName',
        before: 'formatAgentName(principal.agent_id)',
        after: "formatAgentName('')",
      },
    ],
  },
  {
    name: 'agents-open-in-unknown-trajectories',
    edits: [
      {
        file: 'runtime/src/engine/flow/opening-place.ts',
        function: 'resolveOpeningPlace',
        before: 'if (!isFlowTrajectory(trajectory)) return',
        after: "if (trajectory === '') return",
      },
      {
        file: 'runtime/src/engine/flow/opening-place.ts',
        function: 'resolveOpeningPlace',
        before: '!(await hasTrajectory(store, trajectory))',
        after: "trajectory === ''",
      },
      {
        file: 'runtime/src/engine/flow/opening-place.ts',
        function: 'resolveOpeningPlace',
        before: "by.kind !== 'runtime' && trajectory !== usual",
        after: "trajectory === ''",
      },
    ],
  },
  {
    name: 'kernel-paths-open',
    edits: [
      {
        file: 'kernel/src/fact/owner.ts',
        function: 'findOwner',
        before: 'KERNEL.some((space) => isUnder(space, path))',
        after: "path === ''",
      },
      {
        file: 'runtime/src/engine/observe/speaker.ts',
        function: 'resolveVoice',
        before: 'return resolveAgentVoice(one, owner, speaker.agent_id)',
        after: 'return buildOperatorVoice(owner, speaker.agent_id)',
      },
    ],
  },
  {
    name: 'texts-cut-through-a-pair',
    edits: [
      {
        file: 'kernel/src/canonical/shorten.ts',
        function: 'shorten',
        before: 'text.slice(0, most).toWellFormed()',
        after: 'text.toWellFormed().slice(0, most)',
      },
    ],
  },
  {
    name: 'held-capabilities-decide',
    edits: [
      {
        file: 'kernel/src/compile/rules-in-force.ts',
        function: 'findRulesRefusal',
        before: 'capability !== null && !in_force.capability.includes(capability.hash)',
        after: 'false',
      },
      {
        file: 'runtime/src/engine/decide/propose.ts',
        function: 'findUnruledRefusal',
        before: 'if (isEarlier ||',
        after: 'if (true ||',
      },
    ],
  },
]
