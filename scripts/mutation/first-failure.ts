/**
 * A reporter that ends the process with the first test that fails: one is enough to notice a mistake, and
 * the others would take their time.
 */
import type { TestEvent } from 'node:test/reporters'

async function* terminateAtFailure(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type } of events) {
    if (type === 'test:fail') process.exit(1)
    yield ''
  }
}

// biome-ignore lint/style/noDefaultExport: `--test-reporter` takes a default export, and nothing else
export { terminateAtFailure as default }
