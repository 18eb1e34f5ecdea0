import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { decodeBase64, encodeBase64 } from 'rubicon-kernel'
import { parseAgentKey } from './agent-key.ts'

test('a key from a file signs as the key that the file was written from', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const key = await parseAgentKey(pem)
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  assert.equal(key.public_key, encodeBase64(new Uint8Array(der.subarray(-32))))
  const bytes = new TextEncoder().encode('x')
  assert.ok(verify(null, bytes, createPublicKey(privateKey), await key.sign(bytes)))
  assert.equal(decodeBase64(key.public_key)?.length, 32)
})

test('what is no private key of this kind is refused', async () => {
  const { privateKey } = generateKeyPairSync('x25519')
  const other = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  for (const text of [
    '',
    'sk-secret',
    '-----BEGIN PRIVATE KEY-----\n!!\n-----END PRIVATE KEY-----',
  ])
    await assert.rejects(parseAgentKey(text), /no private key in PEM/)
  await assert.rejects(parseAgentKey(other))
})
