/** Mistakes about what is only tried: it waits, ends, and keeps nothing else from its turn. */
import type { Patch } from './patch.ts'

export const DRAFT_PATCHES: readonly Patch[] = [
  {
    name: 'drafts-judged-where-decisions-are',
    findings: ['32a', '32c'],
    edits: [
      {
        file: 'server/src/http/drafts/drafts-of.ts',
        function: 'createDraftAsker',
        before: 'return (draft) => draftThread.ask(draft, asking)',
        after:
          "return (async (draft: Draft) => (await import('./judge-draft.ts')).judgeDraft(draft)) as never",
      },
    ],
  },
  {
    name: 'large-drafts-read-at-once',
    edits: [
      {
        file: 'server/src/http/turns/handle-request.ts',
        function: 'handleRequest',
        before: 'const isLarge = stops !== true',
        after: 'const isLarge = stops !== true && beside !== true',
      },
    ],
  },
  {
    name: 'trials-all-at-once',
    edits: [
      {
        file: 'server/src/http/routes/playground.ts',
        function: 'createPlaygroundRoutes',
        before: 'await trials.handle(getPrincipalName(principal), isGone, tryNow)',
        after:
          'await (getPrincipalName(principal) === "" ? trials.handle("", isGone, tryNow) : tryNow())',
      },
    ],
  },
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
    name: 'drafts-of-nobody-are-tried',
    edits: [
      {
        file: 'server/src/http/drafts/draft-thread.ts',
        function: '#dropGone',
        before: 'if (gone.length === 0) return',
        after: 'return void gone',
      },
    ],
  },
  {
    name: 'drafts-pay-for-time-that-others-took',
    edits: [
      {
        file: 'server/src/http/drafts/draft-thread.ts',
        function: '#runNext',
        before: 'setTimeout(() => void this.#look(), left)',
        after: 'setTimeout(() => this.#end(TOO_LONG), left)',
      },
    ],
  },
]
