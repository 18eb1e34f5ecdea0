import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { encodeBase64 } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import {
  buildHeadBody,
  type Certified,
  computeBatchAddress,
  deriveHeadKeyId,
  findCertifiedProblem,
  type HeadBody,
  type HeadTrust,
  parseHeadText,
  parseSealText,
  sealBody,
  toSignedBytes,
} from './tree-head.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const ORIGIN = 'rubicon/acme/operator-0011223344556677/0'
const ID = `sha256:${'ab'.repeat(32)}` as const

function keyOf(seed: number): { readonly key: KeyObject; readonly raw: Uint8Array } {
  const der = Buffer.concat([PKCS8, Buffer.alloc(32, seed)])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return { key, raw: new Uint8Array(spki.subarray(SPKI.length)) }
}

const checkpoint = keyOf(1)
const process = keyOf(2)
const TRUST: HeadTrust = {
  origin: ORIGIN,
  checkpointKey: (id) => (id === 'checkpoint-1' ? checkpoint.raw : undefined),
  verify: (key, message, signature) => {
    const der = Buffer.concat([SPKI, key])
    return verify(
      null,
      message,
      createPublicKey({ key: der, format: 'der', type: 'spki' }),
      signature,
    )
  },
  sha256,
}

function certified<T extends HeadBody>(type: 'head' | 'seal', body: T, by = process): Certified<T> {
  const key_id = deriveHeadKeyId(process.raw, sha256)
  const made = { origin: ORIGIN, key_id, public_key: encodeBase64(process.raw), made_at: 'now' }
  const sig = encodeBase64(sign(null, toSignedBytes('head-key', made), checkpoint.key))
  return {
    body,
    certificate: { body: made, signature: { key_id: 'checkpoint-1', sig } },
    signature: { key_id, sig: encodeBase64(sign(null, toSignedBytes(type, body), by.key)) },
  }
}

const BODY = buildHeadBody(ORIGIN, { size: 3, root: new Uint8Array(32), authority: 1 })

test('a head holds when its key is certified and signed it', () => {
  const head = certified('head', BODY)
  assert.equal(findCertifiedProblem('head', head, TRUST), undefined)
  assert.deepEqual(parseHeadText(toCanonicalText(head)), head)
})

test('a head of another log, key, certifier or tree does not hold', () => {
  const head = certified('head', BODY)
  const { certificate, signature } = head
  const changed: readonly (readonly [RegExp, Certified<HeadBody>])[] = [
    [/another log/, certified('head', { ...BODY, origin: 'rubicon/acme/operator-0/0' })],
    [/does not hold/, { ...head, body: { ...BODY, size: 4 } }],
    [/does not hold/, { ...head, body: { ...BODY, authority: 0 } }],
    [/does not hold/, certified('head', BODY, keyOf(3))],
    [/does not hold/, certified('seal', BODY)],
    [/another key/, { ...head, signature: { ...signature, key_id: 'head-0' } }],
    [/does not count/, { ...head, certificate: signedBy(certificate, 'checkpoint-2') }],
    [
      /certificate does not hold/,
      {
        ...head,
        certificate: { ...certificate, signature: { key_id: 'checkpoint-1', sig: signature.sig } },
      },
    ],
    [
      /certificate does not hold/,
      { ...head, certificate: { ...certificate, body: { ...certificate.body, made_at: 'then' } } },
    ],
    [
      /not the one that it names/,
      {
        ...head,
        certificate: {
          ...certificate,
          body: { ...certificate.body, public_key: encodeBase64(checkpoint.raw) },
        },
      },
    ],
  ]
  for (const [problem, one] of changed)
    assert.match(findCertifiedProblem('head', one, TRUST) ?? '', problem)
})

function signedBy(certificate: Certified<HeadBody>['certificate'], key_id: string) {
  return { ...certificate, signature: { ...certificate.signature, key_id } }
}

test('text that is not exactly a head or a seal is neither', () => {
  const head = certified('head', BODY)
  const text = toCanonicalText(head)
  assert.equal(parseHeadText(` ${text}`), undefined)
  for (const other of ['[]', 'null', '7']) assert.equal(parseHeadText(other), undefined, other)
  assert.equal(parseHeadText(text.slice(1)), undefined)
  assert.equal(parseHeadText(toCanonicalText({ ...head, more: 1 })), undefined)
  assert.equal(parseHeadText(toCanonicalText({ ...head, body: { ...BODY, more: 1 } })), undefined)
  for (const name of ['body', 'certificate', 'signature'] as const)
    assert.equal(parseHeadText(toCanonicalText({ ...head, [name]: {} })), undefined, name)
  for (const wrong of [{ size: '3' }, { authority: '3' }])
    assert.equal(
      parseHeadText(toCanonicalText({ ...head, body: { ...BODY, ...wrong } })),
      undefined,
    )
  const { certificate } = head
  for (const name of ['origin', 'public_key'] as const) {
    const body = { ...certificate.body, [name]: 1 }
    assert.equal(
      parseHeadText(toCanonicalText({ ...head, certificate: { ...certificate, body } })),
      undefined,
    )
  }
  assert.equal(parseSealText(text), undefined)
  assert.equal(parseSealText('[]'), undefined)
  for (const signature of [null, { key_id: 'head-0' }, { key_id: 1, sig: '' }])
    assert.equal(parseHeadText(toCanonicalText({ ...head, signature })), undefined)
})

test('a signature that is no base64 is none', () => {
  const head = certified('head', BODY)
  const signature = { ...head.signature, sig: '!' }
  assert.match(findCertifiedProblem('head', { ...head, signature }, TRUST) ?? '', /does not hold/)
})

test('a seal covers the ids of a batch in their order, and where it was written', () => {
  const batch = { size: 7, authority: 3, ids: [ID] }
  const one = sealBody(ORIGIN, 0, batch, sha256)
  assert.deepEqual([one.size, one.authority, one.count], [7, 3, 1])
  assert.equal(one.entries, computeBatchAddress([ID], sha256))
  assert.notEqual(one.entries, sealBody(ORIGIN, 0, { ...batch, ids: [ID, ID] }, sha256).entries)
  const { certificate, signature } = certified('head', BODY)
  const text = toCanonicalText({ body: one, certificate, signature })
  assert.deepEqual(parseSealText(text)?.body, one)
  const others = [{ origin: 1 }, { batch: '0' }, { size: '0' }, { authority: '0' }, { count: '0' }]
  for (const other of [...others, { entries: 1 }, { entries: 'x' }, { more: 1 }])
    assert.equal(
      parseSealText(toCanonicalText({ body: { ...one, ...other }, certificate, signature })),
      undefined,
    )
})
