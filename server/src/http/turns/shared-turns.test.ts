import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedTurns } from './shared-turns.ts'

const STILL_THERE = (): boolean => false

test('pages for many who go back far are read at the same time', async () => {
  const reads = new SharedTurns({ monotonic: () => 0 })
  const under = { way: 0, most: 0 }
  const readPage = async (): Promise<void> => {
    under.way += 1
    under.most = Math.max(under.most, under.way)
    await new Promise((resolve) => setImmediate(resolve))
    under.way -= 1
  }
  await Promise.all([1, 2, 3, 4].map(() => reads.take(STILL_THERE, readPage)))
  assert.equal(under.most, 1)
})

test('T3: a page is read for whoever has hung up, and others wait for it', async () => {
  const reads = new SharedTurns({ monotonic: () => 0 })
  const read: string[] = []
  const ask = (name: string, isGone: () => boolean): Promise<string | null> =>
    reads.take(isGone, async () => {
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
  const reads = new SharedTurns({ monotonic: () => 0 })
  const failed = reads.take(STILL_THERE, () => Promise.reject(new Error('the disk is gone')))
  const next = reads.take(STILL_THERE, async () => 'next')
  await assert.rejects(failed, /the disk is gone/)
  assert.equal(await next, 'next')
})
