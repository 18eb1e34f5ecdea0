import { toCanonicalText } from '../canonical/write-json.ts'
import type { Stage } from './stage.ts'
import { PASS } from './stage.ts'
import type { StageTrace, Trace } from './verdict.ts'

export type TraceWriter = (trace: Trace) => string

export function traceWriter(stages: readonly Stage[]): TraceWriter {
  const passed = new Map<string, string>()
  for (const { name, reads } of stages)
    passed.set(name, formatLine({ stage: name, read: reads, ...PASS }))
  // A line with anything beyond stage, read and said is written out.
  const isPlain = (line: StageTrace): boolean =>
    line.said === 'pass' &&
    line.measures === undefined &&
    line.policies === undefined &&
    line.covered === undefined
  return (trace) =>
    `[${trace.map((line) => (isPlain(line) ? passed.get(line.stage) : formatLine(line))).join(',')}]`
}

function formatLine(line: StageTrace): string {
  return toCanonicalText(line)
}
