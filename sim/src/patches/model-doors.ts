/** Mistakes about what is asked of models, and about whoever asks beside: another agent, another server, another store. */
import type { Patch } from './patch.ts'

const RACES = 'runtime/src/engine/generate/generation-races.test.ts'
const FOREIGN = 'sim/src/sdk/foreign-answers.test.ts'
const LIED_TO =
  'an agent takes no context of another flow or of another agent for its own, and no verdict'

export const MODEL_DOOR_PATCHES: readonly Patch[] = [
  {
    name: 'generations-begin-together',
    test: {
      file: RACES,
      title: 'requests to models that come together pass no bound of their flow',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'reserveLargest',
        before: "{ kind: 'put_flow', flow: moveFlow(flow, [], flow.updated_at) },",
        after: '',
      },
    ],
  },
  {
    name: 'open-generations-added-up-in-part',
    test: {
      file: RACES,
      title: 'a runtime that ended while a flow waited for many models starts again',
    },
    edits: [
      {
        file: 'runtime/src/engine/rows/open-generations.ts',
        function: 'listFlowGenerations',
        before: 'limit: LIMITS.generationsPerFlow',
        after: 'limit: 2',
      },
    ],
  },
  {
    name: 'child-spends-what-nobody-gave-it',
    test: {
      file: RACES,
      title: 'a flow below one whose tokens are bounded spends none that it was not given',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/granted-budget.ts',
        function: 'computeGrantedBudget',
        before: 'const [own, ...above] = chain',
        after: 'const [own, ...above] = chain.slice(0, 1)',
      },
    ],
  },
  {
    name: 'words-of-a-model-believed',
    test: {
      file: 'server/src/http/routes/generations.test.ts',
      title: 'nobody reads words of a model that the ledger does not have',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/read-generation.ts',
        function: 'hasHashes',
        before: 'return asked === of.request && said === of.response',
        after: 'return asked === of.request || said === of.response',
      },
    ],
  },
  {
    name: 'context-of-another-flow-taken',
    test: { file: FOREIGN, title: LIED_TO },
    edits: [
      {
        file: 'agents/src/http/http-flow.ts',
        function: 'parseContext',
        before: 'context.dfid === dfid && context.agent_id === agent',
        after: 'context.dfid === dfid || context.agent_id === agent',
      },
    ],
  },
  {
    name: 'verdict-of-another-flow-taken',
    test: { file: FOREIGN, title: LIED_TO },
    edits: [
      {
        file: 'agents/src/http/http-flow.ts',
        function: 'assertOfFlow',
        before: 'if (answer.dfid === dfid)',
        after: "if (answer.dfid !== '')",
      },
    ],
  },
  {
    name: 'agent-in-process-asks-for-another',
    test: {
      file: FOREIGN,
      title:
        'in process: nobody asks a model in the flow of another agent, waits for it or goes on with it',
    },
    edits: [
      {
        file: 'runtime/src/engine/authority/registry/in-session.ts',
        function: 'loadFlowSession',
        before: 'read.value?.agent_id ?? agent',
        after: 'read.value?.agent_id',
      },
    ],
  },
  {
    name: 'flow-of-another-gets-a-new-context',
    test: {
      file: FOREIGN,
      title:
        'in process: nobody asks a model in the flow of another agent, waits for it or goes on with it',
    },
    edits: [
      {
        file: 'runtime/src/compose.ts',
        function: 'bindEngineCalls',
        before: 'refresh(dfid, options)',
        after: 'refresh(dfid)',
      },
    ],
  },
  {
    name: 'announcement-has-any-file-removed',
    test: {
      file: 'server/src/cli/running-server.test.ts',
      title: 'an announcement that names a file has no server remove it',
    },
    edits: [
      {
        file: 'server/src/local-socket/announcement.ts',
        function: 'removeStale',
        before: 'if (isSocket(socket))',
        after: "if (socket !== '')",
      },
    ],
  },
  {
    name: 'demo-in-the-store-of-others',
    test: {
      file: 'server/src/demo/company/company-store.test.ts',
      title: 'the company of the demo does not work in a store where others do',
    },
    edits: [
      {
        file: 'server/src/demo/company/company-store.ts',
        function: 'isCompanyStore',
        before: 'if (contracts.size === 0) return true',
        after: 'if (contracts.size >= 0) return true',
      },
    ],
  },
  {
    name: 'all-requests-counted-in-one-turn',
    test: {
      file: RACES,
      title: 'requests to models that are counted together leave the thread after each slice',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/generations.ts',
        function: 'takeTurn',
        before: 'this.#lastTurn = this.#lastTurn.then(pause)',
        after: 'this.#lastTurn = pause()',
      },
    ],
  },
  {
    name: 'counted-pieces-keep-the-whole',
    test: {
      file: 'runtime/src/adapters/system/tokenizer.test.ts',
      title: 'a piece of a long text that was counted once does not keep the long text in memory',
    },
    edits: [
      {
        file: 'runtime/src/adapters/system/tokenizer.ts',
        function: 'load',
        before: 'copyText(text)',
        after: 'text',
      },
    ],
  },
  {
    name: 'tenant-in-the-folder-above',
    test: {
      file: 'runtime/src/adapters/system/state-directory.test.ts',
      title: 'no tenant has the folder of another, whatever it is called',
    },
    edits: [
      {
        file: 'runtime/src/adapters/system/state-directory.ts',
        function: 'toTenantFileName',
        before: "name === '.' || name === '..' ?",
        after: "name === '.' ?",
      },
    ],
  },
  {
    name: 'verifier-usage-counted-elsewhere',
    test: {
      file: 'verifier/src/generations.test.ts',
      title: 'AUTHORITY_ORDER: what a model cost is counted against the writ of its own flow',
    },
    edits: [
      {
        file: 'verifier/src/authority/counted-usage.ts',
        function: 'findUsageProblems',
        before: 'writs.get(said.writ_id)?.nonce !== dfid',
        after: 'writs.get(said.writ_id)?.nonce === undefined',
      },
    ],
  },
  {
    name: 'verifier-tokens-of-a-model-believed',
    test: {
      file: 'verifier/src/generations.test.ts',
      title: 'AUTHORITY_ORDER: the tokens that a model counted are those that are used',
    },
    edits: [
      {
        file: 'verifier/src/authority/counted-usage.ts',
        function: 'findUsageProblems',
        before: 'return tokens === input_tokens + output_tokens',
        after: 'return tokens <= input_tokens + output_tokens',
      },
    ],
  },
  {
    name: 'words-left-where-rows-grew',
    test: {
      file: 'runtime/src/engine/erase/erase-flow.test.ts',
      title: 'nothing of it is left where rows grew or pages were split before it was erased',
    },
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/pragmas.ts',
        function: 'WRITER',
        before: "['secure_delete', 'ON', 1],",
        after: "['secure_delete', 'OFF', 0],",
      },
    ],
  },
  {
    name: 'changed-entries-shown',
    test: {
      file: 'server/src/http/lookups/changed-entries.test.ts',
      title: 'nobody is shown an entry that somebody changed: a byte of it',
    },
    edits: [
      {
        file: 'server/src/http/lookups/all.ts',
        function: 'createLookupTable',
        before: 'const parts = { ...given, store: createCheckedStore(given.store, given.sha256) }',
        after: 'const parts = given',
      },
    ],
  },
  {
    name: 'agent-that-has-ended-waits-on',
    test: {
      file: 'agents/src/sleep-ms.test.ts',
      title: 'nobody waits for what was given up before or meanwhile',
    },
    edits: [
      {
        file: 'agents/src/sleep-ms.ts',
        function: 'sleepMs',
        before: 'if (signal.aborted) return Promise.resolve()',
        after: '',
      },
    ],
  },
]
