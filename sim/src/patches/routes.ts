/** Mistakes about what agents and operators can do over HTTP. */
import type { Patch } from './patch.ts'

export const ROUTES_PATCHES: readonly Patch[] = [
  {
    name: 'flows-not-closed-over-http',
    findings: ['27a'],
    edits: [
      {
        file: 'server/src/http/routes/flow-account.ts',
        function: 'createFlowUsageRoutes',
        before: 'const ended = await engine.close(dfid, pickSession(principal))',
        after: "const ended = await engine.cancel(dfid, 'done', pickSession(principal))",
      },
    ],
  },
  {
    name: 'flows-closed-by-anybody',
    findings: ['27a'],
    edits: [
      {
        file: 'server/src/http/routes/flow-account.ts',
        function: 'createFlowUsageRoutes',
        before: 'const ended = await engine.close(dfid, pickSession(principal))',
        after: 'const ended = await engine.close(dfid)',
      },
    ],
  },
  {
    name: 'notes-read-by-anybody',
    findings: ['27b'],
    edits: [
      {
        file: 'server/src/http/routes/flow-account.ts',
        function: 'createFlowReadingRoutes',
        before: 'const options = { ...pickSession(principal), ...range }',
        after: 'const options = { ...range }',
      },
    ],
  },
  {
    name: 'agent-state-of-anybody',
    findings: ['27b'],
    edits: [
      {
        file: 'server/src/http/agent-auth/own-agent.ts',
        function: 'refuseOtherAgent',
        before: "if (principal.kind !== 'agent' || principal.agent_id === agent_id) return null",
        after: "if (principal.kind !== 'stranger') return null",
      },
    ],
  },
  {
    name: 'documents-found-by-all',
    findings: ['27b'],
    edits: [
      {
        file: 'runtime/src/engine/observe/context-store.ts',
        function: 'putDocument',
        before: "putArtifact(this.#context, document, 'agent', place)",
        after: "putArtifact(this.#context, document, 'agent')",
      },
    ],
  },
  {
    name: 'documents-of-an-agent-not-counted',
    findings: ['27b'],
    edits: [
      {
        file: 'runtime/src/engine/context/artifacts.ts',
        function: 'isFull',
        before: 'length === limit',
        after: 'length > limit',
      },
    ],
  },
  {
    name: 'timer-names-shared',
    findings: ['27c'],
    edits: [
      {
        file: 'runtime/src/engine/flow/timers.ts',
        function: 'toOwnName',
        before: 'agent}/',
        after: "name === '' ? agent : ''}",
      },
    ],
  },
  {
    name: 'timers-of-an-agent-not-counted',
    findings: ['27c'],
    edits: [
      {
        file: 'runtime/src/engine/flow/timers.ts',
        function: 'schedule',
        before: '>= LIMITS.timersPerAgent',
        after: '> LIMITS.timersPerAgent',
      },
    ],
  },
  {
    name: 'own-approver-key-registered',
    findings: ['27d'],
    edits: [
      {
        file: 'server/src/http/routes/keys.ts',
        function: 'register',
        before: "purpose === 'approver' && (await isOwn(engine, principal, subject))",
        after: "purpose === 'approver' && principal.kind !== 'person'",
      },
    ],
  },
  {
    name: 'keys-of-the-runtime-ended-over-http',
    findings: ['27d'],
    edits: [
      {
        file: 'server/src/http/routes/keys.ts',
        function: 'refuseChange',
        before: 'if (!mayChange(principal, key.purpose)) return refuseRuntimeKey(key.purpose)',
        after: "if (key.purpose === 'issuer') return refuseRuntimeKey(key.purpose)",
      },
    ],
  },
  {
    name: 'keys-ended-by-entries-that-do-not-fit',
    edits: [
      {
        file: 'runtime/src/engine/authority/keys.ts',
        function: 'endKey',
        before: 'if (!after.ok) return',
        after: 'if (!after.ok && after.error === "") return',
      },
    ],
  },
  {
    name: 'key-file-before-its-registration',
    findings: ['27f'],
    edits: [
      {
        file: 'server/src/cli/key-file.ts',
        function: 'writeOnceRegistered',
        before: 'if (!isUnheard(error)) rmSync(draft)',
        after: 'copyFileSync(draft, file)',
      },
    ],
  },
  {
    name: 'verbs-open-the-store-of-a-server',
    findings: ['27e'],
    edits: [
      {
        file: 'server/src/cli/as-operator.ts',
        function: 'executeAsOperator',
        before: 'if (server !== undefined)',
        after: "if (server === '')",
      },
    ],
  },
  {
    name: 'locked-store-names-no-server',
    findings: ['27e'],
    edits: [
      {
        file: 'server/src/cli/open.ts',
        function: 'nameTheServer',
        before: 'ask it with --server URL, and its token in RUBICON_TOKEN or --token-file; or ',
        after: '',
      },
    ],
  },
  {
    name: 'anybody-says-who-decides-at-a-server',
    findings: ['27e'],
    edits: [
      {
        file: 'server/src/cli/call.ts',
        function: 'assertSpeakerOption',
        before: 'if (getSpeakerName(call) === undefined ||',
        after: "if (getSpeakerName(call) !== '' ||",
      },
    ],
  },
  {
    name: 'own-things-of-anybody',
    findings: ['27b', '27c'],
    edits: [
      {
        file: 'server/src/http/agent-auth/own-agent.ts',
        function: 'refuseOtherAgent',
        before: "if (principal.kind !== 'agent' || principal.agent_id === agent_id) return null",
        after: "if (principal.kind !== 'stranger') return null",
      },
      {
        file: 'runtime/src/engine/authority/registry/in-session.ts',
        function: 'performForAgent',
        before: 'read.value.agent_id === agent ? work()',
        after: "agent !== '' ? work()",
      },
    ],
  },
  {
    name: 'whole-flow-read-for-its-writ',
    edits: [
      {
        file: 'server/src/http/routes/writs.ts',
        function: 'findOpeningWrit',
        before: "listFlowEntries(dfid, ['writ'])",
        after: 'listFlowEntries(dfid)',
      },
    ],
  },
  {
    name: 'whole-flow-read-for-a-brief',
    edits: [
      {
        file: 'runtime/src/engine/approve/brief/recorded.ts',
        function: 'readRecordedRequest',
        before: 'await store.listFlowEntries(dfid, READ)',
        after:
          '(await store.listFlowEntries(dfid)).filter(({ envelope }) => READ.some((kind) => kind === envelope.kind))',
      },
    ],
  },
]
