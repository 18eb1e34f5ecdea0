import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { LIMITS } from 'rubicon-kernel'
import type { Unit } from 'rubicon-runtime/ports'
import { isUrgent } from '../../../../runtime/src/ports/urgent.ts'
import { freshKey, get, post, served } from '../served.test-support.ts'
import { LargeRequests } from './large-requests.ts'
import { RequestTurns } from './request-turns.ts'

const NOBODY = { count: 0 }
const STILL_THERE = (): boolean => false

type Begun = { readonly name: string; readonly at: number }

/** Requests that each take the thread for so long, and in which turn of the loop they begin. */
async function beginTogether(
  names: readonly string[],
  eachMs: number,
  arrivals: { readonly count: number } = NOBODY,
): Promise<readonly Begun[]> {
  let now = 0
  const turns = new RequestTurns({ monotonic: () => now }, arrivals)
  const begun: Begun[] = []
  let at = 0
  const all = names.map(async (name) => {
    await turns.wait(name, STILL_THERE)
    begun.push({ name, at })
    now += eachMs
  })
  while (begun.length < names.length) {
    await turn()
    at += 1
  }
  await Promise.all(all)
  return begun
}

test('many requests of one asker begin before the one of another', async () => {
  const begun = await beginTogether(['a', 'a', 'a', 'a', 'b'], 1)
  assert.deepEqual(
    begun.map(({ name }) => name),
    ['a', 'a', 'b', 'a', 'a'],
  )
})

test('requests begin in one turn however long they take, both sides of the boundary', async () => {
  const countTurns = async (eachMs: number): Promise<number> =>
    new Set((await beginTogether(['a', 'b', 'c'], eachMs)).map(({ at }) => at)).size
  assert.equal(await countTurns(LIMITS.requestTurnMs), 3)
  assert.equal(await countTurns(LIMITS.requestTurnMs / 4), 1)
})

test('new connections wait for requests, or hold them up for good', async () => {
  let taken = 0
  let now = 0
  // Somebody new in every turn, each of which lasts a millisecond.
  const arrivals = {
    get count() {
      now += 1
      taken += 1
      return taken
    },
  }
  const turns = new RequestTurns({ monotonic: () => now }, arrivals)
  const takenAt: number[] = []
  const begin = async (): Promise<void> => {
    await turns.wait('a', STILL_THERE)
    takenAt.push(taken)
    now += 20
  }
  await Promise.all([begin(), begin()])
  const [first = 0, second = 0] = takenAt
  assert.ok(second - first >= 20, `${second - first} were taken after a turn of 20 ms`)
})

test('R4: a request begins for whoever has hung up in line, or takes the turn of another', async () => {
  let now = 0
  const turns = new RequestTurns({ monotonic: () => now }, NOBODY)
  const gone = new Set<string>()
  const begun: string[] = []
  const ask = async (name: string): Promise<boolean> => {
    const isBegun = await turns.wait(name, () => gone.has(name))
    if (isBegun) begun.push(name)
    now += isBegun ? LIMITS.requestTurnMs : 0
    return isBegun
  }
  const asked = ['a', 'b', 'c', 'd'].map(ask)
  gone.add('b').add('c')
  assert.deepEqual(await Promise.all(asked), [true, false, false, true])
  assert.deepEqual(begun, ['a', 'd'])
})

test('what ends authority waits at the store, or another request does not', async (t) => {
  const it = await served(t)
  const oscar = it.person('oscar', 'operator')
  const bot = await it.agent()
  const { store } = it.runtime
  const commit = store.commit.bind(store)
  const urgent: boolean[] = []
  t.mock.method(store, 'commit', (unit: Unit) => {
    urgent.push(isUrgent())
    return commit(unit)
  })
  await it.open(bot)
  assert.deepEqual(urgent, [false])
  const body = { to: 'SUSPENDED', justification: 'it is to stop' }
  const path = '/v1/agents/refunds_bot/transitions'
  assert.equal((await post(oscar, path, { body, headers: freshKey() })).status, 200)
  assert.deepEqual(urgent, [false, true, true, true], 'its claim, the move, and its answer')
})

test('what ends authority waits for the turn of a request, or another request does not', async (t) => {
  const it = await served(t)
  const oscar = it.person('oscar', 'operator')
  await it.agent()
  const wait = t.mock.method(RequestTurns.prototype, 'wait')
  assert.equal((await get(oscar, '/v1/agents')).status, 200)
  assert.equal(wait.mock.callCount(), 1)
  const body = { to: 'SUSPENDED', justification: 'it is to stop' }
  const path = '/v1/agents/refunds_bot/transitions'
  assert.equal((await post(oscar, path, { body, headers: freshKey() })).status, 200)
  assert.equal(wait.mock.callCount(), 1)
})

test('an agent that retires itself goes before others, at the store or in line', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const { store } = it.runtime
  const commit = store.commit.bind(store)
  const urgent: boolean[] = []
  t.mock.method(store, 'commit', (unit: Unit) => {
    urgent.push(isUrgent())
    return commit(unit)
  })
  const read = store.readRecord.bind(store)
  const reads: boolean[] = []
  t.mock.method(store, 'readRecord', (...asked: Parameters<typeof read>) => {
    reads.push(isUrgent())
    return read(...asked)
  })
  const wait = t.mock.method(RequestTurns.prototype, 'wait')
  const large = t.mock.method(LargeRequests.prototype, 'handle')
  const path = '/v1/agents/refunds_bot/transitions'
  const body = { to: 'RETIRED', justification: 'x'.repeat(2 * LIMITS.largeRequestBytes) }
  assert.equal((await post(bot, path, { body, headers: freshKey() })).status, 200)
  assert.deepEqual([wait.mock.callCount(), large.mock.callCount()], [1, 1])
  assert.deepEqual(urgent, [false, false, false], 'its claim, the move, and its answer')
  assert.ok(reads.length > 0 && !reads.includes(true), 'whose session it is, and the rest')
})
