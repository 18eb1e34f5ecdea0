import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  computeAddress,
  type Delta,
  type JsonObject,
  toCanonicalText,
} from 'rubicon-kernel'
import { createPackedMap } from '../compact-records/packed-map.ts'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { eraseFlow, namesOf, takeOut } from '../samples/erase-flow.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import {
  bootstrap,
  commit,
  contract,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  reject,
  sampleDelta,
  sampleLedger,
  worldAfter,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { verifyStored } from '../verify-stored.ts'
import { createErasures, SPOKEN } from './erasures.ts'

const OTHER = '019c1200-0000-7000-8000-0000000000e2'
const CHILD = '019c1200-0000-7000-8000-0000000000c1'
const BY_HAND = '019c1200-0000-7000-8000-0000000000b1'
/** Of the first flow: its writ, its dispatch and its commit. */
const [WRIT, SENT, DONE] = [10, 11, 12]
/** What comes behind it. */
const NEXT = 13

type Stage = { readonly builder: LedgerBuilder; readonly writId: Address }

/** A flow that bought something. */
function stage(change: Parameters<typeof writBody>[1] = {}): Stage {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writId = grant(builder, { ...writBody(builder), ...change })
  commit(builder, dispatch(builder, writId).intent)
  return { builder, writId }
}

/** Another flow, which changes the World as it says; `deltas`: all that came before, and this. */
function act(builder: LedgerBuilder, deltas: readonly Delta[], change: JsonObject = {}): void {
  const body = { ...writBody(builder), nonce: OTHER }
  const writ = grant(builder, body, { dfid: OTHER, ...change })
  const { intent } = dispatch(builder, writ, { dfid: OTHER })
  commit(builder, intent, deltas.at(-1), { world_after: worldAfter(deltas) })
}

async function found({ builder }: Pick<Stage, 'builder'>): Promise<string[]> {
  return places(await verifyTwice(builder.text()))
}

const LATER: Delta = [{ op: 'create', kind: 'position', id: 'SOL', value: '1' }]

test('an erased flow verifies, with what came before and behind it', async () => {
  const it = stage()
  act(it.builder, [sampleDelta, LATER])
  reject(it.builder)
  eraseFlow(it.builder, DFID)
  const report = await verifyTwice(it.builder.text())
  assert.deepEqual(report.findings, [])
  assert.equal(report.erased, 4)
  assert.equal(report.ok, true)
})

test('finding 15a: a payload that nobody erased is taken as erased', async () => {
  const gone = stage()
  takeOut(gone.builder, DFID)
  const unsigned = [WRIT, SENT, DONE].map((leaf) => `${leaf} ERASURE_UNSIGNED`)
  assert.deepEqual(await found(gone), unsigned)
  const bundle = toCanonicalText(gone.builder.bundle(DFID, undefined))
  assert.deepEqual(places(await verifyTwice(bundle)), unsigned)
  const stored = verifyStored(gone.builder.entries, nodeCrypto)
  assert.deepEqual(places(stored), unsigned)

  const partly = stage()
  eraseFlow(partly.builder, DFID, { leaves_out: [SENT] })
  assert.deepEqual(await found(partly), [`${SENT} ERASURE_UNSIGNED`])
})

test('finding 15b: an erased dispatch stands for a commit that was invented', async () => {
  const invented = (intent: JsonObject, builder: LedgerBuilder, dfid: string): void => {
    const made = { ...intent, dfid, intent_id: `sha256:${'1'.repeat(64)}` }
    commit(builder, made, LATER, { world_after: worldAfter([sampleDelta, LATER]) })
  }
  const { intent } = sampleLedger()
  for (const dfid of [DFID, OTHER]) {
    const it = stage()
    invented(intent, it.builder, dfid)
    // The operator erased what there was; the rest came from somebody else.
    const kept = it.builder.entries[NEXT]
    const names = namesOf(it.builder, DFID).filter(({ leaf }) => leaf !== NEXT)
    eraseFlow(it.builder, DFID, { body: { payloads: names } })
    it.builder.entries = it.builder.entries.map((entry, i) =>
      i === NEXT && kept !== undefined ? kept : entry,
    )
    // Of its own flow it is a part that is left, too.
    const left = dfid === DFID ? [`${NEXT + 2} AUTHORITY_ORDER`] : []
    assert.deepEqual(await found(it), [`${NEXT} AUTHORITY_ORDER`, ...left], dfid)
  }
})

