import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { signIn } from '../../people/browser.test-support.ts'
import type { HttpPlace } from '../agent-auth/client.ts'
import { AGENT, get, problemOf, served } from '../served.test-support.ts'

const FLOOD = 10_000
const ALLOWED = 1_000

/** Sends so many requests, over connections that stay open, and counts what is answered. */
async function flood({ url, token }: HttpPlace, count: number): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: LIMITS.requestsUnderWay / 2 })
  const headers = { authorization: `Bearer ${token}` }
  const statuses = new Map<number, number>()
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      request(`${url}/v1/flows`, { agent, headers }, (response) => {
        const { statusCode = 0 } = response
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
        response.resume().on('end', resolve)
      })
        .on('error', reject)
        .end()
    })
  await Promise.all(Array.from({ length: count }, one))
  agent.destroy()
  return statuses
}

test('ten thousand requests of one person leave another every answer, and the store its rest', async (t) => {
  const rate = { perSecond: 0, atOnce: ALLOWED }
  const { person, runtime } = await served(t, { parts: { rate } })
  const [mallory, jane] = [person('mallory', 'auditor'), person('jane', 'auditor')]
  const reads = t.mock.method(runtime.store, 'listFlowSummaries')
  const flooding = flood(mallory, FLOOD)
  const others = []
  for (let i = 0; i < 100; i++) others.push((await get(jane, '/v1/flows')).status)
  assert.deepEqual(
    others.filter((status) => status !== 200),
    [],
  )
  assert.deepEqual(
    await flooding,
    new Map([
      [200, ALLOWED],
      [429, FLOOD - ALLOWED],
    ]),
  )
  assert.equal(reads.mock.callCount(), ALLOWED + others.length)
})

test('ten thousand guesses of one address are slowed, and whoever is known is not', async (t) => {
  const { server, person } = await served(t, { parts: { strangers: { perSecond: 0, atOnce: 60 } } })
  const guessing = flood({ url: server.url, token: 'x'.repeat(40) }, FLOOD)
  const jane = person('jane', 'auditor')
  for (let i = 0; i < 50; i++) assert.equal((await get(jane, '/v1/flows')).status, 200)
  assert.deepEqual(
    await guessing,
    new Map([
      [401, 60],
      [429, FLOOD - 60],
    ]),
  )
})

test('an agent that goes on asking with a dead token keeps nobody at its address from signing in', async (t) => {
  const { server, person } = await served(t, { parts: { strangers: { perSecond: 0, atOnce: 2 } } })
  const dead = { url: server.url, token: `rbs_${'x'.repeat(40)}` }
  for (const _ of [1, 2]) assert.equal((await get(dead, '/v1/flows')).status, 401)
  assert.deepEqual(problemOf(await get(dead, '/v1/flows')), [429, 'RATE_LIMITED'])
  const jane = await signIn(person('jane', 'operator'))
  assert.equal((await jane.ask('GET', '/v1/flows')).status, 200)
})

test('an agent that goes on asking with a dead token keeps others at its address from their sessions', async (t) => {
  const strangers = { perSecond: 0, atOnce: 2 }
  const { server, agent } = await served(t, { parts: { strangers } })
  const dead = { url: server.url, token: `rbs_${'x'.repeat(40)}` }
  for (const _ of [1, 2]) assert.equal((await get(dead, '/v1/flows')).status, 401)
  const quiet = await agent()
  assert.equal((await get(quiet, '/v1/flows')).status, 200)
  // A token alone is nobody's, wherever it was opened.
  const { sign: _, ...unsigned } = quiet
  assert.deepEqual(problemOf(await get(unsigned, '/v1/flows')), [429, 'RATE_LIMITED'])
})

test('an agent whose session has ended has it looked up for ever at the address where it was known', async (t) => {
  const it = await served(t, { parts: { strangers: { perSecond: 0, atOnce: 3 } } })
  const bot = await it.agent()
  assert.equal((await get(bot, '/v1/flows')).status, 200)
  const suspended = await it.runtime.engine.kill(AGENT, 'it is to stop', 'oscar')
  assert.ok(suspended.ok)
  const looked = t.mock.method(it.runtime.engine, 'session')
  const statuses: number[] = []
  for (let i = 0; i < 6; i += 1) statuses.push((await get(bot, '/v1/flows')).status)
  assert.deepEqual(statuses, [401, 401, 401, 429, 429, 429])
  assert.equal(looked.mock.callCount(), 3)
})
