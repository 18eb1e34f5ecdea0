import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oracleSkip, runOracle } from '../samples/oracle.test-support.ts'
import { readEdgeCases, VECTORS, withoutVectors } from '../samples/vectors.test-support.ts'
import { createBrowserCrypto } from './browser-crypto.ts'
import type { AuditCrypto } from './crypto.ts'
import { nodeCrypto } from './node-crypto.ts'

function acceptedBy({ verifyEd25519 }: AuditCrypto): readonly number[] {
  return readEdgeCases().flatMap(({ number, key, message, signature }) =>
    verifyEd25519(key, message, signature) ? [number] : [],
  )
}

test('finding 37a: no verifier takes a signature that another refuses', {
  skip: withoutVectors || oracleSkip,
}, async () => {
  const { edges } = JSON.parse(await runOracle('--vectors', VECTORS))
  assert.deepEqual([edges.cases, edges.accepted.length], [914, 43])
  assert.deepEqual(acceptedBy(nodeCrypto), edges.accepted)
  assert.deepEqual(acceptedBy(createBrowserCrypto()), edges.accepted)
})
