/** Of what is asked of the search index: who may ask what, and for how long. */
import type { Patch } from './patch.ts'

const APART = 'server/src/http/routes/search-apart.test.ts'

export const SEARCH_PATCHES: readonly Patch[] = [
  {
    name: 'agents-search-what-they-are-not-shown',
    test: { file: APART, title: 'an agent searches no words' },
    edits: [
      {
        file: 'server/src/search/filter.ts',
        function: 'parseFilter',
        before: 'own !== null && query.words !== undefined',
        after: "own === '' && query.words !== undefined",
      },
    ],
  },
  {
    name: 'agents-hear-of-measures-of-others',
    test: {
      file: 'server/src/search/search-index.test.ts',
      title: 'an agent hears of no measure but those of its own flows',
    },
    edits: [
      {
        file: 'server/src/search/query.ts',
        function: 'listMeasures',
        before: 'own === null ?',
        after: "own !== '' ?",
      },
    ],
  },
  {
    name: 'words-of-the-question-before',
    test: {
      file: 'server/src/search/search-index.test.ts',
      title: 'words are found together, short and long, and no more than a few short ones',
    },
    edits: [
      {
        file: 'server/src/search/asked-words.ts',
        function: 'collectAsked',
        before: 'known.changes === countChanges(database)',
        after: 'known.changes !== -1',
      },
    ],
  },
  {
    name: 'texts-that-outlive-an-erasure',
    test: {
      file: 'server/src/search/search-index.test.ts',
      title: 'I3: no file of it has words of a flow that was erased',
    },
    edits: [
      {
        file: 'server/src/search/forget-flow.ts',
        function: 'forgetFlowRows',
        before: 'dropTexts(database)',
        after: '',
      },
    ],
  },
  {
    name: 'long-words-are-phrases',
    test: {
      file: 'server/src/search/asked-words.test.ts',
      title: 'however long a word is, few of its trigrams are looked up, and each by itself',
    },
    edits: [
      {
        file: 'server/src/search/words-in-file.ts',
        function: 'formatTrigrams',
        before: 'const letters = [...word]',
        after: "const letters = [word, '', '']",
      },
    ],
  },
  {
    name: 'short-words-without-end',
    test: {
      file: 'server/src/search/search-index.test.ts',
      title: 'words are found together, short and long, and no more than a few short ones',
    },
    edits: [
      {
        file: 'server/src/search/filter.ts',
        function: 'SHORT_WORDS',
        before: '4',
        after: '16',
      },
    ],
  },
  {
    name: 'words-looked-for-one-by-one-in-any-text',
    test: {
      file: 'server/src/search/text-block.test.ts',
      title: 'words that begin like a text of one letter are not looked for one after the other',
    },
    edits: [
      {
        file: 'server/src/search/text-block.ts',
        function: 'findWords',
        before: 'readMs() + QUICK_MS',
        after: 'Number.POSITIVE_INFINITY',
      },
    ],
  },
  {
    name: 'words-that-end-in-others-missed',
    test: {
      file: 'server/src/search/text-block.test.ts',
      title: 'a word ends in another, and is in none across two rows',
    },
    edits: [
      {
        file: 'server/src/search/word-scan.ts',
        function: '#addFallbacks',
        before: '| (this.#marks[fallback] ?? 0)',
        after: '',
      },
    ],
  },
]
