/** A reporter of `node --test`: one line of JSON for each test that ended. */
import type { TestEvent } from 'node:test/reporters'

export type Ended = {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly error: string | null
}

async function* reportEndedTests(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, skip, todo } = event.data
    const isSkipped = (skip ?? false) !== false || (todo ?? false) !== false
    const failed = event.type === 'test:fail' ? event.data.details.error : null
    const cause = failed?.cause
    const ended: Ended = {
      name,
      outcome: isSkipped ? 'skipped' : failed === null ? 'passed' : 'failed',
      error: cause instanceof Error ? cause.message : (failed?.message ?? null),
    }
    yield `${JSON.stringify(ended)}\n`
  }
}

// biome-ignore lint/style/noDefaultExport: `--test-reporter` takes a default export, and nothing else
export { reportEndedTests as default }
