/** Whether a call came before an act was over, at the bounds of what one process can know. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, formatInstant } from 'rubicon-kernel'
import type { StoredEntry } from '../../ports/store.ts'
import { CallOrder } from './call-order.ts'

const START = Date.parse('2026-06-01T12:00:00.000Z')
/** More than one process remembers. */
const MANY = 10_000

type Kept = { now: number; monotonic: number; readonly over: Map<string, number> }

function createOrder(kept: Kept): CallOrder {
  const readLast = async (dfid: string): Promise<readonly StoredEntry[]> => {
    const at = kept.over.get(dfid)
    if (at === undefined) return []
    return [{ envelope: { at: formatInstant(at), trajectory: 'main' } } as StoredEntry]
  }
  const time = { getNow: () => kept.now, findSkew: () => null, confirm: () => () => {} }
  const readNow = async () => ({ now: formatInstant(kept.now), authority_seq: 0 })
  const store = { shared: true, time, readNow, listFlowEntries: readLast }
  return new CallOrder(store, { monotonic: () => kept.monotonic })
}

function toOverAnswer(dfid: string): Answer {
  return { dfid, outcome: 'REJECTED', trace_id: 'trace' } as Answer
}

const createKept = (): Kept => ({ now: START, monotonic: 0, over: new Map() })

function pass(kept: Kept, ms: number): void {
  kept.now += ms
  kept.monotonic += ms
}

test('an act of another process was not over when a call came, though the time of the store was set forward since', async () => {
  const kept = createKept()
  const order = createOrder(kept)
  const came = order.readCame()
  pass(kept, 5)
  kept.over.set('other', kept.now)
  pass(kept, 5)
  kept.now += 60_000
  assert.equal(await order.isOverBefore(came, 'other'), false)
})

test('an act of another process was over when a call came a millisecond later, and not when it came in the same', async () => {
  const kept = createKept()
  const order = createOrder(kept)
  kept.over.set('other', kept.now)
  const same = order.readCame()
  pass(kept, 1)
  const next = order.readCame()
  assert.equal(await order.isOverBefore(same, 'other'), false)
  assert.equal(await order.isOverBefore(next, 'other'), true)
})

test('an act was not over when a call came, though the time of the store was set back since', async () => {
  const kept = createKept()
  const order = createOrder(kept)
  const came = order.readCame()
  pass(kept, 5)
  kept.now -= 30_000
  kept.over.set('other', kept.now)
  pass(kept, 5)
  assert.equal(await order.isOverBefore(came, 'other'), false)
})

test('a call that is under way is known to be, however many others come and go', async () => {
  const kept = createKept()
  const order = createOrder(kept)
  order.markOpening('slow')
  kept.over.set('slow', kept.now)
  for (let other = 0; other < MANY; other++) {
    order.markOpening(`other ${other}`)
    order.markAnswered(toOverAnswer(`other ${other}`))
    order.markEnded(`other ${other}`)
  }
  pass(kept, 5)
  assert.equal(await order.isOverBefore(order.readCame(), 'slow'), false, 'it is not answered yet')
  order.markAnswered(toOverAnswer('slow'))
  order.markEnded('slow')
  assert.equal(await order.isOverBefore(order.readCame(), 'slow'), true)
})

test('a call that came before so many acts were answered that some are forgotten is taken for any of these', async () => {
  const kept = createKept()
  const order = createOrder(kept)
  order.markOpening('first')
  kept.over.set('first', kept.now)
  pass(kept, 5)
  const came = order.readCame()
  order.markAnswered(toOverAnswer('first'))
  order.markEnded('first')
  for (let other = 0; other < MANY; other++) order.markAnswered(toOverAnswer(`other ${other}`))
  assert.equal(await order.isOverBefore(came, 'first'), false, 'it may have been under way')
  pass(kept, 5)
  assert.equal(await order.isOverBefore(order.readCame(), 'first'), true)
})
