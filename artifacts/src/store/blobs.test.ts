import assert from 'node:assert/strict'
import { readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeFolder } from '../files/temporary-folder.test-support.ts'
import { testBlobStore } from './blob-store.conformance.ts'
import type { ContentHash } from './content-hash.ts'
import { createFileBlobs, locateBlob } from './file-blobs.ts'
import { createMemoryBlobs } from './memory-blobs.ts'

testBlobStore('memory', createMemoryBlobs)
testBlobStore('files', () => createFileBlobs(makeFolder(), { flush: false }))

test('a blob that was damaged on the disk is said to be corrupt, and is whole again once it is put again', async () => {
  const folder = makeFolder()
  const blobs = createFileBlobs(folder)
  const bytes = Buffer.from('const a = 1\n')
  const hash = await blobs.put(bytes)
  for (const damaged of ['const a = 2\n', '', 'const a']) {
    writeFileSync(locateBlob(folder, hash), damaged)
    const got = await blobs.get(hash)
    assert.ok(!got.ok)
    assert.equal(got.error.code, 'BLOB_CORRUPT')
    assert.equal(await blobs.has(hash), false)
    assert.equal(await blobs.put(bytes), hash)
    assert.ok((await blobs.get(hash)).ok)
  }
  assert.deepEqual(readdirSync(join(folder, 'drafts')), [])
})

test('a hash that is none leads nowhere, and a link in the place of a blob is not followed', async () => {
  const folder = makeFolder({ secret: 'x' })
  const blobs = createFileBlobs(folder)
  const odd = 'sha256:../secret' as ContentHash
  assert.equal(await blobs.has(odd), false)
  const hash = await blobs.put(Buffer.from('x'))
  unlinkSync(locateBlob(folder, hash))
  symlinkSync(join(folder, 'secret'), locateBlob(folder, hash))
  const got = await blobs.get(hash)
  assert.ok(!got.ok)
  assert.equal(got.error.code, 'BLOB_UNREADABLE')
})
