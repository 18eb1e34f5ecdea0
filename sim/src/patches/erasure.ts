/** Mistakes in taking out what a flow said, and in keeping it out. */
import type { Patch } from './patch.ts'

const STORM_PATCHES: readonly Patch[] = [
  {
    name: 'erasure-names-too-little',
    edits: [
      {
        file: 'runtime/src/engine/erase/erase-flow.ts',
        function: 'listErasedPayloads',
        before: 'return entries.map(',
        after: 'return entries.slice(1).map(',
      },
    ],
  },
  {
    name: 'erased-flow-takes-words',
    edits: [
      {
        file: 'runtime/src/engine/erase/erase-flow.ts',
        function: 'buildErasureUnit',
        before: 'by: late',
        after: 'by: 0',
      },
    ],
  },
  {
    name: 'erased-rows-keep-their-words',
    edits: [
      {
        file: 'runtime/src/adapters/unit/erased-rows.ts',
        function: 'redactExecution',
        before: 'intent: ERASED_INTENT,',
        after: 'intent: row.intent,',
      },
    ],
  },
]

export const ERASURE_PATCHES: readonly Patch[] = [
  {
    name: 'erased-act-passes-for-refused',
    edits: [
      {
        file: 'runtime/src/engine/flow/settled.ts',
        function: 'readLastAnswer',
        before: 'if (isErased(flow)) return',
        after: "if (isErased(flow) && flow.dfid === '') return",
      },
      {
        file: 'runtime/src/engine/flow/act-answer.ts',
        function: 'readActAnswer',
        before: 'if (isErased(flow)) return',
        after: "if (isErased(flow) && flow.dfid === '') return",
      },
    ],
  },
  {
    name: 'hash-of-an-erased-act-is-kept',
    edits: [
      {
        file: 'runtime/src/engine/erase/forgotten-replies.ts',
        function: 'buildForgottenRepliesUnit',
        before: "{ ...kept.body, body_hash: '' }",
        after: '{ ...kept.body }',
      },
    ],
  },
  {
    name: 'comments-outlive-an-erasure',
    test: {
      file: 'runtime/src/engine/approve/comments.test.ts',
      title:
        'in memory: people talk about a request, beside the ledger, and an erasure takes it out',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/flow-records.ts',
        function: 'forgetRecords',
        before: '...comments.writes,',
        after: '',
      },
    ],
  },
  ...STORM_PATCHES,
  {
    name: 'erasure-does-not-wait-for-those-beside',
    edits: [
      {
        file: 'runtime/src/engine/erase/refusal.ts',
        function: 'findErasureFailure',
        before: 'iterateFlowTree(context, top)',
        after: 'iterateFlowTree(context, top.dfid === flow.dfid ? top : flow)',
      },
    ],
  },
  {
    name: 'split-pages-keep-erased-words',
    test: {
      file: 'runtime/src/adapters/sqlite/remains.test.ts',
      title: 'nothing of what was taken out is left where pages were split',
    },
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/remains.ts',
        function: '#overwritePages',
        before: 'if (gap === null) continue',
        after: 'if (gap === null || gap.to > gap.from) continue',
      },
    ],
  },
  {
    name: 'remembered-pages-bring-erased-words-back',
    test: {
      file: 'runtime/src/adapters/sqlite/remains.test.ts',
      title: 'what was overwritten does not come back from what SQLite remembers of a page',
    },
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/remains.ts',
        function: '#overwritePart',
        before: 'if (found !== 0)',
        after: 'if (found === -1)',
      },
    ],
  },
  {
    name: 'pages-that-refer-taken-for-trees',
    test: {
      file: 'runtime/src/adapters/sqlite/remains.test.ts',
      title: 'a file whose pages move is not written to beside SQLite',
    },
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/remains.ts',
        function: '#assertFixedPages',
        before: "'auto_vacuum') === 0",
        after: "'auto_vacuum') !== null",
      },
    ],
  },
  {
    name: 'erasure-is-done-while-pieces-are-left',
    test: {
      file: 'runtime/src/engine/erase/erase-flow.test.ts',
      title: 'a flow is not called erased while pieces of it may be in the file',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/erase-flow.ts',
        function: 'eraseFlow',
        before: 'if (left !== null) return err(left)',
        after: '',
      },
    ],
  },
  {
    name: 'kept-answer-to-a-comment-outlives-its-flow',
    test: {
      file: 'server/src/http/routes/erased-comments.test.ts',
      title: 'a kept answer to a comment goes with the flow that it was about',
    },
    edits: [
      {
        file: 'server/src/http/routes/inbox.ts',
        function: 'createCommentRoute',
        before: "request: params.id ?? ''",
        after: "request: ''",
      },
    ],
  },
  {
    name: 'erasure-under-an-ended-key',
    test: {
      file: 'runtime/src/engine/erase/erase-flow.test.ts',
      title: 'nothing is erased under a key that another operator has ended meanwhile',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/erase-flow.ts',
        function: 'buildErasureUnit',
        before: "{ kind: 'authority_seq', seq },",
        after: '',
      },
    ],
  },
  {
    name: 'timer-answer-keeps-its-words',
    test: {
      file: 'server/src/http/routes/erased-timers.test.ts',
      title:
        'a kept answer to a timer has no words of the flow that it opens: by then nothing would find it',
    },
    edits: [
      {
        file: 'server/src/http/routes/timers.ts',
        function: 'createTimerRoutes',
        before: 'describeSet(set.value, name)',
        after: '({ ...set.value, name })',
      },
    ],
  },
  {
    // It would hold up every erasure, too.
    name: 'reader-keeps-its-snapshot',
    test: {
      file: 'runtime/src/adapters/sqlite/reader.test.ts',
      title: 'whoever waited for a read sees what was committed since',
    },
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/reader-snapshot.ts',
        function: 'begin',
        before: 'queueMicrotask(() => this.#end())',
        after: '',
      },
    ],
  },
  {
    name: 'notice-taken-beside-its-erasure',
    test: {
      file: 'runtime/src/engine/erase/erase-flow.test.ts',
      title:
        'a notice that is taken, or kept as failed, between the look and the erasure goes with the flow',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/flow-records.ts',
        function: 'buildForgottenNoticesUnit',
        before: 'guards: found.map(',
        after: 'guards: found.slice(found.length).map(',
      },
    ],
  },
]

/** These are seen in a storm. */
export const ERASURE_IN_STORM: readonly string[] = STORM_PATCHES.map(({ name }) => name)
