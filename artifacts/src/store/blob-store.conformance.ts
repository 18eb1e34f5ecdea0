/** What every store of blobs does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BlobStore } from './blob-store.ts'
import { computeContentHash } from './content-hash.ts'

export function testBlobStore(name: string, create: () => BlobStore): void {
  test(`${name}: what is put is got back, byte by byte, by its SHA-256`, async () => {
    const blobs = create()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const hash = await blobs.put(bytes)
        assert.equal(hash, computeContentHash(bytes))
        const got = await blobs.get(hash)
        assert.ok(got.ok)
        assert.deepEqual([...got.value], [...bytes])
        assert.ok(await blobs.has(hash))
        assert.equal(await blobs.put(bytes), hash)
      }),
      { numRuns: 40 },
    )
  })

  test(`${name}: what nobody put is missing`, async () => {
    const blobs = create()
    const hash = computeContentHash(Uint8Array.of(1))
    const got = await blobs.get(hash)
    assert.ok(!got.ok)
    assert.deepEqual([got.error.code, got.error.hash], ['BLOB_MISSING', hash])
    assert.equal(await blobs.has(hash), false)
  })

  test(`${name}: whoever writes over what they put in, or got out, changes nothing`, async () => {
    const blobs = create()
    const bytes = Uint8Array.of(1, 2, 3)
    const hash = await blobs.put(bytes)
    bytes[0] = 9
    const got = await blobs.get(hash)
    assert.ok(got.ok)
    got.value[1] = 9
    const again = await blobs.get(hash)
    assert.ok(again.ok)
    assert.deepEqual([...again.value], [1, 2, 3])
  })

  test(`${name}: many at once, of the same bytes too`, async () => {
    const blobs = create()
    const hashes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => blobs.put(Uint8Array.of(i % 7))),
    )
    assert.equal(new Set(hashes).size, 7)
    for (const hash of hashes) assert.ok((await blobs.get(hash)).ok)
  })
}
