import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { signRequest } from 'rubicon-agents'
import { LIMITS } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { createMovableClock } from '../../demo/stage.ts'
import { createPeople } from '../../people/people.ts'
import { AGENT, get, problemOf, type Served, served } from '../served.test-support.ts'
import { startServer } from '../server.ts'
import type { HttpPlace } from './client.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const AHEAD_MS = LIMITS.proofMs - 10_000

/** Sends one signed request again and again, wherever. */
async function captured(
  { agent, key }: Served,
  signedAt: number,
  nonce = 'n'.repeat(16),
): Promise<(url?: string) => Promise<number | string>> {
  const bot = await agent()
  const own = await key(AGENT)
  const sign: HttpPlace['sign'] = (request) => signRequest(own, request, { now: signedAt, nonce })
  return async (url = bot.url) => {
    const answer = await get({ ...bot, url, sign }, '/v1/flows')
    return answer.status === 200 ? 200 : problemOf(answer)[1]
  }
}

/** Another server on the same store, which remembers apart. */
async function secondServer(t: TestContext, { runtime }: Served): Promise<string> {
  const people = createPeople(() => [], nodeCrypto.sha256)
  const parts = { engine: runtime.engine, people, host: '127.0.0.1', report: () => {} }
  const started = await startServer(parts, 0)
  assert.ok(started.ok)
  t.after(() => started.value.close())
  return started.value.url
}

test('a request that was signed ahead counts again after a restart', async (t) => {
  const clock = createMovableClock(START)
  const stateDirectory = temporaryFolder()
  const options = { store: `sqlite:${stateDirectory}/r.db`, stateDirectory, clock }
  const first = await served(t, options)
  const send = await captured(first, START + AHEAD_MS)
  assert.equal(await send(), 200)
  await first.close()
  clock.ahead(5_000)
  const second = await served(t, options)
  assert.equal(await send(second.server.url), 'PROOF_REPLAYED')
  // Until it is too old, also when its time has come.
  clock.ahead(AHEAD_MS - 5_000 + LIMITS.proofMs)
  assert.equal(await send(second.server.url), 'PROOF_REPLAYED')
  clock.ahead(1_000)
  assert.equal(await send(second.server.url), 'PROOF_STALE')
})

test('a request that was signed ahead counts again at a second server', async (t) => {
  const clock = createMovableClock(START)
  const it = await served(t, { clock })
  const other = await secondServer(t, it)
  const send = await captured(it, START + AHEAD_MS)
  assert.equal(await send(), 200)
  assert.equal(await send(other), 'PROOF_REPLAYED')
  const both = await captured(it, START + AHEAD_MS, 'm'.repeat(16))
  const answers = await Promise.all([both(), both(other)])
  assert.deepEqual(answers.sort(), [200, 'PROOF_REPLAYED'])
  // At a time at which it is ahead no more.
  const late = await captured(it, START + AHEAD_MS, 'l'.repeat(16))
  assert.equal(await late(), 200)
  clock.ahead(AHEAD_MS + 1_000)
  assert.equal(await late(other), 'PROOF_REPLAYED')
})

test('what was signed ahead is forgotten in time, and what was not leaves nothing in the store', async (t) => {
  const clock = createMovableClock(START)
  const it = await served(t, { clock })
  const kept = async (): Promise<number> =>
    (await it.runtime.store.listRecords('request_nonce', AGENT, { limit: 10 })).length
  assert.equal(await (await captured(it, START, 'o'.repeat(16)))(), 200)
  assert.equal(await kept(), 0)
  assert.equal(await (await captured(it, START + 1_000))(), 200)
  assert.equal(await kept(), 1)
  clock.ahead(2 * LIMITS.proofMs + 2_000)
  assert.equal(await (await captured(it, clock.now() + 1_000, 'p'.repeat(16)))(), 200)
  assert.equal(await kept(), 1)
})
