/** What was filled into a proposal is judged by both verifiers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Facts, JsonObject, JsonValue } from 'rubicon-kernel'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { bootstrap, DFID, decide, grant, writBody } from '../samples/sample-ledger.test-support.ts'
import { findFilledProblems } from './filled.ts'

/** A dispatch, at leaf 11, whose proposal was completed so. */
async function found(filled: readonly string[], proposal: JsonObject = {}): Promise<string[]> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const { record } = decide(builder, grant(builder, writBody(builder)), {}, { proposal })
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  builder.append('main', 'dispatch', { ...record, send: 1, filled: [...filled] }, place)
  return places(await verifyTwice(builder.text()))
}

test('what the flow said may be filled in', async () => {
  assert.deepEqual(await found(['agent_id', 'dfid']), [])
})

test('finding 25b: nothing else is put into the mouth of an agent, and nothing into what it signed', async () => {
  assert.deepEqual(await found(['agent_id'], { agent_id: 'somebody' }), [
    '11 AUTHORITY_ORDER',
    '11 ENTRY_SIGNATURE',
  ])
  const signature = { key_id: 'k', sig: 'c2ln' }
  assert.deepEqual(await found(['agent_id'], { signature }), ['11 ENTRY_SIGNATURE'])
})

test('members are named once, in order, and are some', async () => {
  for (const filled of [[], ['dfid', 'agent_id'], ['dfid', 'dfid']])
    assert.deepEqual(await found(filled), ['11 ENTRY_SIGNATURE'])
  assert.deepEqual(await found(['params']), ['11 ENTRY_UNREADABLE'])
})

test('only an object that nobody signed is filled in', () => {
  const facts = {} as unknown as Facts
  const said = (proposal: JsonValue): string[] =>
    findFilledProblems({ filled: ['dfid'], proposal, facts })
  const signed = ['a proposal that is signed was filled in']
  assert.deepEqual(said({ dfid: DFID }), [], 'there are no facts to hold it against')
  assert.deepEqual(said({ dfid: DFID, signature: {} }), signed)
  assert.deepEqual(said('a text'), signed)
})

test('each member that was filled in is that of the flow', () => {
  const flow = { agent_id: 'an agent', dfid: DFID, snapshot_id: 'a snapshot' }
  const facts = { flow, contract: null } as unknown as Facts
  const own = { agent_id: 'an agent', dfid: DFID, context_ref: 'a snapshot' }
  const members = ['agent_id', 'context_ref', 'dfid'] as const
  assert.deepEqual(findFilledProblems({ filled: members, proposal: own, facts }), [])
  for (const name of members)
    assert.deepEqual(
      findFilledProblems({ filled: members, proposal: { ...own, [name]: 'another' }, facts }),
      [`\`${name}\` was filled in, and is not what the flow says`],
    )
  const nobody = { flow: null, contract: null } as unknown as Facts
  assert.deepEqual(findFilledProblems({ filled: members, proposal: own, facts: nobody }), [])
})

test('a mission is that of the contract, where the facts have one', () => {
  const said = (contract: JsonObject | null): string[] =>
    findFilledProblems({
      filled: ['mission_context_hash'],
      proposal: { mission_context_hash: 'another' },
      facts: { flow: {}, contract } as unknown as Facts,
    })
  assert.deepEqual(said({ mission_hash: 'another' }), [])
  assert.equal(said({ mission_hash: 'its own' }).length, 1)
  assert.deepEqual(said(null), [])
})
