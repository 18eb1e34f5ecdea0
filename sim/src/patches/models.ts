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
        before: 'hideSecrets: (text) => call.secrets.replaceIn(text, HIDDEN)',
        after: 'hideSecrets: (text) => text',
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
        before: 'if (secrets.isIn(text))',
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
]

/** The storm finds these, too: what is counted while a model is asked, and what a lost answer costs. */
export const MODELS_IN_STORM: readonly string[] = [
  'generation-asked-before-it-is-reserved',
  'generation-that-was-lost-is-free',
  'generation-that-failed-is-free',
]