test('an erasure that leaves a part of its flow hides the rest: what ended it, or what it did before', async () => {
  const keep = (it: Stage, leaves: readonly number[]): void => {
    const kept = new Map(leaves.map((leaf) => [leaf, it.builder.entries[leaf]]))
    const names = namesOf(it.builder, DFID).filter(({ leaf }) => !kept.has(Number(leaf)))
    eraseFlow(it.builder, DFID, { body: { payloads: names } })
    it.builder.entries = it.builder.entries.map((entry, i) => kept.get(i) ?? entry)
  }
  const ended = stage()
  reject(ended.builder, { ended_flow: 'REASONING_EXHAUSTION' })
  const again = dispatch(ended.builder, ended.writId, { step_id: 'step-2' }).intent
  const delta = { world_after: worldAfter([sampleDelta, LATER]) }
  commit(ended.builder, again, LATER, delta)
  const [end, last] = [NEXT, NEXT + 2]
  assert.deepEqual(await found(ended), [`${end + 1} AUTHORITY_ORDER`])
  // All but the end of the flow stays, and nothing of it seems to be wrong.
  keep(ended, [WRIT, SENT, DONE, end + 1, last])
  assert.deepEqual(await found(ended), [`${last + 2} AUTHORITY_ORDER`])

  const first = stage()
  reject(first.builder)
  keep(first, [NEXT])
  assert.deepEqual(await found(first), [`${NEXT + 2} AUTHORITY_ORDER`], 'what comes last is left')
  const stored = verifyStored(first.builder.entries, nodeCrypto, { depth: 'structure' })
  assert.deepEqual(places(stored), [`${NEXT + 2} AUTHORITY_ORDER`], 'it needs no payload')
})

test('a part of a flow is left where what is gone begins with a second opening, which nobody can read', async () => {
  const it = stage()
  // Whatever stood in it: only its envelope is left.
  it.builder.append('main', 'writ', { salt: 'c2FsdA==' }, { dfid: DFID })
  const again = dispatch(it.builder, it.writId, { step_id: 'step-2' }).intent
  commit(it.builder, again, LATER, { world_after: worldAfter([sampleDelta, LATER]) })
  const kept = it.builder.entries.slice(0, NEXT)
  const names = namesOf(it.builder, DFID).filter(({ leaf }) => Number(leaf) >= NEXT)
  eraseFlow(it.builder, DFID, { body: { payloads: names } })
  it.builder.entries = it.builder.entries.map((entry, i) => kept[i] ?? entry)
  const last = it.builder.entries.length - 1
  assert.deepEqual(await found(it), [`${last} AUTHORITY_ORDER`])
  const stored = verifyStored(it.builder.entries, nodeCrypto, { depth: 'structure' })
  assert.deepEqual(places(stored), [`${last} AUTHORITY_ORDER`], 'it needs no payload')
})

test('finding 15c: one erased writ makes every unknown writ good', async () => {
  const it = stage()
  eraseFlow(it.builder, DFID)
  const unknown: Address = `sha256:${'2'.repeat(64)}`
  const last = it.builder.entries.length
  const parent = { parent: unknown, nonce: OTHER }
  grant(it.builder, { ...writBody(it.builder), ...parent }, { dfid: OTHER })
  dispatch(it.builder, unknown, { dfid: CHILD, step_id: 'step-2' })
  const report = places(await verifyTwice(it.builder.text()))
  assert.ok(report.includes(`${last} ENTRY_SIGNATURE`), report.join())
  assert.ok(report.includes(`${last + 1} AUTHORITY_ORDER`), report.join())
})

test('a child may stand on the erased writ of its parent, and every child on the same', async () => {
  const open = async (...parents: readonly (Address | null)[]): Promise<string[]> => {
    const { issuer } = new LedgerBuilder()
    const it = stage({ subject_key: issuer.id })
    for (const [i, parent] of parents.entries()) {
      const dfid = `${CHILD.slice(0, -1)}${i}`
      const below = {
        parent: parent ?? it.writId,
        nonce: dfid,
        delegation: { max_depth: 0, may_delegate: false },
      }
      const writ = grant(it.builder, writBody(it.builder, below), { dfid, parent_dfid: DFID })
      dispatch(it.builder, writ, { dfid })
    }
    eraseFlow(it.builder, DFID)
    return found(it)
  }
  assert.deepEqual(await open(null, null), [])
  const second = await open(null, `sha256:${'3'.repeat(64)}`)
  assert.ok(second.includes('16 ENTRY_SIGNATURE'), second.join())
})

