/** Mistakes by which rows that are long make a page of a list as long as somebody likes. */
import type { Patch } from './patch.ts'

export const LONG_PAGE_PATCHES: readonly Patch[] = [
  {
    name: 'pages-of-effects-without-end',
    test: {
      file: 'server/src/http/lookups/long-pages.test.ts',
      title:
        'a page of effects ends where they come to so much text, and the next begins behind it',
    },
    edits: [
      {
        file: 'server/src/http/lookups/executions.ts',
        function: 'measureLength',
        before: 'JSON.stringify(view)?.length ?? 0',
        after: 'view === undefined ? 1 : 0',
      },
    ],
  },
  {
    name: 'pages-of-entries-without-end',
    test: {
      file: 'server/src/http/lookups/long-pages.test.ts',
      title: 'a page of entries ends where their payloads come to so much text, in both directions',
    },
    edits: [
      {
        file: 'server/src/http/lookups/trajectories.ts',
        function: 'countFull',
        before: 'length >= LIMITS.pageLength',
        after: 'length < 0',
      },
    ],
  },
  {
    name: 'flows-shown-without-end',
    test: {
      file: 'server/src/http/lookups/long-pages.test.ts',
      title:
        'a flow is shown however long it is: what is short is there, what is too long is counted and stands in the ledger',
    },
    edits: [
      {
        file: 'server/src/http/lookups/flow-length.ts',
        function: '#admit',
        before: 'length <= LIMITS.flowShortLength',
        after: 'length >= 0',
      },
    ],
  },
  {
    name: 'outcomes-read-from-all-of-a-flow',
    test: {
      file: 'runtime/src/engine/flow/settled-length.test.ts',
      title: 'the outcome of a long flow is read from its last entries and its last steps',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/settled.ts',
        function: 'readLastAnswer',
        before: 'flow.dfid, ANSWERING, ...place',
        after: 'flow.dfid, ANSWERING',
      },
    ],
  },
  {
    name: 'long-flows-read-at-once',
    test: {
      file: 'server/src/http/lookups/whole-flow.test.ts',
      title:
        'a long flow is read a few entries and effects at a time, and others are answered meanwhile',
    },
    edits: [
      {
        file: 'server/src/http/lookups/whole-flow.ts',
        function: 'readShortFlow',
        before: 'store.listFlowEntries(dfid, undefined, STEP)',
        after: 'store.listFlowEntries(dfid)',
      },
    ],
  },
  {
    name: 'long-flows-read-without-a-pause',
    test: {
      file: 'server/src/http/lookups/whole-flow.test.ts',
      title:
        'a long flow is read a few entries and effects at a time, and others are answered meanwhile',
    },
    edits: [
      {
        file: 'server/src/http/turns/slow-slices.ts',
        function: 'pause',
        before: 'tookMs < LIMITS.pastSliceMs',
        after: 'tookMs >= 0',
      },
    ],
  },
  {
    name: 'flows-shown-as-they-were-before-an-erasure',
    test: {
      file: 'server/src/http/lookups/whole-flow.test.ts',
      title: 'of a flow that is erased while it is read nothing is shown that was read before',
    },
    edits: [
      {
        file: 'server/src/http/lookups/flows.ts',
        function: 'answerLong',
        before: 'isKnownErased || !isErased(flow)',
        after: 'isKnownErased || !isKnownErased',
      },
    ],
  },
  {
    name: 'steps-behind-undoings-not-looked-for',
    test: {
      file: 'runtime/src/engine/flow/settled-length.test.ts',
      title: 'the outcome of a flow that was taken back is read without all of its steps',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/settled.ts',
        function: 'loadLastSent',
        before: 'sent.length < LAST_LOOKED_AT',
        after: 'sent.length > 0',
      },
    ],
  },
  {
    name: 'short-words-of-a-flow-without-end',
    test: {
      file: 'server/src/http/lookups/whole-flow.test.ts',
      title: 'what an agent says in few words has its bound, too, and hides no effect',
    },
    edits: [
      {
        file: 'server/src/http/lookups/flow-length.ts',
        function: '#admit',
        before: '&& mayBeMore',
        after: '',
      },
    ],
  },
]
