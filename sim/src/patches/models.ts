/** Mistakes about model providers: what they are sent, and what is believed of what comes back. */
import type { Patch } from './patch.ts'

const HTTP = 'runtime/src/adapters/models/model-http.ts'
const PROVIDER = 'runtime/src/adapters/models/http-provider.ts'
const DRAFT = 'runtime/src/adapters/models/reply-draft.ts'

export const MODELS_PATCHES: readonly Patch[] = [
  {
    name: 'model-redirect-followed',
    edits: [
      { file: HTTP, function: 'send', before: "redirect: 'manual'", after: "redirect: 'follow'" },
    ],
  },
  {
    name: 'model-reply-of-any-length',
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
    edits: [{ file: DRAFT, function: 'isCount', before: '&& value >= 0', after: '' }],
  },
  {
    name: 'model-calls-of-one-id',
    edits: [
      { file: DRAFT, function: 'finishReply', before: '.size < calls.length', after: '.size < 0' },
    ],
  },
  {
    name: 'model-asked-again-where-it-may-have-charged',
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

/** The storm finds these, too: what is counted while a model is asked, and what a lost answer costs. */
export const MODELS_IN_STORM: readonly string[] = [
  'generation-asked-before-it-is-reserved',
  'generation-that-was-lost-is-free',
  'generation-that-failed-is-free',
]
