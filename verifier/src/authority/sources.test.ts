/** Sources in a ledger: who may register one, and that a path has one owner. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { bootstrap } from '../samples/sample-ledger.test-support.ts'

const FEED: JsonObject = {
  action: 'register',
  source_id: 'feed',
  label: 'trusted',
  paths: ['market.*', 'fx.EUR'],
  max_paths: 100,
}
const RETIRED: JsonObject = { action: 'retire', source_id: 'feed' }
const KEY = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='

async function decreed(
  bodies: readonly JsonObject[],
  by: 'operator' | 'kernel' = 'operator',
): Promise<readonly string[]> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  for (const body of bodies) builder.decree('source', body, builder[by])
  return places(await verifyTwice(builder.text()))
}

test('an operator registers sources, changes them and retires them', async () => {
  const other = { ...FEED, source_id: 'other', label: 'external', key: KEY, by: 'jane' }
  assert.deepEqual(await decreed([FEED, { ...FEED, label: 'operator' }, RETIRED, other]), [])
})

test('ENTRY_SIGNATURE: the runtime cannot say who is believed', async () => {
  assert.deepEqual(await decreed([FEED], 'kernel'), ['9 ENTRY_SIGNATURE'])
})

test('ENTRY_UNREADABLE: no source has the label of an agent, or a member that nobody reads', async () => {
  for (const body of [
    { ...FEED, label: 'agent' },
    { ...FEED, more: 1 },
    { ...RETIRED, label: 'trusted' },
  ])
    assert.deepEqual(await decreed([body]), ['9 ENTRY_UNREADABLE'])
})

test('AUTHORITY_ORDER: a path has one owner, and some have none', async () => {
  const twin = { ...FEED, source_id: 'twin', paths: ['news.*', 'market.*'] }
  assert.deepEqual(await decreed([FEED, twin]), ['10 AUTHORITY_ORDER'])
  for (const body of [
    RETIRED,
    { ...FEED, paths: [] },
    { ...FEED, paths: ['a', 'a'] },
    { ...FEED, paths: ['a b'] },
    { ...FEED, paths: ['claims.bot.x'] },
    { ...FEED, paths: ['kernel.*'] },
    { ...FEED, paths: ['escalation'] },
    { ...FEED, max_paths: 0 },
    { ...FEED, source_id: 'operator:jane' },
    { ...FEED, key: 'AAAA' },
    { ...FEED, key: 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
  ])
    assert.deepEqual(await decreed([body]), ['9 AUTHORITY_ORDER'], JSON.stringify(body))
})
