import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, hash, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeBase64, decodeHex, encodeHex, encodeUtf8, joinBytes } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import {
  computeNoteKeyId,
  formatCheckpointBody,
  formatNote,
  type NoteSignature,
  parseCheckpoint,
  parseNote,
} from './note.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const some = (text: string): Uint8Array => decodeBase64(text) ?? assert.fail('not base64')
const signature = (name: string, id = 1, length = 64): NoteSignature => ({
  name,
  keyId: Uint8Array.of(0, 0, 0, id),
  signature: new Uint8Array(length).fill(7),
})
const ROOT = new Uint8Array(32).fill(5)
const CHECKPOINT = { origin: 'rubicon.example/t', size: 42, root: ROOT, extensions: [] }

/** The example of c2sp.org/signed-note. */
const EXAMPLE =
  'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXpp' +
  'zi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n'
const EXAMPLE_KEY = some('AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k').slice(1)

function ed25519(publicKey: Uint8Array): ReturnType<typeof createPublicKey> {
  const header = decodeHex('302a300506032b6570032100') ?? assert.fail('not hex')
  const key = globalThis.Buffer.from(joinBytes(header, publicKey))
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

test('the published example note parses, verifies and formats back', () => {
  const note = parseNote(EXAMPLE)
  assert(note.ok)
  const { body, signatures } = note.value
  const [only] = signatures
  assert(only !== undefined && signatures.length === 1)
  assert.equal(body, 'This is an example message.\n')
  assert.equal(only.name, 'example.com/foo')
  assert.equal(encodeHex(only.keyId), '530d903a')
  assert.equal(encodeHex(computeNoteKeyId('example.com/foo', EXAMPLE_KEY, sha256)), '530d903a')
  assert(verify(null, encodeUtf8(body), ed25519(EXAMPLE_KEY), only.signature))
  assert.equal(formatNote(body, signatures), EXAMPLE)
})

test('a checkpoint signed with node verifies after a round trip', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const body = formatCheckpointBody(CHECKPOINT)
  const keyId = computeNoteKeyId(CHECKPOINT.origin, raw, sha256)
  const signed = sign(null, encodeUtf8(body), privateKey)
  const note = parseNote(formatNote(body, [{ name: CHECKPOINT.origin, keyId, signature: signed }]))
  assert(note.ok)
  const [only] = note.value.signatures
  assert(only !== undefined && verify(null, encodeUtf8(note.value.body), publicKey, only.signature))
  assert.deepEqual(parseCheckpoint(note.value.body), CHECKPOINT)
})

test('a checkpoint body has the lines of tlog-checkpoint', () => {
  const root = 'BQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQU='
  assert.equal(formatCheckpointBody(CHECKPOINT), `rubicon.example/t\n42\n${root}\n`)
  const extended = { ...CHECKPOINT, size: 0, extensions: ['epoch 2', 'x'] }
  assert.equal(formatCheckpointBody(extended), `rubicon.example/t\n0\n${root}\nepoch 2\nx\n`)
  assert.deepEqual(parseCheckpoint(formatCheckpointBody(extended)), extended)
  const largest = { ...CHECKPOINT, size: Number.MAX_SAFE_INTEGER }
  assert.deepEqual(parseCheckpoint(formatCheckpointBody(largest)), largest)
})

test('a size has one spelling', () => {
  const body = (size: string): string => formatCheckpointBody(CHECKPOINT).replace('42', size)
  assert.notEqual(parseCheckpoint(body('42')), undefined)
  for (const size of ['042', '+42', '-42', '-0', '00', '', ' 42', '42 ', '4e1', '0x2a', '42.0']) {
    assert.equal(parseCheckpoint(body(size)), undefined, `size \`${size}\``)
  }
  for (const size of ['9007199254740992', '18446744073709551615', 'NaN', 'Infinity', '1_0']) {
    assert.equal(parseCheckpoint(body(size)), undefined, `size \`${size}\``)
  }
})

test('a text that is not exactly a checkpoint is none', () => {
  const body = formatCheckpointBody(CHECKPOINT)
  const root = body.split('\n')[2] ?? ''
  const wrong = [
    '',
    '\n',
    body.slice(0, -1),
    `${body}\n`,
    `${body}extension\n\n`,
    `\n42\n${root}\n`,
    'o\n42\n',
    'o\n42\nAAAA\n',
    `o\n42\n${root.slice(0, -1)}\n`,
    `o\n42\n${root.replace('U=', 'V=')}\n`,
    `o\r\n42\n${root}\n`,
    `o\n42\n${root}\r\n`,
    `\ud800\n42\n${root}\n`,
    `o\n42\n${root}\n\ttab\n`,
  ]
  for (const text of wrong) assert.equal(parseCheckpoint(text), undefined, JSON.stringify(text))
})

