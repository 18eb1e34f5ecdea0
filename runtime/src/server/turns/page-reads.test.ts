import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInTurns } from './downloads.ts'
import { PageReads } from './page-reads.ts'

const STILL_THERE = (): boolean => false

/** Pages that count how many of them are read at the same time. */
async function* pages(count: number, under: { way: number; most: number }): AsyncGenerator<number> {
  for (let page = 0; page < count; page++) {
    under.way += 1
    under.most = Math.max(under.most, under.way)
    await new Promise((resolve) => setImmediate(resolve))
    under.way -= 1
    yield page
  }
}

async function collect(found: AsyncIterable<number>): Promise<readonly number[]> {
  const all: number[] = []
  for await (const page of found) all.push(page)
  return all
}

test('pages for many who go back far are read at the same time', async () => {
  const reads = new PageReads({ monotonic: () => 0 })
  const under = { way: 0, most: 0 }
  const all = [1, 2, 3].map(() => collect(readInTurns(pages(4, under), reads, STILL_THERE)))
  for (const found of await Promise.all(all)) assert.deepEqual(found, [0, 1, 2, 3])
  assert.equal(under.most, 1)
})

test('R1: a page is read for whoever has hung up, and others wait for it', async () => {
  const reads = new PageReads({ monotonic: () => 0 })
  const read: string[] = []
  const ask = (name: string, isGone: () => boolean): Promise<string | null> =>
    reads.read(isGone, async () => {
      read.push(name)
      return name
    })
  const gone = new Set<string>()
  const asked = ['ann', 'bob', 'cid'].map((name) => ask(name, () => gone.has(name)))
  gone.add('bob')
  assert.deepEqual(await Promise.all(asked), ['ann', null, 'cid'])
  assert.deepEqual(read, ['ann', 'cid'])
})

test('a page that cannot be read fails for whoever asked, and for nobody else', async () => {
  const reads = new PageReads({ monotonic: () => 0 })
  const failed = reads.read(STILL_THERE, () => Promise.reject(new Error('the disk is gone')))
  const next = reads.read(STILL_THERE, async () => 'next')
  await assert.rejects(failed, /the disk is gone/)
  assert.equal(await next, 'next')
})
