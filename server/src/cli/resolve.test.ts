import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { home, run, runJson } from './cli.test-support.ts'
import { leaveHalfDone } from './half-done.test-support.ts'

const word = ['--evidence', 'statement 12', '--reason', 'seen at the bank', '--by', 'jane', '--yes']

test('a person settles a step, and a dirty flow, on his word; both are in the ledger', async () => {
  const { folder, at } = home()
  const { lost, half } = await leaveHalfDone(folder)
  const { data: listed } = await runJson(['executions', 'list', ...at])
  assert.equal(listed.executions[0].status, 'MANUAL_REVIEW')
  assert.deepEqual(
    listed.dirty.map(({ dfid, standing }: JsonObject) => [dfid, standing]),
    [[half, 'open']],
  )

  const step = ['executions', 'resolve', lost, 'odd', '--outcome', 'applied', ...word, ...at]
  const settled = await runJson(step)
  assert.equal(settled.exit, 0)
  assert.deepEqual(settled.data, {
    dfid: lost,
    step_id: 'odd',
    outcome: 'applied',
    status: 'SUCCESS',
    by: 'jane',
    reason: 'seen at the bank',
  })
  const again = await runJson(step)
  assert.deepEqual([again.exit, again.data.error.code], [2, 'EXECUTION_NOT_IN_REVIEW'])

  const whole = await runJson([
    ...['executions', 'resolve', half, '--outcome', 'applied', ...word, ...at],
  ])
  assert.deepEqual([whole.exit, whole.data.status], [0, 'compensated'])
  const { data: shown } = await runJson(['flows', 'show', half, ...at])
  assert.deepEqual(shown.flow.tags, ['COMPENSATED'])
  assert.equal((await run(['verify', ...at.slice(0, 2)])).exit, 0)
})

test('without an outcome, a person, a reason or evidence nothing is settled', async () => {
  const { folder, at } = home()
  const { half } = await leaveHalfDone(folder)
  const full = { outcome: 'applied', evidence: 'e', reason: 'r', by: 'jane' }
  for (const missing of Object.keys(full)) {
    const given = Object.entries(full).filter(([name]) => name !== missing)
    const options = given.flatMap(([name, value]) => [`--${name}`, value])
    const { exit } = await run(['executions', 'resolve', half, ...options, '--yes', ...at])
    assert.equal(exit, 2, missing)
  }
  const odd = ['--outcome', 'maybe', ...word]
  assert.equal((await run(['executions', 'resolve', half, ...odd, ...at])).exit, 2)
  const { data } = await runJson(['executions', 'list', ...at])
  assert.equal(data.dirty.length, 1)
})

test('nobody settles or erases under a name that no person can have', async () => {
  const { folder, at } = home()
  const { half } = await leaveHalfDone(folder)
  const said = ['--evidence', 'e', '--reason', 'r', '--outcome', 'abandon', '--yes', ...at]
  const erased = ['--reason', 'r', '--yes', ...at]
  const decided = ['--decision', 'ABORT', '--justification', 'j', '--yes', ...at]
  for (const by of ['agent:refunds_bot', 'oidc:x', 'source:x', 'kernel', 'Runtime ', 'jane\u200b'])
    for (const verb of [
      ['executions', 'resolve', half, ...said],
      ['erase', half, ...erased],
      ['escalations', 'resolve', `${half}:1`, ...decided],
    ]) {
      const { exit, data } = await runJson([...verb, '--by', by])
      assert.deepEqual([exit, data.error?.code], [2, 'PERSON_NAME'], `${by}: ${verb[0]}`)
    }
  const { exit, data } = await runJson(['erase', half, ...erased, '--by', ''])
  assert.deepEqual([exit, data.error?.code], [2, 'PERSON_NAME'])
  assert.equal((await runJson(['executions', 'list', ...at])).data.dirty.length, 1)
})

test('what is typed is shown escaped', async () => {
  const { folder, at } = home()
  const { half } = await leaveHalfDone(folder)
  const odd = '\u001b[2Jodd'
  const args = ['executions', 'resolve', half, odd, '--outcome', 'applied', ...word, ...at]
  const { exit, stderr, stdout } = await run(args)
  assert.equal(exit, 2)
  assert.ok(!`${stderr}${stdout}`.includes('\u001b[2J'))
})
