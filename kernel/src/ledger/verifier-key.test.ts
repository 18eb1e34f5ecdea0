import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { decodeBase64, encodeBase64 } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { formatVerifierKey, parseVerifierKey } from './verifier-key.ts'

const sha256: Sha256 = (data) => new Uint8Array(createHash('sha256').update(data).digest())

/** The key of the Go checksum database, as everybody has it. */
const PUBLISHED = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'

test('a published key is read, and written back as it was', () => {
  const key = parseVerifierKey(PUBLISHED, sha256)
  assert.ok(key)
  assert.deepEqual([key.name, key.publicKey.length], ['sum.golang.org', 32])
  assert.equal(formatVerifierKey(key, sha256), PUBLISHED)
})

test('another id, name, type or spelling is no key', () => {
  const [name = '', id = '', ...rest] = PUBLISHED.split('+')
  const encoded = rest.join('+')
  const other = decodeBase64(encoded) ?? new Uint8Array(0)
  other[0] = 2
  for (const text of [
    '',
    name,
    `${name}+${id}`,
    `${name}+${id}+`,
    `${name}+${id}+${encodeBase64(other)}`,
    `${name}+033de0af+${encoded}`,
    `${name}+${id.toUpperCase()}+${encoded}`,
    `sum.golang.com+${id}+${encoded}`,
    `${PUBLISHED}\n`,
    `a b+${id}+${encoded}`,
  ])
    assert.equal(parseVerifierKey(text, sha256), undefined, text)
})
