/** What an agent explained is read alike by both verifiers, and decides nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { places, verifyTwice } from './samples/agreement.test-support.ts'
import { LedgerBuilder } from './samples/ledger-builder.test-support.ts'
import { bootstrap, DFID, grant, writBody } from './samples/sample-ledger.test-support.ts'

const EXPLAINED: JsonObject = {
  salt: 's',
  source: 'agent',
  finding: 'explained',
  explain_ref: 'exp_1',
  narrative: 'the parcel was late',
  identified_signals: ['late'],
  risks: [],
}

test('an explanation stands in a ledger that verifies; one of another form is found', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  grant(builder, writBody(builder))
  builder.append('main', 'evidence', EXPLAINED, { dfid: DFID })
  assert.deepEqual(places(await verifyTwice(builder.text())), [])
  const first = builder.entries.length
  const bad: readonly JsonObject[] = [
    { ...EXPLAINED, explain_ref: 'a b' },
    { ...EXPLAINED, narrative: null },
    { ...EXPLAINED, risks: [1] },
    { ...EXPLAINED, source: 'person' },
    { ...EXPLAINED, mood: 'good' },
  ]
  for (const payload of bad) builder.append('main', 'evidence', payload, { dfid: DFID })
  const wrong = places(await verifyTwice(builder.text()))
  assert.deepEqual(wrong, bad.map((_, i) => `${first + i} ENTRY_UNREADABLE`).sort())
})
