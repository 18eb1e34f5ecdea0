import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { type Counts, testReport } from './test-report.ts'

async function reported(skip: string | undefined): Promise<[Counts, string]> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, absent: 0 }
  const data = {
    name: 'it holds',
    nesting: 0,
    file: 'a.test.ts',
    skip,
    details: { duration_ms: 1 },
  }
  async function* events(): AsyncGenerator<TestEvent> {
    yield { type: 'test:pass', data } as TestEvent
  }
  let text = ''
  for await (const part of testReport(events(), counts)) text += part
  return [counts, text]
}

test('what is not beside the checkout is counted apart from what was skipped', async () => {
  const none: Counts = { passed: 0, failed: 0, skipped: 0, absent: 0 }
  const [passed] = await reported(undefined)
  assert.deepEqual(passed, { ...none, passed: 1 })
  const [skipped, told] = await reported('no server')
  assert.deepEqual(skipped, { ...none, skipped: 1 })
  assert.match(told, /^SKIPPED a\.test\.ts: it holds: no server$/m)
  const [absent, silent] = await reported('NOT BESIDE: there is no ../shared/vectors')
  assert.deepEqual(absent, { ...none, absent: 1 })
  assert.doesNotMatch(silent, /SKIPPED/)
})
