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
]
