/** Mistakes in the index that lists are searched in: what it forgets, whose it is, and what it counts. */
import type { Patch } from './patch.ts'

const REMAINS = 'server/src/search/index-remains.test.ts'
const AGAIN = 'server/src/search/begun-again.test.ts'
const APART = 'server/src/http/routes/search-apart.test.ts'

const FOLLOWED = 'server/src/search/followed-requests.test.ts'

export const SEARCH_INDEX_PATCHES: readonly Patch[] = [
  {
    name: 'asked-of-ended-in-no-turn',
    test: {
      file: FOLLOWED,
      title: 'requests that stay open though their flows have ended hold up none of the others',
    },
    edits: [
      {
        file: 'server/src/search/index-writer.ts',
        function: 'takeAskedOfEnded',
        before: "listed.length < ASKED_AT_ONCE ? '' : (listed.at(-1) ?? '')",
        after: "''",
      },
    ],
  },
  {
    name: 'asked-of-ended-stops-the-index',
    test: {
      file: FOLLOWED,
      title: 'a request of an ended flow that cannot be read stops no index',
    },
    edits: [
      {
        file: 'server/src/search/read-batch.ts',
        function: 'readIndexBatch',
        before: 'asked: readonly string[] = []',
        after: 'asked: readonly string[] = writer.takeAskedOfEnded()',
      },
    ],
  },
  {
    name: 'index-that-cannot-be-overwritten-stays',
    test: {
      file: REMAINS,
      title: 'a file that cannot be overwritten is begun again by who reads on',
    },
    edits: [
      {
        file: 'server/src/search/search-index.ts',
        function: '#overwriteRemains',
        before: 'if (this.database === database) this.#beginAgain()',
        after: "if (this.database === database) throw new Error('it cannot be overwritten')",
      },
    ],
  },
  {
    name: 'index-forgets-no-remains-of-last-process',
    test: {
      file: REMAINS,
      title: 'R1: a process that ended between forgetting and overwriting leaves it to the next',
    },
    edits: [
      {
        file: 'server/src/search/forget-flow.ts',
        function: 'forgetFlowRows',
        before: 'owed = owed + 1',
        after: 'owed = owed + 0',
      },
    ],
  },
  {
    name: 'index-keeps-its-log',
    test: {
      file: REMAINS,
      title: 'R1: an erasure that the index met before it was told is overwritten all the same',
    },
    edits: [
      {
        file: 'server/src/search/search-index.ts',
        function: 'forgetFlow',
        before: 'await this.#remains.overwrite(this.#parts.pause)',
        after: '',
      },
    ],
  },
  {
    name: 'trigrams-of-the-erased-stay',
    test: { file: REMAINS, title: 'nothing that trigrams say of a forgotten flow is left' },
    edits: [
      {
        file: 'server/src/search/forget-flow.ts',
        function: 'FORGETS',
        before: "'DELETE FROM words WHERE rowid IN (SELECT id FROM said WHERE flow = ?)'",
        after: "'UPDATE flow SET id = id WHERE id = ?'",
      },
    ],
  },
  {
    name: 'index-begins-in-the-middle',
    test: {
      file: AGAIN,
      title: 'I4: what was read for an index that was begun again is not written into the next',
    },
    edits: [
      {
        file: 'server/src/search/search-index.ts',
        function: '#advance',
        before: 'batch === null || writer !== this.#writer',
        after: 'batch === null',
      },
    ],
  },
  {
    name: 'index-answers-before-it-is-compared',
    test: {
      file: AGAIN,
      title: 'I1: nobody is answered from an index before it is known to be of this ledger',
    },
    edits: [
      {
        file: 'server/src/search/search-index.ts',
        function: '#check',
        before: 'return this.#checked\n    this',
        after: 'return Promise.resolve()\n    this',
      },
    ],
  },
  {
    name: 'index-is-compared-once-at-most',
    test: {
      file: AGAIN,
      title: 'I1: a store that could not be read once is compared the next time',
    },
    edits: [
      {
        file: 'server/src/search/search-index.ts',
        function: '#check',
        before: 'this.#checked = null',
        after: 'this.#checked = Promise.resolve()',
      },
    ],
  },
  {
    name: 'index-with-strange-tables-believed',
    test: { file: AGAIN, title: 'O4: a file with a table that is missing is thrown away' },
    edits: [
      {
        file: 'server/src/search/open-index.ts',
        function: 'isOfThisVersion',
        before: 'describeTables(database) !== getOwnTables()',
        after: "getOwnTables() === ''",
      },
    ],
  },
  {
    name: 'index-open-to-everybody',
    test: { file: AGAIN, title: 'O4: the files are for their owner alone' },
    edits: [
      {
        file: 'server/src/search/open-index.ts',
        function: 'PRIVATE',
        before: '0o600',
        after: '0o644',
      },
    ],
  },
  {
    name: 'erasure-is-done-without-the-index',
    test: {
      file: APART,
      title: 'an erasure that could not reach the index is finished when it is asked for again',
    },
    edits: [
      {
        file: 'server/src/http/routes/erasures.ts',
        function: 'handle',
        before: "!erased.ok && erased.error.code !== 'FLOW_ERASED'",
        after: '!erased.ok',
      },
    ],
  },
  {
    name: 'erasure-on-a-terminal-forgets-the-index',
    test: {
      file: 'server/src/cli/erase-index.test.ts',
      title: 'an erasure without a server leaves nothing in the index of the last one',
    },
    edits: [
      {
        file: 'server/src/cli/as-operator.ts',
        function: 'executeLocally',
        before: ', state ?? resolveStateDirectory(store))',
        after: ')',
      },
    ],
  },
  {
    name: 'index-of-postgres-in-the-deciding-thread',
    test: {
      file: APART,
      title: 'is in a thread of its own, and forgets what another server erases',
    },
    edits: [
      {
        file: 'server/src/http/lookups/lookup-thread.ts',
        function: 'createLookups',
        before: 'isMemoryAddress(store) ||',
        after: "!store.startsWith('sqlite:') ||",
      },
    ],
  },
  {
    name: 'index-follows-only-for-whoever-asks',
    test: {
      file: 'server/src/http/lookups/lookup-thread.test.ts',
      title: 'what another process erased leaves the index though nobody asks for a list',
    },
    edits: [
      {
        file: 'server/src/http/lookups/lookup-worker.ts',
        function: 'followLedger',
        before: 'setInterval(() => search.start(), followMs)',
        after: '',
      },
    ],
  },
  {
    name: 'steps-that-were-never-sent-are-counted',
    test: {
      file: 'sim/src/watched-index.test.ts',
      title: 'I30: lists find what the ledger says, and nothing that the store has no more',
    },
    edits: [
      {
        file: 'server/src/search/index-writer.ts',
        function: '#putExecutions',
        before: 'this.#prepare(sql).run(dfid, steps)',
        after: "this.#prepare(sql).run('', steps)",
      },
    ],
  },
  {
    name: 'requests-of-erased-flows-are-counted',
    test: {
      file: 'sim/src/watched-index.test.ts',
      title: 'I30: lists find what the ledger says, and nothing that the store has no more',
    },
    edits: [
      {
        file: 'server/src/search/read-touched.ts',
        function: 'readTouched',
        before: "isErased ? 'all' : 'waiting'",
        after: "isErased ? 'waiting' : 'waiting'",
      },
    ],
  },
]
