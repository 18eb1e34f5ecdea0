/** Mistakes by which a channel reaches what it may not, says what it may not, or is told too much. */
import type { Patch } from './patch.ts'

const MESSENGER_TEST = 'runtime/src/channels/messenger.test.ts'
const SENDER_TEST = 'runtime/src/engine/notices/channel-sender.test.ts'
const TRIED_TITLE = 'a test beside a message that is under way has nothing sent twice'
const REMOVED_TITLE =
  'what is copied to a channel while it is removed waits for nobody, nor for the next of its name'

export const CHANNEL_PATCHES: readonly Patch[] = [
  {
    name: 'channel-answer-kept-with-its-secrets',
    test: {
      file: MESSENGER_TEST,
      title: 'no answer repeats a secret, and neither does an error',
    },
    edits: [
      {
        file: 'runtime/src/channels/messenger.ts',
        function: 'removeSecrets',
        before: 'createRedaction(hidden)',
        after: 'createRedaction([])',
      },
    ],
  },
  {
    name: 'channel-secret-sent-to-any-host',
    test: {
      file: MESSENGER_TEST,
      title: 'a secret goes to the hosts that the machine names for it, and nowhere else',
    },
    edits: [
      {
        file: 'runtime/src/channels/messenger.ts',
        function: '#checkHost',
        before: 'if (!hosts.includes(',
        after: 'if (hosts.length > 9 && !hosts.includes(',
      },
    ],
  },
  {
    name: 'channel-name-not-looked-up',
    test: {
      file: MESSENGER_TEST,
      title: 'a name that leads inside is refused when it is asked for, whoever it belongs to',
    },
    edits: [
      {
        file: 'runtime/src/channels/channel-target.ts',
        function: 'connectTo',
        before: 'await resolveAllowed(allowance, resolve)',
        after: 'await resolve(target.host)',
      },
    ],
  },
  {
    name: 'channel-words-as-they-came',
    test: {
      file: MESSENGER_TEST,
      title: 'Slack gets blocks of plain text, and markup nowhere',
    },
    edits: [
      {
        file: 'runtime/src/channels/message-words.ts',
        function: 'toPlainId',
        before: 'isIdentifier(text) ? text : WITHHELD',
        after: 'isIdentifier(text) ? text : text || WITHHELD',
      },
    ],
  },
  {
    name: 'channel-without-a-quiet-time',
    test: {
      file: SENDER_TEST,
      title:
        'the first is told at once, and a storm after it is one message when the quiet time is over',
    },
    edits: [
      {
        file: 'runtime/src/engine/notices/channel-sender.ts',
        function: '#recordSent',
        before: 'quiet_s * 1_000',
        after: 'quiet_s * 0',
      },
    ],
  },
  {
    name: 'channel-test-frees-what-is-under-way',
    test: { file: SENDER_TEST, title: TRIED_TITLE },
    edits: [
      {
        file: 'runtime/src/engine/notices/engine-channels.ts',
        function: '#tryChannel',
        before: 'standing.attempts > 0 && standing.taken !== true',
        after: 'standing.attempts > 0',
      },
    ],
  },
  {
    name: 'channel-test-forgets-what-was-sent',
    test: { file: SENDER_TEST, title: TRIED_TITLE },
    edits: [
      {
        file: 'runtime/src/engine/notices/channel-sender.ts',
        function: '#record',
        before: 'attempt < LIMITS.unitAttempts',
        after: 'attempt < 1',
      },
    ],
  },
  {
    name: 'channel-copies-without-their-channel',
    test: { file: SENDER_TEST, title: REMOVED_TITLE },
    edits: [
      {
        file: 'runtime/src/engine/notices/channel-copies.ts',
        function: 'buildChannelCopies',
        before: 'guards.push(',
        after: 'if (version < 0) guards.push(',
      },
    ],
  },
  {
    name: 'channel-removed-without-its-last-copies',
    test: { file: SENDER_TEST, title: REMOVED_TITLE },
    edits: [
      {
        file: 'runtime/src/engine/notices/engine-channels.ts',
        function: 'remove',
        before: 'await store.commit({ guards: [], writes: await buildWaitingDrops(store, name) })',
        after: '',
      },
    ],
  },
  {
    name: 'channel-answer-cut-within-a-secret',
    test: {
      file: MESSENGER_TEST,
      title: 'a secret in which the reading of an answer ends is not told in part',
    },
    edits: [
      {
        file: 'runtime/src/channels/messenger.ts',
        function: 'dropCutSecret',
        before: 'if (answer.whole) return answer',
        after: "if (answer.whole || hidden[0] !== '') return answer",
      },
    ],
  },
  {
    name: 'channel-names-asked-of-the-system',
    test: {
      file: 'runtime/src/channels/server-lookups.test.ts',
      title:
        'what an operator typed takes no thread of the system, and what the machine names is asked of it',
    },
    edits: [
      {
        file: 'runtime/src/channels/messenger.ts',
        function: 'chooseLookup',
        before: "addresses === 'public' ?",
        after: "addresses === 'forbidden' ?",
      },
    ],
  },
  {
    name: 'address-of-slack-in-clear',
    test: {
      file: 'runtime/src/channels/messenger.test.ts',
      title: 'what cannot be meant is refused before anything is sent',
    },
    edits: [
      {
        file: 'runtime/src/channels/messenger.ts',
        function: 'findPlaceProblem',
        before: 'SLACK_HOSTS.has(address.host)',
        after: "place.kind === 'slack' && address.host === 'hooks.slack.com'",
      },
    ],
  },
  {
    name: 'erased-notice-kept-as-failed',
    test: {
      file: SENDER_TEST,
      title: 'C6: what an erasure took out of what waits while it was sent is not kept as failed',
    },
    edits: [
      {
        file: 'runtime/src/engine/notices/channel-sender.ts',
        function: '#listLeft',
        before: 'return there.filter(({ key }) => keys.has(key))',
        after: 'return keys.size === 0 ? there : sent',
      },
      {
        file: 'runtime/src/engine/notices/channel-sender.ts',
        function: '#recordFailed',
        before: 'guards: left.map(buildUnchangedGuard)',
        after: 'guards: left.slice(left.length).map(buildUnchangedGuard)',
      },
    ],
  },
]
