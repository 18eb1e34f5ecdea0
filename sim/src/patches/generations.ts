/** Mistakes where the runtime asks a model for the agent of a flow. */
import type { Patch } from './patch.ts'

const WITHDRAWN = 'runtime/src/engine/generate/withdrawn-authority.test.ts'

export const GENERATIONS_PATCHES: readonly Patch[] = [
  {
    name: 'model-asked-on-remembered-authority',
    test: {
      file: WITHDRAWN,
      title: 'no model is asked in an outage for an agent that was suspended meanwhile',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'loadStanding',
        before: 'context.authorities.loadCurrent(authority_seq)',
        after: 'context.authorities.loadLatest()',
      },
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'loadStanding',
        before: 'seq: authority.seq',
        after: 'seq: authority_seq',
      },
    ],
  },
  {
    name: 'model-asked-after-a-suspension',
    test: {
      file: WITHDRAWN,
      title:
        'no model is asked where the suspension comes between the look at authority and the reservation',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'reserveLargest',
        before: "{ kind: 'authority_seq', seq },",
        after: '',
      },
    ],
  },
  {
    name: 'generation-asked-before-it-is-reserved',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'nothing is asked before the most that it can cost is reserved',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'reserveLargest',
        before: `      ...budget.writes,
`,
        after: '',
      },
      {
        file: 'runtime/src/engine/generate/settle-generation.ts',
        function: 'settleBudget',
        before: 'getUnits(measure, spent) - getUnits(measure, reserved)',
        after: 'getUnits(measure, spent)',
      },
    ],
  },
  {
    name: 'generation-without-a-bound',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'what is not granted is not asked',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'reserveLargest',
        before: `      ...budget.guards,
`,
        after: '',
      },
    ],
  },
  {
    name: 'generation-that-was-lost-is-free',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'what was under way when the runtime ended is lost, and is paid for',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/recover-generations.ts',
        function: 'recoverGenerations',
        before: 'used: open.reserved',
        after: 'used: {}',
      },
    ],
  },
  {
    name: 'generation-that-failed-is-free',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'a failure is on the record, and costs what it may have cost',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/generation-end.ts',
        function: 'buildFailedEnd',
        before: 'used: charged ? reserved : {}',
        after: 'used: {}',
      },
    ],
  },
  {
    name: 'generation-above-its-budget-goes-on',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'usage above the budget is recorded whole, and ends the flow',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/settle-generation.ts',
        function: 'writeEnd',
        before: 'const exhausted = over.length > 0',
        after: 'const exhausted = over.length < 0',
      },
    ],
  },
  {
    name: 'generation-of-an-agent-that-is-stopped',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'who may not act asks no model',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/start-generation.ts',
        function: 'loadStanding',
        before: 'if (ended !== null || writ === undefined)',
        after: 'if (writ === undefined)',
      },
    ],
  },
  {
    name: 'generation-kept-after-erasure',
    test: {
      file: 'runtime/src/engine/generate/generate.test.ts',
      title: 'what was asked and said goes with the flow when it is erased',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/flow-records.ts',
        function: 'forgetRecords',
        before: '...dropGenerations(dfid, entries),',
        after: '',
      },
    ],
  },
  {
    name: 'generation-goes-on-for-nobody',
    test: {
      file: 'server/src/http/routes/generations.test.ts',
      title: 'whoever hangs up has asked all the same',
    },
    edits: [
      {
        file: 'server/src/http/events/generation-stream.ts',
        function: '#leave',
        before: 'this.#gone.abort()',
        after: '',
      },
    ],
  },
  {
    name: 'generation-counted-in-one-piece',
    test: {
      file: 'runtime/src/engine/generate/generation-cost.test.ts',
      title: 'C2 a long request is counted in slices, and others have the thread between them',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/generation-cost.ts',
        function: 'computeLargestCost',
        before: 'if (from > 0) await pause()',
        after: '',
      },
    ],
  },
  {
    name: 'verifier-model-costs-nothing',
    test: {
      file: 'verifier/src/effects/fold.findings.test.ts',
      title: 'AUTHORITY_ORDER: what a model was asked for is spent, and then nothing is decided',
    },
    edits: [
      {
        file: 'verifier/src/effects/fold.ts',
        function: 'foldEvidence',
        before: "if ('used' in payload)",
        after: "if ('used' in payload && payload.source === 'agent')",
      },
    ],
  },
]
