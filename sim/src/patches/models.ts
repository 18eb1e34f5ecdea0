/** Mistakes about model providers: what they are sent, and what is believed of what comes back. */
import type { Patch } from './patch.ts'

const HTTP = 'runtime/src/adapters/models/model-http.ts'
const PROVIDER = 'runtime/src/adapters/models/http-provider.ts'
const DRAFT = 'runtime/src/adapters/models/reply-draft.ts'

export const MODELS_PATCHES: readonly Patch[] = [
  {
    name: 'model-redirect-followed',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title: 'a redirect is not followed',
    },
    edits: [
      { file: HTTP, function: 'send', before: "redirect: 'manual'", after: "redirect: 'follow'" },
    ],
  },
  {
    name: 'model-reply-of-any-length',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title: 'ten megabytes are too long, packed or not, whole or as a stream',
    },
    edits: [
      {
        file: HTTP,
        function: 'readChunks',
        before: 'if (bytes > call.replyBytes)',
        after: 'if (bytes < 0)',
      },
    ],
  },
  {
    name: 'model-error-tells-the-key',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title: 'every status has its code',
    },
    edits: [
      {
        file: HTTP,
        function: 'callModel',
        before: 'said: hideSecret(said, call.secret)',
        after: 'said',
      },
    ],
  },
  {
    name: 'model-reply-with-the-key-kept',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title: 'a reply that holds the key is refused, and kept nowhere',
    },
    edits: [
      {
        file: PROVIDER,
        function: 'refuseSecret',
        before: 'if (hasSecret(text, secret))',
        after: "if (text === '')",
      },
    ],
  },
  {
    name: 'model-stream-cut-taken-for-whole',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title: 'a stream that ends early is no reply, wherever it ends',
    },
    edits: [
      {
        file: 'runtime/src/adapters/models/openai/stream.ts',
        function: 'finish',
        before: 'if (!this.#isComplete) return null',
        after: '',
      },
    ],
  },
  {
    name: 'model-stream-split-line-end',
    test: {
      file: 'runtime/src/adapters/models/sse.test.ts',
      title: 'E1 where the bytes are cut changes nothing',
    },
    edits: [
      {
        file: 'runtime/src/adapters/models/sse.ts',
        function: 'push',
        before: 'if (unit === LF && this.#afterCr)',
        after: 'if (unit === LF && at > 0 && this.#afterCr)',
      },
    ],
  },
  {
    name: 'model-amount-rounded-on-its-way',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title:
        'an amount of a tool call keeps its digits, or is refused; other numbers may have too many',
    },
    edits: [
      {
        file: 'runtime/src/adapters/models/anthropic/provider.ts',
        function: 'createAnthropicProvider',
        before: "numbers: 'exact'",
        after: "numbers: 'nearest'",
      },
    ],
  },
  {
    name: 'model-negative-usage-believed',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title: 'usage that cannot be true is none',
    },
    edits: [{ file: DRAFT, function: 'isCount', before: '&& value >= 0', after: '' }],
  },
  {
    name: 'model-calls-of-one-id',
    test: {
      file: 'runtime/src/adapters/models/providers.test.ts',
      title: 'two calls of one id are refused, and calls without a name',
    },
    edits: [
      { file: DRAFT, function: 'finishReply', before: '.size < calls.length', after: '.size < 0' },
    ],
  },
  {
    name: 'model-asked-again-where-it-may-have-charged',
    test: {
      file: 'runtime/src/adapters/models/retry.test.ts',
      title: 'R1 nothing else is',
    },
    edits: [
      {
        file: 'runtime/src/adapters/models/retry.ts',
        function: 'isRetried',
        before: '|| error.charged',
        after: '',
      },
    ],
  },
  {
    name: 'model-replay-makes-up-a-reply',
    test: {
      file: 'runtime/src/adapters/models/recorded/recorded.test.ts',
      title: 'P1 P2 what was not recorded, or not so often, is refused',
    },
    edits: [
      {
        file: 'runtime/src/adapters/models/recorded/replay.ts',
        function: 'replayModel',
        before: 'waiting.get(hash)?.shift()',
        after: 'waiting.get(hash)?.shift() ?? calls[0]',
      },
    ],
  },
  {
    name: 'generation-asked-before-it-is-reserved',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'nothing is asked before the most that it can cost is reserved',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'reserveLargest',
        before: `      ...budget.writes,
`,
        after: '',
      },
      {
        file: 'runtime/src/engine/generate/settle-generation.ts',
        function: 'settleBudget',
        before: 'getUnits(measure, spent) - getUnits(measure, reserved)',
        after: 'getUnits(measure, spent)',
      },
    ],
  },
  {
    name: 'generation-without-a-bound',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'what is not granted is not asked',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'reserveLargest',
        before: `      ...budget.guards,
`,
        after: '',
      },
    ],
  },
  {
    name: 'generation-that-was-lost-is-free',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'what was under way when the runtime ended is lost, and is paid for',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/recover-generations.ts',
        function: 'recoverGenerations',
        before: 'used: open.reserved',
        after: 'used: {}',
      },
    ],
  },
  {
    name: 'generation-that-failed-is-free',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'a failure is on the record, and costs what it may have cost',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/generate.ts',
        function: 'buildFailedEnd',
        before: 'used: charged ? reserved : {}',
        after: 'used: {}',
      },
    ],
  },
  {
    name: 'generation-above-its-budget-goes-on',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'usage above the budget is recorded whole, and ends the flow',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/settle-generation.ts',
        function: 'writeEnd',
        before: 'const exhausted = over.length > 0',
        after: 'const exhausted = over.length < 0',
      },
    ],
  },
  {
    name: 'generation-of-an-agent-that-is-stopped',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'who may not act asks no model',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'loadStanding',
        before: 'if (ended !== null || writ === undefined)',
        after: 'if (writ === undefined)',
      },
    ],
  },
  {
    name: 'generation-kept-after-erasure',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'what was asked and said goes with the flow when it is erased',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/flow-records.ts',
        function: 'forgetRecords',
        before: '...dropGenerations(dfid, entries),',
        after: '',
      },
    ],
  },
  {
    name: 'generation-goes-on-for-nobody',
    test: {
      file: 'server/src/http/routes/generations.test.ts',
      title: 'whoever hangs up has asked all the same',
    },
    edits: [
      {
        file: 'server/src/http/events/generation-stream.ts',
        function: '#leave',
        before: 'this.#gone.abort()',
        after: '',
      },
    ],
  },
  {
    name: 'generation-counted-in-one-piece',
    test: {
      file: 'runtime/src/engine/generate/generation-cost.test.ts',
      title: 'C2 a long request is counted in slices, and others have the thread between them',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/generation-cost.ts',
        function: 'computeLargestCost',
        before: 'if (from > 0) await pause()',
        after: '',
      },
    ],
  },
  {
    name: 'verifier-model-costs-nothing',
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'foldEvidence',
        before: "if ('used' in payload)",
        after: "if ('used' in payload && payload.source === 'agent')",
      },
    ],
  },
]
