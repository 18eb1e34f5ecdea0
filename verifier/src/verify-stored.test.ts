import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  buildHeadBody,
  computeTreeRoot,
  deriveHeadKeyId,
  type Entry,
  hashLeaf,
  toCanonicalText,
  toLeafInput,
} from 'rubicon-kernel'
import { createHelpedCrypto } from './crypto/helped-crypto.ts'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { parseTrust } from './ledger/trust.ts'
import { places } from './samples/agreement.test-support.ts'
import { type SampleKey, sampleKey } from './samples/sample-keys.test-support.ts'
import { revoke, sampleLedger } from './samples/sample-ledger.test-support.ts'
import { type StoredOptions, verifyStored } from './verify-stored.ts'

const { builder } = sampleLedger()
const { entries } = builder

function replaced(leaf: number, change: (entry: Entry) => Entry): Entry[] {
  return entries.map((entry, i) => (i === leaf ? change(entry) : entry))
}

const helped = createHelpedCrypto()
after(helped.close)

/** One thread and two give the same report. */
function found(stored: readonly Entry[], options: StoredOptions = {}): string[] {
  const report = verifyStored(stored, nodeCrypto, options)
  assert.deepEqual(verifyStored(stored, helped, options), report)
  return places(report)
}

test('a good store has no findings and the root of its checkpoint, at both depths', () => {
  const checkpoint = builder.note()
  for (const depth of ['structure', 'fold'] as const) {
    const report = verifyStored(entries, nodeCrypto, { depth, checkpoint })
    assert.deepEqual(report.findings, [])
    assert.equal(report.tree?.root, report.checkpoint?.root)
    assert.equal(report.signatures.checked, depth === 'fold' ? 16 : 14)
  }
})

test('what can be seen without reading payloads is seen at the depth of structure', () => {
  const payload = replaced(13, (entry) => ({ ...entry, payload: `${entry.payload} ` }))
  assert.deepEqual(found(payload), ['13 PAYLOAD_HASH'])
  const kind = replaced(13, (entry) => ({
    ...entry,
    envelope: { ...entry.envelope, kind: 'settle' },
  }))
  assert.deepEqual(found(kind), ['13 ENTRY_ID'])
  assert.deepEqual(found(entries.toSpliced(12, 1)), ['12 ENTRY_PARENT', '12 ENTRY_SEQUENCE'])
})

test('authority is read at every depth', () => {
  const forged = sampleLedger().builder
  forged.decree('revocation', { target: 'writ', id: 'x', reason: '' }, forged.kernel)
  assert.deepEqual(found(forged.entries), ['15 ENTRY_SIGNATURE'])
})

test('a payload that is not canonical by itself is found at full depth', () => {
  const { builder: other } = sampleLedger()
  other.entries = other.entries.map((entry, i) =>
    i === 13 ? { ...entry, payload: ` ${entry.payload}` } : entry,
  )
  other.rehash(13)
  assert.deepEqual(found(other.entries), [])
  assert.deepEqual(found(other.entries, { depth: 'fold' }), ['13 ENTRY_NOT_CANONICAL'])
})

test('columns cannot be cut in another way under the same id', () => {
  const moved = replaced(13, (entry) => {
    const { dfid, ...rest } = entry.envelope
    return { ...entry, envelope: { ...rest, at: `${rest.at}","dfid":"${dfid}` } }
  })
  assert.deepEqual(found(moved), ['13 ENTRY_UNREADABLE'])
})

test('entries may have come after the checkpoint, none may be missing before it', () => {
  const { builder: longer } = sampleLedger()
  const checkpoint = longer.note()
  revoke(longer, 'writ', 'later')
  assert.deepEqual(found(longer.entries, { checkpoint }), [])
  assert.deepEqual(found(entries.slice(0, 14), { checkpoint }), ['null CHECKPOINT_SIZE'])
  const { builder: other } = sampleLedger()
  other.entries.pop()
  revoke(other, 'writ', 'another')
  assert.deepEqual(found(other.entries, { checkpoint }), ['null CHECKPOINT_ROOT'])
})

test('a store can be held against what an auditor trusts', () => {
  const trust = parseTrust(builder.note(5), nodeCrypto.sha256)
  assert.ok(trust.ok)
  const report = verifyStored(entries, nodeCrypto, {
    trust: trust.value,
    checkpoint: builder.note(),
  })
  assert.equal(report.strength, 'trusted')
})

/** The head of these entries, by a key that `certifier` vouches for. */
function headOf(stored: readonly Entry[], certifier: SampleKey): string {
  const { sha256 } = nodeCrypto
  const own = sampleKey('checkpoint', 'head')
  const key_id = deriveHeadKeyId(own.bytes, sha256)
  const origin = builder.origin()
  const leaves = stored.map(({ id }) => hashLeaf(toLeafInput(id), sha256))
  const tree = { size: leaves.length, root: computeTreeRoot(leaves, sha256) }
  const body = buildHeadBody(origin, { ...tree, authority: 0 })
  const certified = { origin, key_id, public_key: own.text, made_at: '2026-03-02T10:00:00.000Z' }
  const certificate = { body: certified, signature: certifier.sign('head-key', certified) }
  const { sig } = own.sign('head', body)
  return toCanonicalText({ body, certificate, signature: { key_id, sig } })
}

test('entries that nobody signed for are not trusted, whoever wrote them into the store', () => {
  const { builder: longer } = sampleLedger()
  const checkpoint = longer.note()
  revoke(longer, 'writ', 'later')
  const trust = { kind: 'key', publicKey: builder.operator.text } as const
  const told = (options: StoredOptions): string =>
    verifyStored(longer.entries, nodeCrypto, { trust, ...options }).strength ?? 'none'
  assert.deepEqual(found(longer.entries, { trust }), ['null TRUST_MISMATCH'])
  assert.deepEqual(found(longer.entries, { trust, checkpoint }), ['null TRUST_MISMATCH'])
  const stranger = sampleKey('checkpoint', 'stranger')
  for (const head of [
    'no head',
    headOf(entries, builder.checkpoint),
    headOf(longer.entries, stranger),
    headOf(longer.entries, builder.operator),
  ])
    assert.equal(told({ checkpoint, head }), 'none')
  const head = headOf(longer.entries, builder.checkpoint)
  assert.deepEqual([told({ checkpoint, head }), told({ head })], ['trusted', 'trusted'])
  assert.equal(told({ checkpoint: longer.note() }), 'trusted')
})

test('a checkpoint that cannot be read is found, and covers nothing', () => {
  assert.deepEqual(found(entries, { checkpoint: 'no note' }), ['null CHECKPOINT_UNREADABLE'])
})

test('how far it is, is told every 128 entries', () => {
  const told: (readonly [number, number | null])[] = []
  const onProgress = (done: number, total: number | null): void => void told.push([done, total])
  const [first] = entries
  assert.ok(first !== undefined)
  const many = Array.from({ length: 300 }, () => first)
  verifyStored(many, nodeCrypto, { onProgress, size: 300 })
  assert.deepEqual(told.slice(0, 2), [
    [128, 300],
    [256, 300],
  ])
})