test('writing a checkpoint whose parts could break its lines is a bug', () => {
  for (const origin of ['', 'a\nb', 'a\tb', '\ud800']) {
    assert.throws(() => formatCheckpointBody({ ...CHECKPOINT, origin }), /unbroken/)
    assert.throws(() => formatCheckpointBody({ ...CHECKPOINT, extensions: [origin] }), /unbroken/)
  }
  for (const size of [-1, 0.5, 2 ** 53]) {
    assert.throws(() => formatCheckpointBody({ ...CHECKPOINT, size }), /safe integer/)
  }
  assert.throws(() => formatCheckpointBody({ ...CHECKPOINT, root: new Uint8Array(31) }), /32 bytes/)
})

test('a note keeps blank lines of its text: the last blank line divides', () => {
  const body = 'one\n\n\ntwo\n\n'
  const note = parseNote(formatNote(body, [signature('a')]))
  assert(note.ok)
  assert.equal(note.value.body, body)
})

test('notes of one to 64 signatures pass, none and 65 do not', () => {
  const signatures = (n: number) => Array.from({ length: n }, (_, i) => signature(`k${i}`))
  for (const count of [1, 16, 64]) {
    const note = parseNote(formatNote('t\n', signatures(count)))
    assert(note.ok && note.value.signatures.length === count)
  }
  assert.deepEqual(parseNote('t\n\n'), { ok: false, error: 'note has no signature' })
  assert.throws(() => formatNote('t\n', []), /no signature/)
  assert.throws(() => formatNote('t\n', signatures(65)), /over 64/)
  const text = formatNote('t\n', signatures(64)) + formatNote('t\n', [signature('x')]).slice(3)
  assert.deepEqual(parseNote(text), { ok: false, error: 'note has over 64 signatures' })
})

test('one key signs a note once, so that a witness cannot be counted twice', () => {
  const first = formatNote('t\n', [signature('a', 1), signature('a', 2), signature('b', 1)])
  assert(parseNote(first).ok, 'the same name or the same id alone is another key')
  const again = first + formatNote('t\n', [signature('a', 2, 70)]).slice(3)
  assert.deepEqual(parseNote(again), { ok: false, error: 'note has two signatures of one key' })
})

test('a malformed note is refused with a reason', () => {
  const good = formatNote('t\n', [signature('a')])
  assert(parseNote(good).ok)
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /no blank line/],
    ['t\n', /no blank line/],
    ['t\n— a AAAAAAAA\n', /no blank line/],
    [good.slice(0, -1), /newline/],
    [`${good}\n`, /no signature/],
    [`${good}x\n`, /malformed/],
    [good.replace('— ', '- '), /malformed/],
    [good.replace('— ', '—'), /malformed/],
    [good.replace('— a', '—  a'), /malformed/],
    [good.replace('\n— a', '\n— a b'), /malformed/],
    [good.replace(/=*\n$/, '\n'), /malformed/],
    [good.replace(/\n$/, ' \n'), /malformed/],
    [good.replace(/\n$/, '\r\n'), /malformed/],
    ['t\n\n— a\n', /malformed/],
    ['t\n\n— a AAAA\n', /key id/],
    ['t\n\n— a \n', /key id/],
    ['t\n\n— a AAAAAA==\n', /signature is empty/],
    ['t\n\n—  AAAAAAAA\n', /key name/],
    [good.replace('— a', '— a+b'), /key name/],
    [good.replace('— a', '— a\u00a0b'), /key name/],
    [good.replace('— a', '— a\u2000b'), /key name/],
    [good.replace('— a', '— a\u200ab'), /key name/],
    [good.replace('— a', '— a\u3000b'), /key name/],
    [good.replace('— a', '— a\u0001b'), /key name/],
    [good.replace('— a', '— a\udc00b'), /key name/],
    [good.replace('t\n', 't\u0000\n'), /control character/],
    [good.replace('t\n', 't\r\n'), /control character/],
    [good.replace('t\n', 't\ud800\n'), /lone surrogate/],
  ]
  for (const [text, reason] of cases) {
    const note = parseNote(text)
    assert(!note.ok, JSON.stringify(text))
    assert.match(note.error, reason, JSON.stringify(text))
  }
})

test('whatever parses, formats back to the same text', () => {
  const alphabet = ['\n', '\n\n', '— ', 'a', ' ', '+', 'AAAAAAAA', 'AAAAAAB=', 'é', '\t', '\u2028']
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...alphabet), { maxLength: 12 }), (parts) => {
      const text = `t\n\n— a AAAAAAAA\n${parts.join('')}`
      const note = parseNote(text)
      if (note.ok) assert.equal(formatNote(note.value.body, note.value.signatures), text)
    }),
    { numRuns: 2_000 },
  )
})

test('formatting a note that could not be parsed is a bug', () => {
  assert.throws(() => formatNote('no newline', [signature('a')]), /newline/)
  assert.throws(() => formatNote('t\n', [signature('a b')]), /key name/)
  assert.throws(() => formatNote('t\n', [signature('a', 1, 0)]), /empty/)
  const keyId = new Uint8Array(3)
  assert.throws(() => formatNote('t\n', [{ ...signature('a'), keyId }]), /key id/)
  assert.throws(() => computeNoteKeyId('', ROOT, sha256), /valid name/)
})
