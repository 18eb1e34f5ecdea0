import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, type JsonObject, mintDfid, toCanonicalText } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  abandon,
  accept,
  carryOut,
  executorsLedger,
  learn,
  settle,
} from '../samples/sample-executors.test-support.ts'
import {
  bootstrap,
  commit,
  contractHash,
  DFID,
  type Dispatched,
  decide,
  grant,
  move,
  revoke,
  sampleEvidence,
  sampleFacts,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { sendAgain } from '../samples/sample-resends.test-support.ts'
import { verifyAny } from '../verify-any.ts'

const ACCEPTED = 11
const NEXT = 12
const OTHER: string = mintDfid(1_769_936_400_001, new Uint8Array(10))
const { sha256 } = nodeCrypto

type Waiting = {
  readonly builder: LedgerBuilder
  readonly writId: `sha256:${string}`
  readonly waiting: Dispatched
}

/** One intent is accepted and waits, at leaf 11; the test does the rest. */
function accepted(): Waiting {
  const { builder, writId } = begun()
  return { builder, writId, waiting: accept(builder, writId) }
}

function begun(): Omit<Waiting, 'waiting'> {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return { builder, writId: grant(builder, writBody(builder)) }
}

async function found({ builder }: Pick<Waiting, 'builder'>): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

function erase(builder: LedgerBuilder, leaf: number): void {
  builder.entries = builder.entries.map((entry, i) =>
    i === leaf ? { ...entry, payload: null } : entry,
  )
}

/** The accepted entry once more, with a change to its payload that its maker did not make. */
function respelled(change: (payload: JsonObject) => JsonObject): LedgerBuilder {
  const { builder } = accepted()
  builder.entries = builder.entries.map((entry, i) => {
    const { payload } = entry
    if (i !== ACCEPTED || payload === null) return entry
    return { ...entry, payload: toCanonicalText(change(JSON.parse(payload))) }
  })
  builder.rehash(ACCEPTED)
  return builder
}

test('accepted, carried out and committed; accepted and given back', async () => {
  const { builder } = executorsLedger()
  const report = await verifyTwice(builder.text())
  assert.deepEqual(report.findings, [])
  assert.deepEqual(report.compiler_versions, ['1.0.0'])
})

test('what was accepted may wait for ever', async () => {
  assert.deepEqual(await found(accepted()), [])
})

test('AUTHORITY_ORDER: a dispatch that names another place than where it was accepted', async () => {
  for (const place of [
    { trajectory: 'main', seq: 1 },
    { trajectory: 'main', seq: 3 },
    { trajectory: 'authority', seq: 2 },
  ]) {
    const { builder, waiting } = accepted()
    carryOut(builder, waiting, { accepted: place })
    assert.deepEqual(await found({ builder }), [`${NEXT} AUTHORITY_ORDER`])
  }
})

test('AUTHORITY_ORDER: a dispatch of what another flow accepted', async () => {
  const { builder, writId } = accepted()
  grant(builder, writBody(builder, { nonce: OTHER }), { dfid: OTHER })
  const theirs = accept(builder, writId, { dfid: OTHER, step_id: 'step-2' })
  assert.deepEqual(await found({ builder }), [])
  carryOut(builder, theirs)
  assert.deepEqual(await found({ builder }), ['14 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a dispatch in another trajectory than it was accepted in', async () => {
  const { builder, waiting } = accepted()
  builder.append('aside', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  carryOut(builder, waiting, {}, { trajectory: 'aside' })
  assert.deepEqual(await found({ builder }), ['13 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a dispatch of what nobody accepted', async () => {
  const { builder, waiting } = accepted()
  carryOut(builder, waiting, { intent_id: contractHash })
  assert.deepEqual(await found({ builder }), [`${NEXT} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: nothing is dispatched after it was given back', async () => {
  const { builder, waiting } = accepted()
  abandon(builder, waiting)
  assert.deepEqual(await found({ builder }), [])
  carryOut(builder, waiting)
  assert.deepEqual(await found({ builder }), ['13 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: an intent is accepted once and dispatched once', async () => {
  const twice = accepted()
  carryOut(twice.builder, twice.waiting)
  carryOut(twice.builder, twice.waiting)
  assert.deepEqual(await found(twice), ['13 AUTHORITY_ORDER'])

  const both = accepted()
  const place = { dfid: DFID, authority_seq: both.builder.authoritySeq() }
  both.builder.append('main', 'dispatch', { ...payloadOf(both.waiting), send: 1 }, place)
  assert.deepEqual(await found(both), [`${NEXT} AUTHORITY_ORDER`])

  const repeated = accepted()
  repeated.builder.append('main', 'accepted', payloadOf(repeated.waiting), { dfid: DFID })
  assert.deepEqual(await found(repeated), [`${NEXT} AUTHORITY_ORDER`])
  carryOut(repeated.builder, repeated.waiting)
  assert.deepEqual(await found(repeated), [`${NEXT} AUTHORITY_ORDER`])
})

function payloadOf({ entry }: Dispatched): JsonObject {
  return JSON.parse(entry.payload ?? '') as JsonObject
}

test('AUTHORITY_ORDER: what was given back is given back once, by its own flow', async () => {
  const twice = accepted()
  abandon(twice.builder, twice.waiting)
  abandon(twice.builder, twice.waiting)
  assert.deepEqual(await found(twice), ['13 AUTHORITY_ORDER'])

  const { builder, waiting } = accepted()
  settle(builder, waiting.intent, 'ABANDONED', OTHER)
  assert.deepEqual(await found({ builder }), [`${NEXT} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: an outcome needs a dispatch, also of what was accepted', async () => {
  const { builder, waiting } = accepted()
  const { intent_id = null } = waiting.intent
  settle(builder, waiting.intent, 'FAILED')
  const evidence = { salt: '', intent_id, source: 'probe', finding: 'absent', details: {} }
  builder.append('main', 'evidence', evidence, { dfid: DFID })
  commit(builder, waiting.intent)
  assert.deepEqual(await found({ builder }), [
    '12 AUTHORITY_ORDER',
    '13 AUTHORITY_ORDER',
    '14 AUTHORITY_ORDER',
  ])
})

test('what was dispatched may be abandoned by a person, and is sent again from its dispatch', async () => {
  const { builder, waiting } = accepted()
  const sent = carryOut(builder, waiting)
  settle(builder, waiting.intent, 'UNKNOWN')
  sendAgain(builder, waiting.intent, sent.envelope.seq)
  settle(builder, waiting.intent, 'MANUAL_REVIEW')
  learn(builder, waiting.intent, 'person', 'inconclusive')
  settle(builder, waiting.intent, 'ABANDONED')
  assert.deepEqual(await found({ builder }), [])

  const wrong = accepted()
  carryOut(wrong.builder, wrong.waiting)
  settle(wrong.builder, wrong.waiting.intent, 'UNKNOWN')
  sendAgain(wrong.builder, wrong.waiting.intent, wrong.waiting.entry.envelope.seq)
  assert.deepEqual(await found(wrong), ['14 AUTHORITY_ORDER'])

  const never = accepted()
  sendAgain(never.builder, never.waiting.intent, never.waiting.entry.envelope.seq)
  assert.deepEqual(await found(never), [`${NEXT} AUTHORITY_ORDER`])
})

test('AUTHORITY_ORDER: authority that ended between acceptance and dispatch', async () => {
  const ends: ((waiting: Waiting) => void)[] = [
    ({ builder, writId }) => revoke(builder, 'writ', writId),
    ({ builder }) => revoke(builder, 'contract', 'agent-1'),
    ({ builder }) => move(builder, 'ACTIVE', 'SUSPENDED', 'operator'),
  ]
  for (const end of ends) {
    const waiting = accepted()
    end(waiting)
    assert.deepEqual(await found(waiting), [])
    carryOut(waiting.builder, waiting.waiting)
    assert.deepEqual(await found(waiting), ['13 AUTHORITY_ORDER'])
  }
})

test('AUTHORITY_ORDER: it cites what it stands after, and its facts saw no more', async () => {
  const early = accepted()
  carryOut(early.builder, early.waiting, {}, { authority_seq: early.builder.authoritySeq() - 1 })
  assert.deepEqual(await found(early), [`${NEXT} AUTHORITY_ORDER`])

  for (const [ahead, problems] of [
    [0, []],
    [1, [`${NEXT} AUTHORITY_ORDER`]],
  ] as const) {
    const { builder, waiting, writId } = accepted()
    const seen = builder.authoritySeq() + ahead
    const facts = { ...sampleFacts(builder, writId), authority_seq: seen }
    carryOut(builder, waiting, {
      facts: JSON.parse(toCanonicalText(facts)),
      facts_hash: computeAddress('facts', facts, sha256),
    })
    assert.deepEqual(await found({ builder }), problems)
  }
})

test('AUTHORITY_ORDER: what is accepted has rules, and facts, that were there', async () => {
  const { builder, writId } = accepted()
  accept(builder, writId, { rules_hash: contractHash, step_id: 'step-2' })
  acceptSeeing(builder, writId, builder.authoritySeq(), 'step-3')
  acceptSeeing(builder, writId, builder.authoritySeq() + 1, 'step-4')
  assert.deepEqual(await found({ builder }), [`${NEXT} AUTHORITY_ORDER`, '14 AUTHORITY_ORDER'])
})

/** An acceptance whose facts saw authority up to there. */
function acceptSeeing(
  builder: LedgerBuilder,
  writId: Waiting['writId'],
  authority_seq: number,
  step_id: string,
): void {
  const facts = { ...sampleFacts(builder, writId), authority_seq }
  const facts_hash = computeAddress('facts', facts, sha256)
  const { intent, record } = decide(builder, writId, { facts_hash, step_id })
  const payload = { ...record, intent, facts: JSON.parse(toCanonicalText(facts)), facts_hash }
  builder.append('main', 'accepted', payload, { dfid: DFID })
}

test('in a bundle nobody can say how much authority there was before it', async () => {
  const { builder, writId } = accepted()
  acceptSeeing(builder, writId, builder.authoritySeq(), 'step-2')
  const bundle = builder.bundle(DFID, undefined)
  const last = bundle.entries.findLast(({ envelope }) => envelope.trajectory === 'authority')
  const entries = bundle.entries.filter((entry) => entry !== last)
  assert.deepEqual((await verifyTwice(toCanonicalText({ ...bundle, entries }))).findings, [])
})

test('ENTRY_SIGNATURE: an accepted intent that the kernel did not sign so', async () => {
  const spoiled: ((payload: JsonObject) => JsonObject)[] = [
    (payload) => signedBy(payload, 'AAAA'.repeat(21).concat('AA==')),
    (payload) => ({ ...payload, facts_hash: contractHash }),
    (payload) => ({ ...payload, proposal: {} }),
    (payload) => ({ ...payload, trace: [1] }),
    (payload) => ({ ...payload, attempt: 2 }),
    (payload) => inIntent(payload, { intent_id: contractHash }),
    (payload) => inIntent(payload, { params: { quantity: '150' } }),
    (payload) => inIntent(payload, { trajectory: 'other' }),
  ]
  for (const change of spoiled) {
    const places = await found({ builder: respelled(change) })
    // Some of it is not what was proposed either.
    assert.equal(places.at(-1), `${ACCEPTED} ENTRY_SIGNATURE`)
    assert.ok(places.every((place) => place.startsWith(`${ACCEPTED} `)))
  }
})

function inIntent(payload: JsonObject, change: JsonObject): JsonObject {
  return { ...payload, intent: { ...(payload.intent as JsonObject), ...change } }
}

function signedBy(payload: JsonObject, sig: string): JsonObject {
  const { kernel_signature } = payload.intent as { kernel_signature: JsonObject }
  return inIntent(payload, { kernel_signature: { ...kernel_signature, sig } })
}

test('ENTRY_SIGNATURE: a kernel key that was retired before signs nothing that is accepted', async () => {
  const { builder, writId } = accepted()
  builder.endKey(builder.kernel)
  accept(builder, writId, { step_id: 'step-2' })
  assert.deepEqual(await found({ builder }), ['13 ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: a compromise reaches what was accepted since, and nothing before', async () => {
  const { builder, writId } = accepted()
  revoke(builder, 'writ', 'another')
  const since = builder.authoritySeq()
  accept(builder, writId, { step_id: 'step-2' })
  builder.endKey(builder.kernel, since)
  assert.deepEqual(await found({ builder }), ['13 ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: facts of a dispatch that are not what their hash says', async () => {
  const { builder, waiting } = accepted()
  carryOut(builder, waiting, { facts_hash: contractHash })
  assert.deepEqual(await found({ builder }), [`${NEXT} ENTRY_SIGNATURE`])
})

test('ENTRY_UNREADABLE: a form between the forms', async () => {
  const { builder, waiting } = accepted()
  carryOut(builder, waiting, { send: 2 })
  carryOut(builder, waiting, { why: 'same_key' })
  assert.deepEqual(await found({ builder }), ['12 ENTRY_UNREADABLE', '13 ENTRY_UNREADABLE'])
})

test('a flow is erased whole: what is left of one that was erased in part stands on nothing', async () => {
  const { builder } = executorsLedger()
  erase(builder, ACCEPTED)
  const left = ['13 AUTHORITY_ORDER', '15 AUTHORITY_ORDER']
  assert.deepEqual(await found({ builder }), [`${ACCEPTED} ERASURE_UNSIGNED`, ...left])

  const sent = accepted()
  carryOut(sent.builder, sent.waiting)
  commit(sent.builder, sent.waiting.intent)
  erase(sent.builder, NEXT)
  assert.deepEqual(await found(sent), [`${NEXT} ERASURE_UNSIGNED`, `${NEXT + 1} AUTHORITY_ORDER`])
})

test('a bundle shows the evidence of what was accepted and carried out', async () => {
  const { builder } = executorsLedger()
  const good = builder.bundle(DFID, sampleEvidence())
  assert.deepEqual((await verifyTwice(toCanonicalText(good))).findings, [])
  const { evidence: _, ...without } = good
  assert.deepEqual(places(await verifyTwice(toCanonicalText(without))), ['null ENTRY_SIGNATURE'])
  const other = { ...sampleEvidence(), context_ref: 'snapshot-2' }
  const spoiled = toCanonicalText({ ...good, evidence: other })
  assert.deepEqual(places(await verifyTwice(spoiled)), ['null ENTRY_SIGNATURE'])
})

test('a bundle of what was accepted and never sent has no evidence', async () => {
  const { builder, waiting } = accepted()
  abandon(builder, waiting)
  assert.deepEqual(
    (await verifyTwice(toCanonicalText(builder.bundle(DFID, undefined)))).findings,
    [],
  )
  const report = await verifyTwice(toCanonicalText(builder.bundle(DFID, sampleEvidence())))
  assert.deepEqual(places(report), ['null ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: a commit under another proposal, writ, trace, rules or facts', () => {
  for (const member of HASHES) {
    const { builder, waiting } = accepted()
    carryOut(builder, waiting)
    commit(builder, waiting.intent, undefined, { [member]: `sha256:${'0'.repeat(64)}` })
    assert.deepEqual(places(verifyAny(builder.text(), nodeCrypto)), ['13 ENTRY_SIGNATURE'], member)
  }
})

const HASHES = ['proposal_hash', 'writ_id', 'policy_trace_hash', 'rules_hash', 'facts_hash']

test('AUTHORITY_ORDER: nothing is given back that nobody accepted', () => {
  const { builder, waiting } = accepted()
  settle(builder, { ...waiting.intent, intent_id: contractHash }, 'ABANDONED')
  assert.deepEqual(places(verifyAny(builder.text(), nodeCrypto)), ['12 AUTHORITY_ORDER'])
})
