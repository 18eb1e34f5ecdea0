/**
 * What `npm test` shows of a run: one line a file, every failure in full, every skip with its
 * reason. The counts go to the file named in `RUBICON_TEST_COUNTS`, for the summary.
 */
import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

export type Counts = {
  passed: number
  failed: number
  skipped: number
}

type Outcome = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data']

async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  const files = new Map<string, number>()
  for await (const event of source) {
    if (event.type === 'test:stderr') yield event.data.message
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { data } = event
    if (data.details.type === 'suite') continue
    if (data.skip !== undefined && data.skip !== false) {
      counts.skipped += 1
      yield `SKIPPED ${place(data)}: ${data.name}: ${data.skip}\n`
    } else if (event.type === 'test:fail' && data.todo === undefined) {
      counts.failed += 1
      yield `FAILED  ${place(data)}: ${data.name}\n${indented(event.data.details.error)}\n`
    } else {
      counts.passed += 1
    }
    const file = fileOf(data)
    files.set(file, (files.get(file) ?? 0) + 1)
  }
  for (const [file, tests] of [...files].sort()) yield `${String(tests).padStart(5)}  ${file}\n`
  const path = process.env.RUBICON_TEST_COUNTS
  if (path !== undefined) writeFileSync(path, JSON.stringify(counts))
}

function fileOf({ file, name }: Outcome): string {
  return relative(process.cwd(), file ?? name)
}

function place(data: Outcome): string {
  return data.line === undefined ? fileOf(data) : `${fileOf(data)}:${data.line}`
}

function indented(error: Error): string {
  const cause = error.cause instanceof Error ? (error.cause.stack ?? '') : inspect(error.cause)
  return (cause === 'undefined' ? (error.stack ?? error.message) : cause)
    .split('\n')
    .map((line) => `        ${line}`)
    .join('\n')
}

// biome-ignore lint/style/noDefaultExport: node takes a reporter by its default export
export default report
