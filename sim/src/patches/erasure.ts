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
        file: 'runtime/src/engine/erase/flow-records.ts',
        function: 'dropReplies',
        before: "{ ...kept.body, body_hash: '' }",
        after: '{ ...kept.body }',
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
]

/** These are seen in a storm. */
export const ERASURE_IN_STORM: readonly string[] = STORM_PATCHES.map(({ name }) => name)
