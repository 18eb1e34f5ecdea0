import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { type Counts, createCounts, testReport } from './test-report.ts'

/** As groups report a file: after its tests, under its name. */
function buildSuiteEvent(type: 'test:pass' | 'test:fail', more: object): TestEvent {
  const details = { duration_ms: 2, type: 'suite', ...more }
  const data = { name: 'a.test.ts', nesting: 0, file: 'group.mjs', details }
  return { type, data } as unknown as TestEvent
}

async function reported(skip: string | undefined): Promise<[Counts, string]> {
  const counts = createCounts()
  const data = {
    name: 'it holds',
    nesting: 1,
    file: 'a.test.ts',
    skip,
    details: { duration_ms: 1 },
  }
  async function* events(): AsyncGenerator<TestEvent> {
    yield { type: 'test:pass', data } as TestEvent
    yield buildSuiteEvent('test:pass', {})
  }
  let text = ''
  for await (const part of testReport(events(), counts)) text += part
  return [counts, text]
}

test('what is not beside the checkout is counted apart from what was skipped', async () => {
  const none = { ...createCounts(), testsIn: new Map([['a.test.ts', 1]]) }
  const [passed] = await reported(undefined)
  assert.deepEqual(passed, { ...none, passed: 1 })
  const [skipped, told] = await reported('no server')
  assert.deepEqual(skipped, { ...none, skipped: 1 })
  assert.match(told, /^SKIPPED a\.test\.ts: it holds: no server$/m)
  const [absent, silent] = await reported('NOT BESIDE: there is no ../shared/vectors')
  assert.deepEqual(absent, { ...none, absent: 1 })
  assert.doesNotMatch(silent, /SKIPPED/)
})

test('a failure is counted, and the file that it is in', async () => {
  const counts = createCounts()
  const details = { duration_ms: 1, error: new Error('no') }
  const data = { name: 'it holds', nesting: 1, file: 'shared.ts', line: 3, details }
  const error = Object.assign(new Error('1 subtest failed'), { failureType: 'subtestsFailed' })
  async function* events(): AsyncGenerator<TestEvent> {
    yield { type: 'test:fail', data } as unknown as TestEvent
    yield buildSuiteEvent('test:fail', { error })
  }
  let text = ''
  for await (const part of testReport(events(), counts)) text += part
  assert.deepEqual(counts, {
    ...createCounts(),
    failed: 1,
    failedIn: new Set(['a.test.ts']),
    testsIn: new Map([['a.test.ts', 1]]),
  })
  assert.match(text, /^FAILED {2}shared\.ts:3: it holds$/m)
})

test('a file that cannot be read fails, though no test of it does', async () => {
  const counts = createCounts()
  async function* events(): AsyncGenerator<TestEvent> {
    yield buildSuiteEvent('test:fail', { error: new Error('no such module') })
  }
  let text = ''
  for await (const part of testReport(events(), counts)) text += part
  assert.deepEqual(counts, {
    ...createCounts(),
    failed: 1,
    failedIn: new Set(['a.test.ts']),
    testsIn: new Map([['a.test.ts', 0]]),
  })
  assert.match(text, /no such module/)
})
