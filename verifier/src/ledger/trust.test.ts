import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  computeNoteKeyId,
  encodeUtf8,
  formatNote,
  formatVerifierKey,
  type NoteSignature,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import { sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { parseTrust } from './trust.ts'

const { builder } = sampleLedger()
const text = builder.text()

test('the first operator key and the checkpoint key make a file trusted', async () => {
  for (const key of [builder.operator, builder.checkpoint]) {
    const report = await verifyTwice(text, `${key.text}\n`)
    assert.deepEqual([report.ok, report.strength], [true, 'trusted'])
  }
  const record = JSON.stringify({ public_key: builder.operator.text, purpose: 'operator' })
  assert.equal((await verifyTwice(text, record)).strength, 'trusted')
})

test('a verifier key of this log does, one of another log with the same key does not', async () => {
  const publicKey = builder.checkpoint.bytes
  const name = builder.origin()
  const own = formatVerifierKey({ name, publicKey }, nodeCrypto.sha256)
  assert.equal((await verifyTwice(text, `${own}\n`)).strength, 'trusted')
  const other = formatVerifierKey({ name: `${name}9`, publicKey }, nodeCrypto.sha256)
  assert.deepEqual(places(await verifyTwice(text, other)), ['null TRUST_MISMATCH'])
})

test('a verifier key makes nothing trusted that has no checkpoint', async () => {
  const publicKey = builder.checkpoint.bytes
  const own = formatVerifierKey({ name: builder.origin(), publicKey }, nodeCrypto.sha256)
  const unsigned = builder.text(builder.header('no note'))
  const found = ['null CHECKPOINT_UNREADABLE', 'null TRUST_MISMATCH']
  assert.deepEqual(places(await verifyTwice(unsigned, own)), found)
})

test('finding 40a: the signature of a key that nobody knows refuses no note', async () => {
  const name = builder.origin()
  const stranger = sampleKey('checkpoint', 'stranger')
  const body = builder.note().slice(0, builder.note().indexOf('\n\n') + 1)
  const signed = (key: typeof stranger, by = name): NoteSignature => ({
    name: by,
    keyId: computeNoteKeyId(by, key.bytes, nodeCrypto.sha256),
    signature: key.signRaw(encodeUtf8(body)),
  })
  const broken = { ...signed(builder.checkpoint), signature: signed(stranger).signature }
  const outcome = async (...signatures: readonly NoteSignature[]): Promise<readonly string[]> =>
    places(await verifyTwice(builder.text(builder.header(formatNote(body, signatures)))))
  assert.deepEqual(await outcome(signed(stranger), signed(builder.checkpoint)), [])
  assert.deepEqual(await outcome(signed(builder.checkpoint), signed(stranger, 'witness')), [])
  assert.deepEqual(await outcome(signed(stranger)), ['null CHECKPOINT_SIGNATURE'])
  assert.deepEqual(await outcome(broken, signed(stranger)), ['null CHECKPOINT_SIGNATURE'])
})

test('no other key does, not even one of the file', async () => {
  for (const key of [builder.kernel, sampleKey('operator', 'stranger')]) {
    const report = await verifyTwice(text, key.text)
    assert.deepEqual(places(report), ['null TRUST_MISMATCH'])
    assert.equal(report.strength, null)
  }
})

test('an earlier checkpoint of the same log makes it trusted', async () => {
  for (const size of [1, 7, 15])
    assert.equal((await verifyTwice(text, builder.note(size))).strength, 'trusted')
})

test('a checkpoint over nothing, over more, or of another log does not', async () => {
  const { builder: other } = sampleLedger('other')
  builder.entries.push(...builder.entries.slice(0, 1))
  const longer = builder.note()
  builder.entries.pop()
  for (const note of [builder.note(0), longer, other.note()]) {
    assert.deepEqual(places(await verifyTwice(text, note)), ['null TRUST_MISMATCH'])
  }
})

test('a checkpoint of the same origin with another root does not', async () => {
  const changed = sampleLedger().builder
  changed.entries = changed.entries.toReversed()
  assert.deepEqual(places(await verifyTwice(text, changed.note(9))), ['null TRUST_MISMATCH'])
})

test('a key id, a weak key and any other text cannot be trusted', () => {
  const weak = Buffer.from(`01${'00'.repeat(31)}`, 'hex').toString('base64')
  for (const words of [builder.operator.id, weak, '', '{}', 'AAAA']) {
    assert.equal(parseTrust(words, nodeCrypto.sha256).ok, false)
  }
})
