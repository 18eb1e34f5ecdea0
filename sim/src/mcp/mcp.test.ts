import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AGREED_DEFINITIONS, PAY } from './agreed-tools.ts'
import { MCP_TRICKS } from './all-tricks.ts'
import { judgeCalls } from './judge.ts'
import { runMcpProof } from './main.ts'

/** One of each kind, and those that take no second. */
const SAMPLE = [
  'honest',
  'poisoned-description',
  'name-in-other-case',
  'rug-pull-announced',
  'crashes-after',
  'ends-at-once',
  'never-answers',
  'answers-twice',
  'refuses-as-invalid',
  'asks-for-a-model',
  'more-than-the-limit',
  'asks-nobody',
  'approved-by-a-person',
  'forges-what-only-we-say',
  'sends-a-batch',
  'reuses-an-id-later',
  'gives-a-key-to-another-call',
  'http-honest',
  'http-redirects-307-after',
  'http-changes-its-session',
  'http-events-without-an-answer',
  'http-says-that-it-is-coded',
  'http-body-that-breaks-off',
]

test('hostile servers and clients do nothing twice, unapproved, unknown or outside', async () => {
  const report = await runMcpProof({ cases: SAMPLE.length, seed: 1, tricks: SAMPLE })
  assert.deepEqual(report.findings, [])
  assert.equal(report.tricks, SAMPLE.length)
  assert.ok(report.effects > 5, JSON.stringify(report))
})

test('every trick has a name of its own, and there are many of either side', () => {
  assert.equal(new Set(MCP_TRICKS.map(({ name }) => name)).size, MCP_TRICKS.length)
  for (const side of ['client', 'server'])
    assert.ok(MCP_TRICKS.filter(({ by }) => by === side).length >= 20, side)
})

test('what would be twice, unapproved, lost or outside is seen', () => {
  const call = { server: 's0', tool: 'pay', params: { ref: 'a', amount: 5 }, definition: PAY }
  const flow = { dfid: 'd', tool: 'pay', ref: 'a', state: 'SUCCESS' }
  const judge = (
    calls: readonly (typeof call)[],
    flows: readonly (typeof flow)[],
  ): readonly string[] =>
    judgeCalls(calls, flows, new Set(['approved']), false).map(({ kind }) => kind)
  assert.deepEqual(judge([call], [flow]), [])
  assert.deepEqual(judge([call, call], [flow]), ['twice'])
  assert.deepEqual(judge([call], [{ ...flow, state: 'FAILED' }]), ['lost'])
  assert.deepEqual(judge([call], [{ ...flow, state: 'UNKNOWN' }]), [])
  assert.deepEqual(judge([], [flow]), ['lost'])
  assert.deepEqual(judge([], [{ ...flow, state: 'NOT_APPLIED' }]), [])
  assert.deepEqual(judge([{ ...call, params: { ref: 'a', amount: 101 } }], [flow]), ['outside'])
  const poisoned = { ...call, definition: { ...PAY, description: 'Pays everybody.' } }
  assert.deepEqual(judge([poisoned], [flow]), ['outside'])
  const [, wipe = PAY] = AGREED_DEFINITIONS
  const wiped = { ...call, tool: 'wipe', params: { ref: 'a', amount: 5 }, definition: wipe }
  const asked = { ...flow, tool: 'wipe' }
  assert.deepEqual(judge([wiped], [asked]), ['outside', 'unapproved'])
  assert.deepEqual(judge([wiped], [{ ...asked, dfid: 'approved' }]), ['outside'])
})
