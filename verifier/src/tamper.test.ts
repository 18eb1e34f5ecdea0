/** What an attacker with the file can do, each found where it was done, by both verifiers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeHex } from 'rubicon-kernel'
import type { AuditCrypto } from './crypto/crypto.ts'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { codes, places, verifyTwice } from './samples/agreement.test-support.ts'
import { LedgerBuilder } from './samples/ledger-builder.test-support.ts'
import { oracleReports, oracleSkip } from './samples/oracle.test-support.ts'
import { sampleLedger } from './samples/sample-ledger.test-support.ts'
import { verifyLedgerText } from './verify-ledger.ts'

const SEED = Number(process.env.TAMPER_SEED ?? 1)
/** Every byte takes a minute; else it is one in so many, and others with another seed. */
const STRIDE = process.env.RUBICON_FULL === '1' ? 1 : 41
/** Where lines begin and end, bytes are of another kind: all of them are changed. */
const EDGE = 2
const BATCH = 500
const { builder } = sampleLedger()
const good = builder.text()
const lines = good.split('\n').slice(0, -1)

/** Signatures over unchanged bytes are judged once: thousands of files share them. */
function remembering(crypto: AuditCrypto): AuditCrypto {
  const verdicts = new Map<string, boolean>()
  return {
    sha256: crypto.sha256,
    verifyEd25519(publicKey, message, signature) {
      const name = `${encodeHex(publicKey)} ${encodeHex(signature)} ${encodeHex(crypto.sha256(message))}`
      const verdict = verdicts.get(name) ?? crypto.verifyEd25519(publicKey, message, signature)
      verdicts.set(name, verdict)
      return verdict
    },
  }
}

