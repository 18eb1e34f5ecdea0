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
  /** How many each file has. */
  readonly testsIn: Map<string, number>
}

export function createCounts(): Counts {
  return { passed: 0, failed: 0, skipped: 0, absent: 0, failedIn: new Set(), testsIn: new Map() }
}

/** Tests that a suite shared by many leaves out for one of them, by nature: nothing went unchecked. */
const NOT_APPLICABLE: ReadonlySet<unknown> = new Set(['memory ends with the process'])

/** How the reason of a test begins that reads what lies beside the checkout, where nothing does. */
const NOT_BESIDE = 'NOT BESIDE'

type Outcome = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data']

/** The text of a run, and what it counts as it goes. What is reported before a suite of the first level is in it. */
export async function* testReport(
  source: AsyncIterable<TestEvent>,
  counts: Counts,
): AsyncGenerator<string> {
  const files = new Map<string, { readonly tests: number; readonly ms: number }>()
  let tests = 0
  let failed = 0
  for await (const event of source) {
    if (event.type === 'test:stderr') yield event.data.message
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { data } = event
    const isFailure = event.type === 'test:fail' && data.todo === undefined
    if (isFailure && isOwnFailure(event.data)) {
      counts.failed += 1
      failed += 1
      yield `FAILED  ${formatPlace(data)}: ${data.name}\n${formatError(event.data.details.error)}\n`
    }
    if (data.details.type !== 'suite' && !NOT_APPLICABLE.has(data.skip)) {
      tests += 1
      if (!isFailure) yield countOther(data, counts)
    }
    if (data.nesting > 0) continue
    if (failed > 0) counts.failedIn.add(toEntry(data))
    files.set(toEntry(data), { tests, ms: data.details.duration_ms })
    counts.testsIn.set(toEntry(data), tests)
    tests = 0
    failed = 0
  }
  for (const [path, file] of [...files].sort()) {
    yield `${String(file.tests).padStart(5)}  ${(file.ms / 1000).toFixed(1).padStart(6)} s  ${path}\n`
  }
}

function countOther(data: Outcome, counts: Counts): string {
  if (typeof data.skip === 'string' && data.skip.startsWith(NOT_BESIDE)) counts.absent += 1
  else if (data.skip !== undefined && data.skip !== false) {
    counts.skipped += 1
    return `SKIPPED ${formatPlace(data)}: ${data.name}: ${data.skip}\n`
  } else counts.passed += 1
  return ''
}

/** A suite fails with its tests, which were counted, or by itself: a file that cannot be read, a hook. */
function isOwnFailure({ details }: Extract<TestEvent, { type: 'test:fail' }>['data']): boolean {
  return details.type !== 'suite' || !isOfTests(details.error)
}

function isOfTests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed'
}

/** The file that was run: groups name their suites after it. A program that ended otherwise has its own path. */
function toEntry(data: Outcome): string {
  return data.details.type === 'suite' ? data.name : toFilePath(data)
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
