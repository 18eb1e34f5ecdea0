/** Mistakes about pages of the ledger: whoever reads them, or fills them, keeps everybody waiting. */
import type { Patch } from './patch.ts'

export const PAGE_PATCHES: readonly Patch[] = [
  {
    name: 'pages-as-long-as-agents-like',
    edits: [
      {
        file: 'runtime/src/engine/ledger/leaf-page.ts',
        function: 'readLeafPage',
        before: 'length < LIMITS.pageLength',
        after: 'length >= 0',
      },
    ],
  },
  {
    name: 'scrub-reads-pages-of-any-length',
    edits: [
      {
        file: 'runtime/src/engine/ledger/scrub.ts',
        function: 'round',
        before: 'readLeafPage(store, this.#checked, LIMITS.scrubLeaves)',
        after: 'store.listLeaves(this.#checked, LIMITS.scrubLeaves)',
      },
    ],
  },
  {
    name: 'runs-read-in-one-go',
    edits: [
      {
        file: 'runtime/src/engine/ledger/find/index-leaves.ts',
        function: 'readRun',
        before: 'if (found.length > 0) await pause?.()',
        after: '',
      },
    ],
  },
  {
    name: 'notes-as-long-as-agents-like',
    edits: [
      {
        file: 'runtime/src/engine/context/note.ts',
        function: 'readNotes',
        before: '&& read < length',
        after: '',
      },
    ],
  },
  {
    name: 'searches-of-one-agent-all-at-once',
    edits: [
      {
        file: 'server/src/http/turns/handle-request.ts',
        function: 'handleRequest',
        before: 'heavy === true || bytes.length',
        after: 'bytes.length',
      },
    ],
  },
  {
    name: 'pages-read-for-nobody',
    edits: [
      {
        file: 'server/src/http/turns/shared-turns.ts',
        function: '#run',
        before: 'if (isGone()) return null',
        after: '',
      },
    ],
  },
  {
    name: 'pages-read-as-they-were-asked-for',
    edits: [
      {
        file: 'server/src/http/turns/shared-turns.ts',
        function: 'take',
        before: 'this.#waiting.push(asker,',
        after: "this.#waiting.push('all',",
      },
    ],
  },
]
