import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
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
  await Promise.all([1, 2, 3, 4].map(() => reads.take('ann', STILL_THERE, readPage)))
  assert.equal(under.most, 1)
})

test('T3: a page is read for whoever has hung up, and others wait for it', async () => {
  const reads = new SharedTurns({ monotonic: () => 0 })
  const read: string[] = []
  const ask = (name: string, isGone: () => boolean): Promise<string | null> =>
    reads.take(name, isGone, async () => {
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
  const failed = reads.take('ann', STILL_THERE, () => Promise.reject(new Error('the disk is gone')))
  const next = reads.take('bob', STILL_THERE, async () => 'next')
  await assert.rejects(failed, /the disk is gone/)
  assert.equal(await next, 'next')
})

test('whoever goes back far waits behind all streams of somebody else', async () => {
  const reads = new SharedTurns({ monotonic: () => 0 })
  const read: string[] = []
  const ask = (name: string): Promise<number | null> =>
    reads.take(name, STILL_THERE, async () => read.push(name))
  await Promise.all(['ann', 'ann', 'ann', 'ann', 'bob'].map(ask))
  assert.deepEqual(read, ['ann', 'ann', 'bob', 'ann', 'ann'])
})

test('T2: a slice follows a long one without a rest, or a short one with one', async (t) => {
  const timers = t.mock.method(globalThis, 'setTimeout')
  const listRests = async (sliceMs: number): Promise<readonly unknown[]> => {
    timers.mock.resetCalls()
    let now = 0
    const reads = new SharedTurns({ monotonic: () => now })
    const read = async (): Promise<void> => {
      now += sliceMs
    }
    // The second comes after what follows the first.
    const [, second] = ['ann', 'bob'].map((name) => reads.take(name, STILL_THERE, read))
    await second
    return timers.mock.calls.slice(0, 1).map((call) => call.arguments[1])
  }
  assert.deepEqual(await listRests(LIMITS.pastSliceMs / 4), [])
  assert.deepEqual(await listRests(LIMITS.pastSliceMs), [LIMITS.pastSliceMs])
})
