/** Mistakes by which whoever asks for much, or writes much, keeps others waiting for what they look up or put in force. */
import type { Patch } from './patch.ts'

export const WAITING_PATCHES: readonly Patch[] = [
  {
    name: 'who-tries-much-keeps-others-from-deploying',
    test: {
      file: 'server/src/http/drafts/draft-thread.test.ts',
      title: 'D3: however much is only tried, what is to be put in force has its place',
    },
    edits: [
      {
        file: 'server/src/http/drafts/draft-thread.ts',
        function: 'ask',
        before: 'first === asking.first',
        after: 'first !== null',
      },
    ],
  },
  {
    name: 'lookups-wait-behind-everybody',
    test: {
      file: 'server/src/http/lookups/lookup-thread.test.ts',
      title:
        'L4: however much somebody asks, it waits behind itself, and others are answered in between',
    },
    edits: [
      {
        file: 'server/src/http/lookups/lookup-worker.ts',
        function: 'receiveQuestions',
        before: 'one.question.asker',
        after: "''",
      },
    ],
  },
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
        function: 'isFull',
        before: 'length >= LIMITS.pageLength',
        after: 'length < 0',
      },
    ],
  },
]
