/** What `npm test` shows of a run: one line a file, every failure in full, every skip with its reason. */
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

export type Counts = {
  passed: number
  failed: number
  skipped: number
  /** Not run because a clone alone has nothing beside it. */
  absent: number
  /** Files with a failure. */
  readonly failedIn: Set<string>
}

export function createCounts(): Counts {
  return { passed: 0, failed: 0, skipped: 0, absent: 0, failedIn: new Set() }
}

/** Tests that a suite shared by many leaves out for one of them, by nature: nothing went unchecked. */
const NOT_APPLICABLE: ReadonlySet<unknown> = new Set(['memory ends with the process'])

/** How the reason of a test begins that reads what lies beside the checkout, where nothing does. */
const NOT_BESIDE = 'NOT BESIDE'

type Outcome = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data']

/** The text of a run, and what it counts as it goes. */
export async function* testReport(
  source: AsyncIterable<TestEvent>,
  counts: Counts,
): AsyncGenerator<string> {
  const files = new Map<string, { tests: number; ms: number }>()
  for await (const event of source) {
    if (event.type === 'test:stderr') yield event.data.message
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { data } = event
    const file = files.get(toFilePath(data)) ?? { tests: 0, ms: 0 }
    files.set(toFilePath(data), file)
    if (data.nesting === 0) file.ms += data.details.duration_ms
    if (data.details.type === 'suite' || NOT_APPLICABLE.has(data.skip)) continue
    file.tests += 1
    if (typeof data.skip === 'string' && data.skip.startsWith(NOT_BESIDE)) {
      counts.absent += 1
    } else if (data.skip !== undefined && data.skip !== false) {
      counts.skipped += 1
      yield `SKIPPED ${formatPlace(data)}: ${data.name}: ${data.skip}\n`
    } else if (event.type === 'test:fail' && data.todo === undefined) {
      counts.failed += 1
      counts.failedIn.add(toFilePath(data))
      yield `FAILED  ${formatPlace(data)}: ${data.name}\n${formatError(event.data.details.error)}\n`
    } else {
      counts.passed += 1
    }
  }
  for (const [path, { tests, ms }] of [...files].sort()) {
    yield `${String(tests).padStart(5)}  ${(ms / 1000).toFixed(1).padStart(6)} s  ${path}\n`
  }
}

function toFilePath({ file, name }: Outcome): string {
  return relative(process.cwd(), file ?? name)
}

function formatPlace(data: Outcome): string {
  return data.line === undefined ? toFilePath(data) : `${toFilePath(data)}:${data.line}`
}

function formatError(error: Error): string {
  const cause = error.cause instanceof Error ? (error.cause.stack ?? '') : inspect(error.cause)
  return (cause === 'undefined' ? (error.stack ?? error.message) : cause)
    .split('\n')
    .map((line) => `        ${line}`)
    .join('\n')
}
