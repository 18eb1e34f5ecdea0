/** Mistakes about what is told of a runtime: an alarm or a reader of traces would miss something. */
import type { Patch } from './patch.ts'

export const TELEMETRY_PATCHES: readonly Patch[] = [
  {
    name: 'counters-begin-with-their-first',
    findings: ['41a'],
    edits: [
      {
        file: 'runtime/src/adapters/telemetry/metrics.ts',
        function: 'createMetrics',
        before: 'for (const zero of combineLabels(lists))',
        after: 'for (const zero of combineLabels(lists).slice(1))',
      },
    ],
  },
  {
    name: 'seconds-in-buckets-of-milliseconds',
    findings: ['41b'],
    edits: [
      {
        file: 'runtime/src/adapters/telemetry/metrics.ts',
        function: 'selectBuckets',
        before: "return name.endsWith('_seconds') ? SECONDS : MS",
        after: 'return MS',
      },
    ],
  },
  {
    name: 'root-span-ends-before-its-children',
    findings: ['41c'],
    edits: [
      {
        file: 'runtime/src/engine/telemetry/teller.ts',
        function: 'tellAfterProposals',
        before: 'if (known === undefined) tell(end)',
        after: 'if (known !== null) return tell(end)',
      },
    ],
  },
  {
    name: 'root-span-comes-with-the-end',
    findings: ['41c'],
    edits: [
      {
        file: 'runtime/src/engine/telemetry/flow-signals.ts',
        function: 'tellBegun',
        before: 'telemetry.span(buildFlowSpan(flow, {}, end))',
        after: 'if (end === 0) telemetry.span(buildFlowSpan(flow, {}, end))',
      },
    ],
  },
  {
    name: 'traces-of-no-release',
    findings: ['41d'],
    edits: [
      {
        file: 'runtime/src/adapters/telemetry/otlp.ts',
        function: 'toOtlpRequest',
        before:
          "const attributes = [toKeyValue('service.name', name), toKeyValue('service.version', version)]",
        after: "const attributes = [toKeyValue('service.name', name)]",
      },
    ],
  },
]
