/** Mistakes about which calls of a client are one act. */
import type { Patch } from './patch.ts'

const TEST = 'runtime/src/engine/decide/act-once.test.ts'
const CLAIMS = 'runtime/src/engine/flow/call-claims.ts'

export const CALL_PATCHES: readonly Patch[] = [
  {
    name: 'call-of-any-agent',
    test: { file: TEST, title: 'an agent repeats only itself' },
    edits: [
      {
        file: CLAIMS,
        function: 'toCallPlaces',
        before: 'names: names.map((name) => ({ group, key: name }))',
        after: 'names: names.map((name) => ({ group: GROUP, key: name }))',
      },
    ],
  },
  {
    name: 'conversation-outlives-erasure',
    test: {
      file: 'runtime/src/engine/flow/conversation.test.ts',
      title:
        'the name of a conversation goes with the flow that is erased, and stays with the others',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/conversation.ts',
        function: 'buildForgottenConversation',
        before: 'conversation === null',
        after: "conversation !== ''",
      },
    ],
  },
  {
    name: 'conversation-of-any-agent',
    test: {
      file: 'runtime/src/engine/flow/conversation.test.ts',
      title:
        'acts are found by their conversation, newest first and a page at a time, and each says its own',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/conversation.ts',
        function: 'toGroup',
        before: '{agent} ',
        after: '{agent === conversation} ',
      },
    ],
  },
  {
    name: 'conversation-named-by-anybody',
    test: {
      file: 'gateway/src/front/conversation.test.ts',
      title:
        'a client does not name a conversation as the gateway does, nor one that nobody could look for',
    },
    edits: [
      {
        file: 'gateway/src/front/conversation.ts',
        function: 'isClientName',
        before: '!value.startsWith(PROCESS) && !value.startsWith(DAY)',
        after: 'true',
      },
    ],
  },
  {
    name: 'call-reused',
    test: {
      file: TEST,
      title: 'an id or a key that stood for other arguments is refused, and nothing is opened',
    },
    edits: [
      {
        file: CLAIMS,
        function: 'isAskedBy',
        before: 'body_hash === asked',
        after: "asked !== ''",
      },
    ],
  },
  {
    name: 'call-not-resumed',
    test: {
      file: TEST,
      title:
        'a client that was started anew goes on with what waits for a person, and does it once',
    },
    edits: [
      {
        file: CLAIMS,
        function: 'isGoingOn',
        before: 'if (await isFlowOpen(store, dfid)) return true',
        after: '',
      },
    ],
  },
  {
    name: 'call-of-unknown-outcome-forgotten',
    test: {
      file: TEST,
      title: 'what nobody knows the outcome of is not done again by whoever asks for it again',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/kept-claims.ts',
        function: 'isFlowOpen',
        before: 'if (isFlowWaiting(flow)) return true',
        after: "if (flow.state === 'EXECUTING' && flow.version < 0) return true",
      },
      {
        file: 'runtime/src/engine/flow/kept-claims.ts',
        function: 'isFlowOpen',
        before: 'status: UNSETTLED',
        after: "status: ['ACCEPTED', 'DISPATCHED']",
      },
    ],
  },
  {
    name: 'call-repeated-unnamed',
    test: { file: TEST, title: 'a key of the client stands for one act, in whatever conversation' },
    edits: [
      {
        file: 'runtime/src/engine/decide/act-once.ts',
        function: 'claimNames',
        before: 'buildNameClaims(store, unclaimed, asked, dfid, now)',
        after: 'buildNameClaims(store, unclaimed.slice(1, 1), asked, dfid, now)',
      },
    ],
  },
  {
    name: 'call-left-unnamed',
    test: {
      file: TEST,
      title:
        'a call with the id that it had in its conversation is the same act, also after it was done',
    },
    edits: [
      {
        file: CLAIMS,
        function: 'buildFirstClaims',
        before: '...claimed.writes,',
        after: '...claimed.writes.slice(0, 0),',
      },
    ],
  },
  {
    name: 'call-claimed-by-all',
    test: {
      file: TEST,
      title:
        'of many who ask for the same at once one is the first, and all hear what became of it',
    },
    edits: [
      {
        file: CLAIMS,
        function: 'buildFirstClaims',
        before: "guards: [...claimed.guards, { ...toRef(place), kind: 'record_version', version }]",
        after: 'guards: version === -1 ? [...claimed.guards] : []',
      },
    ],
  },
  {
    name: 'repeat-window-of-refusals',
    test: {
      file: TEST,
      title:
        'within the window of its contract an act that took effect stands for the next that asks for the same',
    },
    edits: [
      {
        file: CLAIMS,
        function: 'isGoingOn',
        before: "status: ['SUCCESS'] })).length > 0",
        after: "status: ['SUCCESS'] })).length >= 0",
      },
    ],
  },
  {
    name: 'erased-call-guessed',
    test: {
      file: TEST,
      title:
        'an erased flow leaves no hash of what was asked, and is not done again under its name',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/forgotten-replies.ts',
        function: 'buildForgottenRepliesUnit',
        before: '&& !isOfSameAsked(kept)',
        after: '',
      },
    ],
  },
  {
    name: 'call-ids-without-their-type',
    test: {
      file: 'gateway/src/front/call-names.test.ts',
      title: 'a number and its text are two calls, and an id without a conversation is none',
    },
    edits: [
      {
        file: 'gateway/src/front/call-names.ts',
        function: 'readCallNames',
        before: 'JSON.stringify(id)',
        after: 'String(id)',
      },
    ],
  },
]
