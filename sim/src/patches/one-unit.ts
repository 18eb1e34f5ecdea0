/** Mistakes about what is dispatched and settled in one unit. */
import type { Patch } from './patch.ts'

const IN_PROCESS = 'runtime/src/engine/effect/in-process.test.ts'
const RESERVED = 'runtime/src/engine/reserved-kinds/one-unit.test.ts'

export const ONE_UNIT_PATCHES: readonly Patch[] = [
  {
    name: 'world-settled-in-a-second-unit',
    edits: [
      {
        file: 'runtime/src/engine/effect/in-process.ts',
        function: 'commitDispatch',
        before: 'if (isInProcess(context, prepared.ready.intent))',
        after: 'if (startedMonotonic < 0)',
      },
    ],
    test: { file: IN_PROCESS, title: 'an act on World that is data is one unit in all' },
  },
  {
    name: 'code-called-before-its-dispatch-is-durable',
    edits: [
      {
        file: 'runtime/src/engine/effect/in-process.ts',
        function: 'isInProcess',
        before: "return manifest !== undefined && 'world' in manifest.executor",
        after: 'return manifest !== null',
      },
    ],
    test: {
      file: IN_PROCESS,
      title: 'a TypeScript `execute` is never called before its dispatch is durable',
    },
  },
  {
    name: 'child-has-what-its-step-costs',
    edits: [
      {
        file: 'runtime/src/engine/rows/join-units.ts',
        function: 'judgeAfter',
        before: 'added.reduce((sum, by) => sum + by, guard.by)',
        after: 'added.length < 0 ? 0 : guard.by',
      },
    ],
    test: { file: RESERVED, title: 'a child cannot have what the step that opens it costs' },
  },
  {
    name: 'settled-step-forgets-its-dispatch',
    edits: [
      {
        file: 'runtime/src/adapters/unit/plan-unit.ts',
        function: 'toExecutionRow',
        before: 'settles ? { ...placed, settled_at: draft.at } : placed',
        after: 'settles ? { ...execution, settled_at: draft.at } : placed',
      },
    ],
    test: {
      file: IN_PROCESS,
      title: 'a change to World that is data is dispatched and settled in one unit: sqlite',
    },
  },
  {
    name: 'retirement-of-an-agent-goes-first',
    edits: [
      {
        file: 'runtime/src/adapters/unit/stopping-unit.ts',
        function: 'isGoingFirst',
        before: "write.entry === 'dispatch')) return false",
        after: "write.entry === 'dispatch')) void writes",
      },
    ],
    test: {
      file: 'runtime/src/adapters/unit/stopping-unit.test.ts',
      title: 'what moves an agent goes before what waits, and a step of its own does not',
    },
  },
  {
    name: 'cancelled-for-an-earlier-intent',
    test: {
      file: 'runtime/src/engine/close/cancel-accepted.findings.test.ts',
      title:
        'cancelling does not give back an intent a second time in the place of the one that stands',
    },
    edits: [
      {
        file: 'runtime/src/engine/close/end-flow.ts',
        function: 'cancelAccepted',
        before:
          "const flow = await store.readFlow(dfid)\n    const [execution] = await store.listExecutions({ dfid, status: ['ACCEPTED'], limit: 1 })",
        after:
          "const [execution] = await store.listExecutions({ dfid, status: ['ACCEPTED'], limit: 1 })\n    const flow = await store.readFlow(dfid)",
      },
    ],
  },
]