test('a bundle carries the erasure, and that of the flow above it', async () => {
  const it = stage()
  eraseFlow(it.builder, DFID)
  const bundle = it.builder.bundle(DFID, undefined)
  const report = await verifyTwice(toCanonicalText(bundle))
  assert.deepEqual(report.findings, [])
  assert.equal(report.erased, 3)
  const entries = bundle.entries.filter(({ envelope }) => envelope.kind !== 'erasure')
  assert.deepEqual(
    places(await verifyTwice(toCanonicalText({ ...bundle, entries }))),
    [WRIT, SENT, DONE].map((leaf) => `${leaf} ERASURE_UNSIGNED`),
  )
})

test('ENTRY_SIGNATURE: an erasure that no operator signed, or for another flow, erases nothing', async () => {
  const unsigned = [WRIT, SENT, DONE].map((leaf) => `${leaf} ERASURE_UNSIGNED`)
  for (const signer of ['kernel', 'issuer'] as const) {
    const it = stage()
    eraseFlow(it.builder, DFID, { signer: it.builder[signer] })
    assert.deepEqual(await found(it), [...unsigned, '14 ENTRY_SIGNATURE'])
  }
  const stranger = stage()
  eraseFlow(stranger.builder, DFID, { signer: sampleKey('operator', 'stranger') })
  assert.deepEqual(await found(stranger), [...unsigned, '14 ENTRY_SIGNATURE'])
  const other = stage()
  eraseFlow(other.builder, DFID, { body: { dfid: OTHER } })
  assert.deepEqual(await found(other), [...unsigned, '14 ENTRY_SIGNATURE'])
})

test('AUTHORITY_ORDER: an erasure names missing payloads of its flow, each once', async () => {
  const { builder } = stage()
  const good = namesOf(builder, DFID)
  const [writ = {}, sent = {}, done = {}] = good
  const { world: _, ...bare } = done
  const wrong: readonly JsonObject[][] = [
    [...good, writ],
    [...good, { trajectory: 'main', seq: 0, leaf: 9 }],
    [...good, { trajectory: 'main', seq: 40, leaf: 40 }],
    [{ ...writ, seq: 7 }, sent, done],
    [{ ...writ, world: [] }, sent, done],
    [writ, sent, bare],
  ]
  for (const payloads of wrong) {
    const it = stage()
    eraseFlow(it.builder, DFID, { body: { payloads } })
    const report = await found(it)
    assert.ok(report.includes('14 AUTHORITY_ORDER'), toCanonicalText(payloads))
  }
})

test('AUTHORITY_ORDER: a flow is erased once, and nothing of it comes behind', async () => {
  const twice = stage()
  eraseFlow(twice.builder, DFID)
  eraseFlow(twice.builder, DFID)
  assert.deepEqual(await found(twice), ['15 AUTHORITY_ORDER'])
  const after = stage()
  eraseFlow(after.builder, DFID)
  reject(after.builder)
  assert.deepEqual(await found(after), ['15 AUTHORITY_ORDER'])
})

test('finding 15d: behind an erased commit the World is not checked', async () => {
  const bought: Delta = [
    { op: 'replace', kind: 'position', id: 'BTC/USD', expected_version: 2, value: '9' },
    { op: 'increment', kind: 'position', id: 'BTC/USD', by: '1' },
  ]
  const it = stage()
  act(it.builder, [sampleDelta, bought])
  eraseFlow(it.builder, DFID)
  assert.deepEqual(await found(it), [])

  const lied = stage()
  act(lied.builder, [sampleDelta, LATER])
  const names = namesOf(lied.builder, DFID).map((one) =>
    'world' in one ? { ...one, world: [{ key: 'ab'.repeat(32), leaf: 'cd'.repeat(32) }] } : one,
  )
  eraseFlow(lied.builder, DFID, { body: { payloads: names } })
  assert.deepEqual(await found(lied), ['15 WORLD_MISMATCH'])

  const forged = stage()
  act(forged.builder, [sampleDelta, LATER])
  const last = forged.builder.entries.at(-1)
  const payload = { ...JSON.parse(last?.payload ?? ''), world_after: '00'.repeat(32) }
  forged.builder.entries.pop()
  forged.builder.append('main', 'commit', payload, { dfid: OTHER })
  eraseFlow(forged.builder, DFID)
  assert.deepEqual(await found(forged), ['15 WORLD_MISMATCH'])
})

