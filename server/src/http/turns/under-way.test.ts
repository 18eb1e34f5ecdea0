import assert from 'node:assert/strict'
import { request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import { Newcomers } from '../connections/newcomers.ts'
import { get, problemOf, type Served, served } from '../served.test-support.ts'
import { LargeRequests } from './large-requests.ts'
import { UnderWay } from './under-way.ts'

/** Lists of flows that wait until they are let go. */
function heldLists(t: TestContext, { runtime }: Served): { asked: number; letGo(): void } {
  const waiting: (() => void)[] = []
  const held = {
    asked: 0,
    letGo: () => {
      for (const go of waiting.splice(0)) go()
    },
  }
  t.mock.method(runtime.store, 'listFlowSummaries', async () => {
    held.asked += 1
    await new Promise<void>((resolve) => void waiting.push(resolve))
    return []
  })
  return held
}

function lists(place: HttpPlace, count: number): readonly Promise<HttpAnswer>[] {
  return Array.from({ length: count }, () => get(place, '/v1/flows?limit=1000'))
}

async function turns(until: () => boolean): Promise<void> {
  while (!until()) await new Promise((resolve) => setImmediate(resolve))
}

test('one principal has so many requests under way, and another gets through', async (t) => {
  const all = await served(t)
  const [mallory, jane] = [all.person('mallory', 'auditor'), all.person('jane', 'auditor')]
  const held = heldLists(t, all)
  const asked = lists(mallory, LIMITS.requestsUnderWay)
  await turns(() => held.asked === LIMITS.requestsUnderWay)
  const refused = await get(mallory, '/v1/flows?limit=1000')
  assert.deepEqual(problemOf(refused), [429, 'TOO_MANY_UNDER_WAY'])
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(held.asked, LIMITS.requestsUnderWay, 'nothing was looked up for it')
  assert.equal((await get(jane, '/v1/monitors')).status, 200)
  held.letGo()
  for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200)
  assert.equal((await get(mallory, '/v1/monitors')).status, 200)
})

test('U1: whoever hangs up makes no room before the work has ended', async (t) => {
  const all = await served(t, { parts: { underWay: 1 } })
  const mallory = all.person('mallory', 'auditor')
  const held = heldLists(t, all)
  const headers = { authorization: `Bearer ${mallory.token}` }
  const left = request(`${mallory.url}/v1/flows`, { headers }).end()
  await turns(() => held.asked === 1)
  left.on('error', () => {}).destroy()
  await new Promise((resolve) => left.on('close', resolve))
  assert.deepEqual(problemOf(await get(mallory, '/v1/flows')), [429, 'TOO_MANY_UNDER_WAY'])
  held.letGo()
  assert.equal((await get(mallory, '/v1/monitors')).status, 200)
})

test('a refusal, a body that cannot be read and a stream that is open hold no place', async (t) => {
  const { person } = await served(t, { parts: { underWay: 1 } })
  const jane = person('jane', 'auditor')
  for (const path of ['/v1/flows?limit=x', '/v1/flows/none', '/v1/bundles/none'])
    assert.ok((await get(jane, path)).status >= 400)
  const stop = new AbortController()
  const stream = await fetch(`${jane.url}/v1/events`, {
    headers: { authorization: `Bearer ${jane.token}` },
    signal: stop.signal,
  })
  assert.equal(stream.status, 200)
  assert.equal((await get(jane, '/v1/flows')).status, 200)
  stop.abort()
})

test('U2: a place is given back once, when the last of what holds it has ended', () => {
  const underWay = new UnderWay(2)
  const [first, second] = [underWay.enter('a'), underWay.enter('a')]
  assert.ok(first !== null && second !== null)
  assert.equal(underWay.enter('a'), null)
  assert.notEqual(underWay.enter('b'), null)
  const [work, answer] = [first.hold(), first.hold()]
  work()
  assert.equal(underWay.enter('a'), null)
  answer()
  first.leave()
  const third = underWay.enter('a')
  assert.notEqual(third, null)
  assert.equal(underWay.enter('a'), null)
})

test('a large request waits for the one before of the same asker, and for nobody else', async () => {
  const large = new LargeRequests({ monotonic: () => 0 })
  const order: string[] = []
  let letGo = (): void => {}
  const held = (): Promise<void> => {
    order.push('first')
    return new Promise((resolve) => {
      letGo = resolve
    })
  }
  const handle = (asker: string, what: string, isGone = false): Promise<string | null> =>
    large.handle(
      asker,
      () => isGone,
      async () => {
        order.push(what)
        return what
      },
    )
  const first = large.handle('mallory', () => false, held)
  const [gone, last] = [handle('mallory', 'gone', true), handle('mallory', 'last')]
  await handle('jane', 'hers')
  await turns(() => true)
  assert.deepEqual(order, ['first', 'hers'])
  letGo()
  await first
  assert.equal(await gone, null, 'whoever has hung up has asked for nothing')
  assert.equal(await last, 'last')
  assert.deepEqual(order, ['first', 'hers', 'last'])
})

test('N2: long work of several kinds begins in one turn', async () => {
  const newcomers = new Newcomers(() => 0)
  let turns = 0
  const count = (): void => {
    turns += 1
    if (turns < 20) setImmediate(count)
  }
  setImmediate(count)
  const begun: number[] = []
  await Promise.all([1, 2, 3].map(() => newcomers.letIn().then(() => begun.push(turns))))
  assert.equal(new Set(begun).size, 3)
})

test('N1: whoever goes on connecting holds up all long work, one after the other', async () => {
  let now = 0
  const newcomers = new Newcomers(() => now)
  let isOver = false
  const come = (): void => {
    newcomers.add()
    now += LIMITS.newcomersMs / 4
    if (!isOver) setImmediate(come)
  }
  setImmediate(come)
  await Promise.all([1, 2, 3, 4].map(() => newcomers.letIn()))
  isOver = true
  assert.ok(now <= 2 * LIMITS.newcomersMs, `${now} ms`)
})

test('what takes long waits while new connections come, and not for ever', async () => {
  let now = 0
  const newcomers = new Newcomers(() => now)
  let came = 0
  const come = (until: number, tookMs: number): void => {
    newcomers.add()
    came += 1
    now += tookMs
    if (came < until) setImmediate(come, until, tookMs)
  }
  setImmediate(come, 20, 0)
  await newcomers.letIn()
  assert.equal(came, 20)
  setImmediate(come, 40, LIMITS.newcomersMs / 4)
  await newcomers.letIn()
  assert.equal(came, 24)
})
