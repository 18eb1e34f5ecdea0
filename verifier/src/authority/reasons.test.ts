import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import type { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { ledger } from '../samples/sample-approvals.test-support.ts'
import { contract, DFID } from '../samples/sample-ledger.test-support.ts'

const UNREADABLE = ['', ' ', '\u2800', '\u200b'] as const

/** Whether the last entry is found, and that nothing else is. */
async function isFound(write: (builder: LedgerBuilder) => unknown): Promise<boolean> {
  const { builder } = ledger()
  write(builder)
  const found = places(await verifyTwice(builder.text()))
  if (found.length > 0) assert.deepEqual(found, [`${builder.entries.length - 1} AUTHORITY_ORDER`])
  return found.length > 0
}

function moves(from: string, to: string, justification: string): JsonObject {
  const { agent_id } = contract
  return { agent_id, from, to, actor: 'operator', by: 'ann', justification }
}

test('AUTHORITY_ORDER: an agent leaves a suspension, and nobody can read why', async () => {
  const reactivate = (justification: string) => (builder: LedgerBuilder) => {
    builder.decree('lifecycle', moves('ACTIVE', 'SUSPENDED', ''))
    builder.decree('lifecycle', moves('SUSPENDED', 'ACTIVE', justification))
  }
  assert.ok(!(await isFound(reactivate('it was a false alarm'))))
  for (const why of UNREADABLE) assert.ok(await isFound(reactivate(why)), JSON.stringify(why))
})

test('AUTHORITY_ORDER: a clock is confirmed, or a monitor withdrawn, and nobody can read why', async () => {
  const clock = '2026-02-01T09:00:00.000Z'
  const confirm = (reason: string) => (builder: LedgerBuilder) =>
    builder.decree('anchor', { action: 'confirm_clock', clock, last: clock, reason })
  const unwatch = (reason: string) => (builder: LedgerBuilder) =>
    builder.decree('policy', { action: 'unwatch', name: 'errors', reason })
  for (const write of [confirm, unwatch]) {
    assert.ok(!(await isFound(write('asked for'))))
    for (const why of UNREADABLE) assert.ok(await isFound(write(why)), JSON.stringify(why))
  }
})

test('AUTHORITY_ORDER: what was flagged was looked at, and nobody can read what came of it', async () => {
  const review = (justification: string) => (builder: LedgerBuilder) => {
    const details = { by: 'ann@example.com', justification, flags: 1 }
    const payload = { salt: '', source: 'review', finding: 'reviewed', details }
    builder.append('main', 'evidence', payload, { dfid: DFID })
  }
  assert.ok(!(await isFound(review('it is as the customer wrote'))))
  for (const why of UNREADABLE) assert.ok(await isFound(review(why)), JSON.stringify(why))
})