test('a change that needs an erased value leaves its own leaf unknown, until it is stated again', async () => {
  const patched: Delta = [
    { op: 'patch', kind: 'position', id: 'BTC/USD', expected_version: 2, patch: { size: '2' } },
  ]
  const unknown = stage()
  act(unknown.builder, [sampleDelta, patched])
  eraseFlow(unknown.builder, DFID)
  assert.deepEqual(await found(unknown), [])

  // Then that flow is erased as well, and only says that nobody knows.
  const key = namesOf(stage().builder, DFID).flatMap(({ world }) => world ?? [])
  const both = stage()
  act(both.builder, [sampleDelta, patched])
  eraseFlow(both.builder, DFID)
  const names = namesOf(both.builder, OTHER).map((one) =>
    'world' in one ? { ...one, world: [{ ...(key[0] as JsonObject), leaf: null }] } : one,
  )
  eraseFlow(both.builder, OTHER, { body: { payloads: names } })
  assert.deepEqual(await found(both), [])

  const stated: Delta = [
    { op: 'increment', kind: 'position', id: 'ETH é', by: '1' },
    { op: 'replace', kind: 'position', id: 'BTC/USD', expected_version: 2, value: '3' },
    { op: 'retract', kind: 'position', id: 'ETH é', expected_version: 3 },
  ]
  const known = stage()
  act(known.builder, [sampleDelta, stated])
  eraseFlow(known.builder, DFID)
  assert.deepEqual(await found(known), [])

  const wrong = stage()
  act(wrong.builder, [sampleDelta, stated])
  const last = wrong.builder.entries.at(-1)
  const payload = { ...JSON.parse(last?.payload ?? ''), world_after: '00'.repeat(32) }
  wrong.builder.entries.pop()
  wrong.builder.append('main', 'commit', payload, { dfid: OTHER })
  eraseFlow(wrong.builder, DFID)
  assert.deepEqual(await found(wrong), ['15 WORLD_MISMATCH'])
})

test('an erasure elsewhere lets nobody past the budget of a writ by hand, or of a window', async () => {
  const it = stage()
  const { builder } = it
  const budget_per_agent = { window_s: '86400', calls: '3' }
  const safety_rules = { ...contract.safety_rules, budget_per_agent }
  const windowed = { ...contract, version: '2.0.0', safety_rules }
  const contract_hash = computeAddress('contract', windowed, nodeCrypto.sha256)
  builder.decree('contract', { ...DEPLOY, contract: windowed, contract_hash })
  const pinned = { dfid: OTHER, contract: { hash: contract_hash, seq: builder.authoritySeq() } }
  grant(builder, { ...writBody(builder), nonce: OTHER }, pinned)
  const body = writBody(builder, { nonce: BY_HAND, budget: { calls: '1' } })
  const byHand = computeAddress('writ', body, nodeCrypto.sha256)
  const signature = { ...builder.issuer.sign('writ', body) }
  builder.append('main', 'writ', { salt: 'c2FsdA==', writ: { id: byHand, body, signature } })
  const own = grant(builder, { ...writBody(builder), nonce: CHILD }, { ...pinned, dfid: CHILD })
  eraseFlow(builder, DFID)
  const send = (dfid: string, step_id: string, writ: Address): void =>
    void dispatch(builder, writ, { dfid, step_id, contract_hash })
  send(OTHER, 'a', byHand)
  const next = builder.entries.length
  send(OTHER, 'b', byHand)
  assert.deepEqual(await found(it), [`${next} AUTHORITY_ORDER`], 'the writ is spent')
  builder.entries.pop()
  for (const step of ['c', 'd']) send(CHILD, step, own)
  assert.deepEqual(await found(it), [])
  send(CHILD, 'e', own)
  assert.deepEqual(await found(it), [`${next + 2} AUTHORITY_ORDER`], 'the window is spent')
})

test('what nobody erased, or nobody named, says nothing of the World', () => {
  const erasures = createErasures(true, createPackedMap(SPOKEN))
  assert.equal(erasures.worldAt(3), undefined)
  const entry = { leaf: 3, envelope: { dfid: DFID, trajectory: 'main' }, payloadText: null }
  assert.deepEqual(erasures.check(entry as ReadEntry, true), [])
  assert.equal(erasures.worldAt(3), undefined)
})
