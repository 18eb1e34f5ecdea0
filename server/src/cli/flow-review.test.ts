import assert from 'node:assert/strict'
import { test } from 'node:test'
import { home, run, runJson } from './cli.test-support.ts'
import { leaveFlagged } from './flagged.test-support.ts'
import { leaveHalfDone } from './half-done.test-support.ts'

const WORD = ['--reason', 'the photo shows it', '--by', 'jane', '--yes']

test('a person finds a flagged flow, sees why, and clears it with a reason', async () => {
  const { folder, at } = home()
  const dfid = await leaveFlagged(folder)
  const { data: listed } = await runJson(['flows', 'list', '--tag', 'needs_review', ...at])
  assert.deepEqual(
    listed.flows.map((flow: { dfid: string }) => flow.dfid),
    [dfid],
  )
  assert.equal((await run(['flows', 'list', '--tag', 'ODD', ...at])).exit, 2)
  const shown = await run(['flows', 'show', dfid, ...at])
  assert.match(shown.stdout, /flagged {2}by soft_guard story: odd/)
  assert.ok(!shown.stdout.includes('\u001b[2J'))
  const { exit, data } = await runJson(['flows', 'review', dfid, ...WORD, ...at])
  assert.equal(exit, 0)
  assert.deepEqual(
    [data.dfid, data.by, data.justification, data.flags, data.repeated],
    [dfid, 'jane', 'the photo shows it', 1, false],
  )
  const again = await runJson(['flows', 'review', dfid, ...WORD, ...at])
  assert.deepEqual([again.exit, again.data.repeated], [0, true])
  const after = await run(['flows', 'show', dfid, ...at])
  assert.match(after.stdout, /reviewed by jane "the photo shows it"/)
  assert.match(after.stdout, /\(reviewed\)/)
  const none = await runJson(['flows', 'list', '--tag', 'NEEDS_REVIEW', ...at])
  assert.deepEqual(none.data.flows, [])
  assert.equal((await run(['verify', ...at.slice(0, 2)])).exit, 0)
})

test('without a person or a reason nothing is cleared, and what is to be settled is not', async () => {
  const { folder, at } = home()
  const { half, lost } = await leaveHalfDone(folder)
  assert.equal((await run(['flows', 'review', half, '--reason', 'r', '--yes', ...at])).exit, 2)
  assert.equal((await run(['flows', 'review', half, '--by', 'jane', '--yes', ...at])).exit, 2)
  for (const dfid of [half, lost]) {
    const { exit, data } = await runJson(['flows', 'review', dfid, ...WORD, ...at])
    assert.equal(exit, 2)
    assert.match(data.error.code, /REVIEW_(UNSETTLED|NOT_NEEDED)/)
  }
})
