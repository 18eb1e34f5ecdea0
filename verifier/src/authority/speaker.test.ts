import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, type Facts, toCanonicalText } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { BOT, found, ORDER, RAN } from '../samples/sample-approvals.test-support.ts'
import { carryOut } from '../samples/sample-executors.test-support.ts'
import { type SampleKey, sampleKey } from '../samples/sample-keys.test-support.ts'
import {
  AGENT,
  bootstrap,
  DFID,
  decide,
  grant,
  sampleFacts,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { findSpeakerKey } from './speaker.ts'

type Auth = Facts['auth']

const OTHERS: SampleKey = { ...sampleKey('agent', 'other'), subject: 'agent-2' }
const NOBODY: SampleKey = sampleKey('agent', 'nobody')
const worth = ({ id }: SampleKey) => ({ key_id: id, purpose: 'agent', subject: AGENT }) as const

const inSession = (key: SampleKey): Auth => ({
  kind: 'session',
  agent_id: AGENT,
  key: worth(key),
})
const signedBy = (key: SampleKey): Auth => ({
  kind: 'signature',
  signature: { ...worth(key), valid: true },
})
const INSIDE: Auth = { kind: 'session', agent_id: AGENT, key: null }

type Said = { readonly builder: LedgerBuilder; readonly writId: `sha256:${string}` }

function begun(): Said {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  for (const key of [BOT, OTHERS]) builder.addKey(key)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return { builder, writId: grant(builder, writBody(builder)) }
}

async function codes({ builder }: Said): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

function dispatchSaid({ builder, writId }: Said, auth: Auth, key?: SampleKey): void {
  const { record } = decide(builder, writId, {}, { auth, ...signedIf(auth, key) })
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  builder.append('main', 'dispatch', { ...record, send: 1 }, place)
}

/** A signature stands in the proposal. */
function signedIf(auth: Auth, signer?: SampleKey): { readonly signer?: SampleKey } {
  return auth?.kind === 'signature' && signer !== undefined ? { signer } : {}
}

/** Accepted as one said it, carried out as another. */
function carryOutSaid(said: Said, before: Auth, after: Auth, between: () => void): void {
  const { builder, writId } = said
  const { intent, record } = decide(builder, writId, {}, { auth: before, ...signedIf(before, BOT) })
  const entry = builder.append('main', 'accepted', record, { dfid: DFID })
  between()
  const facts = sampleFacts(builder, writId, after)
  const facts_hash = computeAddress('facts', facts, nodeCrypto.sha256)
  carryOut(builder, { intent, entry }, { facts: JSON.parse(toCanonicalText(facts)), facts_hash })
}

const ENDS: readonly ((builder: LedgerBuilder) => void)[] = [
  (builder) => builder.endKey(BOT),
  (builder) => builder.endKey(BOT, 0),
]

for (const [how, spoken] of [
  ['in a session', inSession],
  ['with a signature', signedBy],
] as const) {
  test(`AUTHORITY_ORDER: dispatched though the key that spoke ${how} had ended, or is another's`, async () => {
    const good = begun()
    dispatchSaid(good, spoken(BOT), BOT)
    assert.deepEqual(await codes(good), [])
    for (const key of [OTHERS, good.builder.kernel]) {
      const said = begun()
      dispatchSaid(said, spoken(key), key)
      assert.deepEqual(await codes(said), ['13 AUTHORITY_ORDER'], key.id)
    }
    const nobody = begun()
    dispatchSaid(nobody, spoken(NOBODY), NOBODY)
    assert.ok((await codes(nobody)).includes('13 AUTHORITY_ORDER'))
    for (const end of ENDS) {
      const said = begun()
      end(said.builder)
      dispatchSaid(said, spoken(BOT), BOT)
      assert.deepEqual(await codes(said), ['14 AUTHORITY_ORDER'])
    }
  })

  test(`AUTHORITY_ORDER: carried out though the key that spoke ${how} has ended since`, async () => {
    for (const end of ENDS) {
      const said = begun()
      carryOutSaid(said, spoken(BOT), spoken(BOT), () => end(said.builder))
      assert.deepEqual(await codes(said), ['15 AUTHORITY_ORDER'])
    }
  })

  test(`a key that spoke ${how} and ends after the dispatch changes nothing`, async () => {
    for (const end of ENDS) {
      const said = begun()
      dispatchSaid(said, spoken(BOT), BOT)
      end(said.builder)
      assert.deepEqual(await codes(said), [])
    }
  })
}

test('AUTHORITY_ORDER: carried out as if nobody, or somebody else, had spoken', async () => {
  for (const after of [INSIDE, inSession(OTHERS)]) {
    const said = begun()
    carryOutSaid(said, inSession(BOT), after, () => {})
    assert.deepEqual(await codes(said), ['14 AUTHORITY_ORDER'])
  }
})

test('AUTHORITY_ORDER: released as if nobody had spoken when it was asked about', async () => {
  const asked = inSession(BOT)
  assert.deepEqual(await found({ asked, ran: asked }), [])
  // One leaf more: the key.
  assert.deepEqual(await found({ asked }), [ORDER(RAN + 1)])
})

test('ENTRY_UNREADABLE: facts that do not say who spoke', async () => {
  for (const auth of [{ kind: 'session', agent_id: AGENT }, { kind: 'nobody' }, null]) {
    const said = begun()
    dispatchSaid(said, auth as unknown as Auth)
    assert.deepEqual(await codes(said), ['13 ENTRY_UNREADABLE'])
  }
})

test('where a person spoke no key did, whatever else the fact says', () => {
  const spoken = { kind: 'approval', request_id: 'r', approver: 'ann' } as const
  assert.equal(findSpeakerKey({ ...spoken, ...{ key: worth(BOT) } }), null)
  assert.equal(findSpeakerKey(inSession(BOT)), BOT.id)
})
