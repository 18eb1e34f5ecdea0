/** What the fuzzer wrote down of its run. */
import { existsSync, readFileSync } from 'node:fs'

export type FuzzReport = {
  /** How many operations it asked; 0: it did not come to its end. */
  readonly asked: number
  /** `SSE event violates schema: GET /v1/events` */
  readonly failures: readonly string[]
}

type Written = {
  readonly complete: boolean
  readonly operations: { readonly selected: number; readonly tested: number }
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[]
  readonly errors: readonly unknown[]
}

/** A report that is not there is that of a run that failed. */
export function readReport(file: string): FuzzReport {
  if (!existsSync(file)) return { asked: 0, failures: ['the fuzzer wrote no report'] }
  const { complete, operations, failures, errors } = parseReport(readFileSync(file, 'utf8'))
  return {
    asked: complete && operations.tested === operations.selected ? operations.tested : 0,
    failures: [
      ...failures.flatMap(({ title, operations: at }) => at.map((one) => `${title}: ${one}`)),
      ...errors.map((error) => `the fuzzer failed: ${JSON.stringify(error)}`),
    ],
  }
}

function parseReport(text: string): Written {
  return JSON.parse(text)
}
