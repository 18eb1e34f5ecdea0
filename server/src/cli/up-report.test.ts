/** How a served runtime writes what happened while nobody looked. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Options } from './call.ts'
import { chooseReport } from './up-tenants.ts'

function choose(
  t: TestContext,
  isTTY: boolean,
  options: Readonly<Record<string, unknown>> = {},
): ReturnType<typeof chooseReport> {
  const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY')
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true })
  t.after(() => {
    if (before === undefined) Reflect.deleteProperty(process.stderr, 'isTTY')
    else Object.defineProperty(process.stderr, 'isTTY', before)
  })
  return chooseReport({ streams: process, options: new Options(options) })
}

test('on a terminal the runtime writes notices for people, and takes no lines away from it', (t) => {
  assert.deepEqual(choose(t, true), {})
})

test('for a program, and where a log was asked for, each notice is a line of JSON', (t) => {
  assert.ok('report' in choose(t, false))
  assert.ok('report' in choose(t, true, { json: true }))
  assert.ok('report' in choose(t, true, { log: true }))
})
