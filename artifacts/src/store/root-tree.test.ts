import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { makeFolder } from '../files/temporary-folder.test-support.ts'
import { type ContentHash, computeContentHash } from './content-hash.ts'
import { createFileBlobs, locateBlob } from './file-blobs.ts'
import { createMemoryBlobs } from './memory-blobs.ts'
import { RootTree } from './root-tree.ts'

function hashOf(value: number): ContentHash {
  return computeContentHash(Uint8Array.of(value & 255, value >> 8))
}

async function update(
  tree: RootTree,
  root: ContentHash,
  changes: ReadonlyMap<string, ContentHash | null>,
): Promise<ContentHash> {
  const updated = await tree.update(root, changes)
  assert.ok(updated.ok)
  return updated.value
}

test('one set of names has one root, whatever way led there; every name is found, and differences are all of them', async () => {
  const name = fc.nat(60).map((number) => `src/file-${number}.ts`)
  const change = fc.tuple(name, fc.option(fc.nat(4)))
  const batches = fc.array(fc.array(change, { maxLength: 40 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(batches, async (all) => {
      const tree = new RootTree(createMemoryBlobs())
      const empty = await tree.createEmpty()
      const names = new Map<string, ContentHash>()
      let root = empty
      for (const batch of all) {
        const before = { root, names: new Map(names) }
        const changes = new Map(
          batch.map(([one, value]) => [one, value === null ? null : hashOf(value)]),
        )
        root = await update(tree, root, changes)
        for (const [one, hash] of changes)
          if (hash === null) names.delete(one)
          else names.set(one, hash)
        const compared = await tree.compare(before.root, root)
        assert.ok(compared.ok)
        const wanted = [...new Set([...before.names.keys(), ...names.keys()])]
          .filter((one) => before.names.get(one) !== names.get(one))
          .sort()
        assert.deepEqual(
          compared.value.map((one) => one.name),
          wanted,
        )
      }
      assert.equal(root, await update(tree, empty, names))
      const listed = await tree.list(root)
      assert.ok(listed.ok)
      assert.deepEqual([...listed.value], [...names].sort())
      for (const one of [...names.keys(), 'src/none.ts']) {
        const found = await tree.find(root, one)
        assert.ok(found.ok)
        assert.equal(found.value, names.get(one) ?? null)
      }
    }),
    { numRuns: 60 },
  )
})

test('a node that is missing or damaged is named, and nothing is made up for it', async () => {
  const folder = makeFolder()
  const blobs = createFileBlobs(folder, { flush: false })
  const tree = new RootTree(blobs)
  const names = new Map(Array.from({ length: 40 }, (_, i) => [`f${i}`, hashOf(i)]))
  const root = await update(tree, await tree.createEmpty(), names)
  for (const [damage, code] of [
    ['{}', 'BLOB_CORRUPT'],
    ['', 'BLOB_CORRUPT'],
  ] as const) {
    writeFileSync(locateBlob(folder, root), damage)
    const listed = await new RootTree(blobs).list(root)
    assert.ok(!listed.ok)
    assert.deepEqual([listed.error.code, listed.error.hash], [code, root])
  }
  const odd = await blobs.put(Buffer.from('{"leaf":[["a","x"]]}'))
  const listed = await new RootTree(blobs).list(odd)
  assert.ok(!listed.ok && listed.error.code === 'BLOB_CORRUPT')
})

test('a change of one of a thousand names writes a few small blobs', async () => {
  let [count, bytes] = [0, 0]
  const blobs = createMemoryBlobs()
  const tree = new RootTree({
    ...blobs,
    put: async (put) => {
      count += 1
      bytes += put.length
      return blobs.put(put)
    },
  })
  const names = new Map(Array.from({ length: 1_000 }, (_, i) => [`src/file-${i}.ts`, hashOf(i)]))
  let root = await update(tree, await tree.createEmpty(), names)
  ;[count, bytes] = [0, 0]
  for (let i = 0; i < 100; i += 1)
    root = await update(tree, root, new Map([[`src/file-${i * 7}.ts`, hashOf(i + 1)]]))
  assert.ok(count <= 400, String(count))
  assert.ok(bytes / 100 < 4_096, String(bytes / 100))
})
