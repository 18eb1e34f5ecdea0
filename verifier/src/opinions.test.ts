/** What guards and auditors said is read alike by both verifiers, and decides nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { places, verifyTwice } from './samples/agreement.test-support.ts'
import { LedgerBuilder } from './samples/ledger-builder.test-support.ts'
import { bootstrap } from './samples/sample-ledger.test-support.ts'

const OPINION: JsonObject = {
  salt: 's',
  by: 'story',
  step_id: 'step-1',
  proposal_hash: `sha256:${'0'.repeat(64)}`,
  details: { why: 'it fits' },
}

const GUARD: JsonObject = { ...OPINION, source: 'soft_guard', finding: 'mismatch', strict: true }
const AUDITOR: JsonObject = { ...OPINION, source: 'auditor', finding: 'drifted' }

const HASH = `sha256:${'0'.repeat(64)}`
const { details: _, ...ABOUT } = OPINION
const ASKED: JsonObject = {
  ...ABOUT,
  source: 'adviser',
  adviser: 'soft_guard',
  generation_id: 'g-1',
  provider: 'acme',
  model: 'm-1',
  request_hash: HASH,
  cost: { tokens: '7' },
  opinion: 'none',
}
const ANSWERED: JsonObject = {
  ...ASKED,
  finding: 'answered',
  answered_by: '',
  response_hash: HASH,
  usage: null,
  stop: 'end',
}
const FAILED: JsonObject = {
  ...ASKED,
  finding: 'failed',
  reason_code: 'ADVISER_BUDGET',
  charged: false,
}
const REVIEW: JsonObject = {
  salt: 's',
  source: 'review',
  finding: 'reviewed',
  details: { by: 'olga', justification: 'seen', flags: 1 },
}

async function found(payloads: readonly JsonObject[]): Promise<readonly string[]> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const first = builder.entries.length
  for (const payload of payloads) builder.append('main', 'evidence', payload)
  const wrong = places(await verifyTwice(builder.text()))
  return wrong.map((place) => {
    const [leaf = '', code = ''] = place.split(' ')
    return `${Number(leaf) - first} ${code}`
  })
}

test('opinions of guards and auditors stand in a ledger that verifies', async () => {
  const fine = [GUARD, { ...GUARD, finding: 'aligned', strict: false }]
  const audited = ['aligned', 'no_opinion'].map((finding) => ({ ...AUDITOR, finding }))
  assert.deepEqual(await found([...fine, AUDITOR, ...audited]), [])
})

test('an opinion of another form is found by both', async () => {
  const { strict: _, ...undecided } = GUARD
  const bad: readonly JsonObject[] = [
    { ...GUARD, finding: 'drifted' },
    { ...AUDITOR, finding: 'mismatch' },
    undecided,
    { ...AUDITOR, strict: false },
    { ...GUARD, by: 'no name' },
    { ...GUARD, proposal_hash: 'sha256:0' },
    { ...GUARD, details: {} },
    { ...AUDITOR, details: { why: 'it fits', more: 1 } },
  ]
  const wrong = bad.map((_, i) => `${i} ENTRY_UNREADABLE`)
  assert.deepEqual(await found(bad), wrong)
})

test('what models were asked about a step, and who looked at a flow, stands in that flow', async () => {
  const known = [ANSWERED, { ...FAILED, response_hash: HASH }, FAILED, REVIEW]
  assert.deepEqual(
    await found(known),
    known.map((_, i) => `${i} AUTHORITY_ORDER`),
  )
  const bad: readonly JsonObject[] = [
    { ...ANSWERED, opinion: 'approved' },
    { ...ANSWERED, adviser: 'kernel' },
    { ...ANSWERED, writ_id: HASH },
    { ...ANSWERED, used: { tokens: '7' } },
    { ...FAILED, finding: 'lost' },
    { ...FAILED, by: 'no name' },
    { ...REVIEW, details: { by: 'olga', justification: 'seen' } },
    { ...REVIEW, details: { by: 'olga', justification: 'seen', flags: -1 } },
    { ...REVIEW, source: 'person' },
  ]
  assert.deepEqual(
    await found(bad),
    bad.map((_, i) => `${i} ENTRY_UNREADABLE`),
  )
})