/** xorshift32: one seed, one run. */
function randomFrom(seed: number): () => number {
  let state = seed | 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

type Flip = { readonly offset: number; readonly leaf: number; readonly mask: number }

/** Bytes of every entry line, its LF too, each changed once. */
function flipsOf(bytes: Uint8Array): Flip[] {
  const random = randomFrom(SEED)
  const flips: Flip[] = []
  let leaf = -1
  for (const [offset, byte] of bytes.entries()) {
    const mask = 1 + (random() % 255)
    const isEdge = bytes.subarray(Math.max(0, offset - EDGE), offset + EDGE).includes(0x0a)
    if (leaf >= 0 && (isEdge || (offset + SEED) % STRIDE === 0)) flips.push({ offset, leaf, mask })
    if (byte === 0x0a) leaf += 1
  }
  return flips
}

function flipped(bytes: Uint8Array, { offset, mask }: Flip): Uint8Array {
  const copy = bytes.slice()
  copy[offset] = (copy[offset] ?? 0) ^ mask
  return copy
}

test('one byte of an entry line that changes is found there, by both', async () => {
  const bytes = new TextEncoder().encode(good)
  const crypto = remembering(nodeCrypto)
  const flips = flipsOf(bytes)
  assert.ok(flips.length > 10_000 / STRIDE)
  for (let i = 0; i < flips.length; i += BATCH) {
    const some = flips.slice(i, i + BATCH)
    const texts = some.map((flip) => flipped(bytes, flip))
    // The other one runs meanwhile: it is a process of its own.
    const waiting = oracleSkip === false ? oracleReports(texts) : undefined
    const ours = texts.map((text) => verifyLedgerText(text, crypto))
    const theirs = await waiting
    for (const [j, { offset, leaf, mask }] of some.entries()) {
      const where = `seed ${SEED}, offset ${offset}, mask ${mask}`
      const [first] = ours[j]?.findings ?? []
      assert.equal(first?.leaf, leaf, where)
      if (theirs === undefined) continue
      const [second] = theirs[j]?.findings ?? []
      assert.deepEqual([second?.leaf, second?.code], [leaf, first?.code], `the oracle: ${where}`)
    }
  }
})

test('an entry that is removed is missed by what stood on it, or by the checkpoint', async () => {
  for (const [leaf, { envelope }] of builder.entries.entries()) {
    const report = await verifyTwice(
      [...lines.slice(0, leaf + 1), ...lines.slice(leaf + 2), ''].join('\n'),
    )
    assert.equal(report.ok, false)
    assert.ok(
      codes(report).some((code) => code.startsWith('CHECKPOINT')),
      `leaf ${leaf}`,
    )
    const next = builder.entries.findIndex(
      (entry, i) => i > leaf && entry.envelope.trajectory === envelope.trajectory,
    )
    // A dispatch that cites what is gone can stand before the next entry of the trajectory.
    const first = report.findings[0]?.leaf ?? Number.MAX_SAFE_INTEGER
    if (next > 0) assert.ok(first <= next - 1, `leaf ${leaf}: found at ${first}`)
    assert.ok(first >= leaf, `leaf ${leaf}: found at ${first}`)
  }
})

test('two neighbours that change places are found at the first of them', async () => {
  for (let leaf = 0; leaf + 1 < builder.entries.length; leaf += 1) {
    const swapped = lines.toSpliced(leaf + 1, 2, lines[leaf + 2] ?? '', lines[leaf + 1] ?? '')
    const report = await verifyTwice([...swapped, ''].join('\n'))
    assert.equal(report.ok, false)
    const isOneTrajectory =
      builder.entries[leaf]?.envelope.trajectory === builder.entries[leaf + 1]?.envelope.trajectory
    if (isOneTrajectory) assert.equal(report.findings[0]?.leaf, leaf)
    else assert.ok(codes(report).includes('CHECKPOINT_ROOT'))
  }
})

test('an entry that is inserted or repeated is found', async () => {
  for (let leaf = 0; leaf < builder.entries.length; leaf += 1) {
    const repeated = lines.toSpliced(leaf + 2, 0, lines[leaf + 1] ?? '')
    const report = await verifyTwice([...repeated, ''].join('\n'))
    assert.equal(report.findings[0]?.leaf, leaf + 1)
    assert.ok(codes(report).includes('CHECKPOINT_SIZE'))
  }
})

test('a change with all hashes after it recomputed is found at the checkpoint', async () => {
  const { builder: forged } = sampleLedger()
  const header = forged.header()
  forged.entries = forged.entries.map((entry, i) =>
    i === 13
      ? { ...entry, payload: (entry.payload ?? '').replace('"attempt":2', '"attempt":3') }
      : entry,
  )
  forged.rehash(13)
  assert.deepEqual(places(await verifyTwice(forged.text(header))), ['null CHECKPOINT_ROOT'])
})

test('a change to what was signed is found at its signature, whatever was recomputed', async () => {
  const { builder: forged } = sampleLedger()
  const header = forged.header()
  forged.entries = forged.entries.map((entry, i) =>
    i === 14 ? { ...entry, payload: (entry.payload ?? '').replace('"done"', '"none"') } : entry,
  )
  forged.rehash(14)
  assert.deepEqual(places(await verifyTwice(forged.text(header))), [
    '14 ENTRY_SIGNATURE',
    'null CHECKPOINT_ROOT',
  ])
})

test('a tail that is cut is found by the size in the checkpoint', async () => {
  for (let kept = 0; kept < builder.entries.length; kept += 1) {
    const report = await verifyTwice([...lines.slice(0, kept + 1), ''].join('\n'))
    assert.ok(
      codes(report).includes(kept < 5 ? 'KEYS_MISMATCH' : 'CHECKPOINT_SIZE'),
      `${kept} left`,
    )
  }
})

test('a ledger made anew with other keys is consistent, and is not the trusted one', async () => {
  const { builder: forged } = sampleLedger('thief')
  const text = forged.text()
  assert.deepEqual((await verifyTwice(text)).findings, [])
  assert.deepEqual(places(await verifyTwice(text, builder.operator.text)), ['null TRUST_MISMATCH'])
  assert.deepEqual(places(await verifyTwice(text, builder.note(3))), ['null TRUST_MISMATCH'])
})

test('a forged ledger cannot borrow the first operator key that it does not have', async () => {
  const { operator } = builder
  const forged = new LedgerBuilder('thief')
  forged.append('authority', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const genuine = builder.entries[1]?.payload ?? ''
  forged.append('authority', 'key', JSON.parse(genuine))
  forged.addKey(forged.checkpoint, forged.operator)
  const report = await verifyTwice(forged.text(), operator.text)
  assert.equal(report.ok, false)
  assert.equal(places(report)[0], '2 ENTRY_SIGNATURE')
})
