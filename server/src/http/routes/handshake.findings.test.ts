import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { createRuntime } from '../../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract } from '../../demo/refunds.ts'
import { createMovableClock } from '../../demo/stage.ts'
import { makeAgentKey, signHandshakeBody } from '../agent-auth/agent-key.ts'
import type { HttpAnswer } from '../agent-auth/client.ts'
import { AGENT, get, post, problemOf, type Served, served } from '../served.test-support.ts'

const PATH = '/v1/agents/handshake'
const PLENTY = { strangers: { perSecond: 0, atOnce: 10_000 } }

async function suspend({ runtime }: Served, agent_id: string): Promise<void> {
  const move = { agent_id, to: 'SUSPENDED', actor: 'operator', justification: 'x' } as const
  assert.ok((await runtime.engine.moveAgent(move)).ok)
}

test('finding 33a: a captured handshake opens a session each time that it is sent', async (t) => {
  const it = await served(t, { parts: PLENTY })
  const bot = await it.agent()
  const body = await signHandshakeBody(it.runtime.engine, AGENT, await it.key(AGENT))
  assert.equal((await post(it.server, PATH, { body })).status, 200)
  const again = await Promise.all(Array.from({ length: 3 }, () => post(it.server, PATH, { body })))
  for (const answer of again) assert.deepEqual(problemOf(answer), [403, 'KEY_POSSESSION'])
  const kept = await it.runtime.store.listRecords('session', AGENT, { limit: 100 })
  assert.equal(kept.length, 2)
  assert.equal((await get(bot, '/v1/flows')).status, 200)
  // Two copies at the same moment, of which neither finds the other.
  const copy = await signHandshakeBody(it.runtime.engine, AGENT, await it.key(AGENT))
  const both = await Promise.all([1, 2].map(() => post(it.server, PATH, { body: copy })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403])
})

test('finding 33a: a captured handshake opens a session after a restart', async (t) => {
  const stateDirectory = temporaryFolder()
  const options = { store: `sqlite:${stateDirectory}/r.db`, report: () => {}, stateDirectory }
  const first = await createRuntime(options)
  await first.deploy(buildRefundsContract())
  const key = await makeAgentKey(first.engine, AGENT)
  assert.ok(key.ok)
  const captured = await signHandshakeBody(first.engine, AGENT, key.value)
  assert.ok((await first.engine.handshake(captured)).ok)
  await first.close()
  const second = await createRuntime(options)
  t.after(() => second.close())
  await second.start()
  const again = await second.engine.handshake(captured)
  assert.equal(again.ok ? null : again.error.code, 'KEY_POSSESSION')
})

test('a handshake that was refused is not heard again, and handshakes are forgotten in time', async (t) => {
  const clock = createMovableClock()
  const it = await served(t, { clock, background: false, parts: PLENTY })
  const { engine, store } = it.runtime
  const bot = await it.agent()
  await suspend(it, AGENT)
  // A token is not its key: whoever found it is not told what became of its agent.
  const held = await get(bot, '/v1/flows')
  assert.deepEqual(problemOf(held), [401, 'SESSION_INVALID'])
  assert.equal(held.body.detail, 'the session token is invalid')
  const body = await signHandshakeBody(engine, AGENT, await it.key(AGENT))
  assert.deepEqual(problemOf(await post(it.server, PATH, { body })), [403, 'AGENT_SUSPENDED'])
  assert.deepEqual(problemOf(await post(it.server, PATH, { body })), [403, 'KEY_POSSESSION'])
  clock.ahead(2 * LIMITS.handshakeMs + 1_000)
  const later = await signHandshakeBody(engine, AGENT, await it.key(AGENT))
  assert.deepEqual(problemOf(await post(it.server, PATH, { body: later })), [
    403,
    'AGENT_SUSPENDED',
  ])
  assert.equal((await store.listRecords('handshake_nonce', AGENT, { limit: 10 })).length, 1)
})

test('finding 33b: new sessions end those that are in use', async (t) => {
  const it = await served(t, { parts: PLENTY })
  const { engine } = it.runtime
  const bot = await it.agent()
  const key = await it.key(AGENT)
  const shake = async (spoken = {}): Promise<HttpAnswer> =>
    post(it.server, PATH, { body: await signHandshakeBody(engine, AGENT, key, spoken) })
  for (let i = 1; i < LIMITS.sessionsPerAgent; i++) assert.equal((await shake()).status, 200)
  assert.deepEqual(problemOf(await shake()), [409, 'SESSIONS_FULL'])
  assert.equal((await get(bot, '/v1/flows')).status, 200)
  // A signature that does not ask for it cannot be made to.
  const tampered = { ...(await signHandshakeBody(engine, AGENT, key)), end_others: true }
  assert.deepEqual(problemOf(await post(it.server, PATH, { body: tampered })), [
    403,
    'KEY_POSSESSION',
  ])
  assert.equal((await shake({ end_others: true })).status, 200)
  assert.deepEqual(problemOf(await get(bot, '/v1/flows')), [401, 'SESSION_INVALID'])
})

test('finding 33c: a token without its key spends the budget of its agent', async (t) => {
  const rate = { perSecond: 0, atOnce: 3 }
  const it = await served(t, { parts: { rate, strangers: { perSecond: 0, atOnce: 20 } } })
  const bot = await it.agent()
  const { url, token = '' } = bot
  assert.equal((await get(bot, '/v1/flows')).status, 200)
  for (let i = 0; i < 10; i++)
    assert.deepEqual(problemOf(await get({ url, token }, '/v1/flows')), [401, 'PROOF_MISSING'])
  assert.equal((await get(bot, '/v1/flows')).status, 200)
  assert.equal((await get(bot, '/v1/flows')).status, 200)
  assert.deepEqual(problemOf(await get(bot, '/v1/flows')), [429, 'RATE_LIMITED'])
})

test('finding 33c: a dead token spends the budget of whoever had it', async (t) => {
  const rate = { perSecond: 0, atOnce: 5 }
  const it = await served(t, { parts: { rate, strangers: { perSecond: 0, atOnce: 6 } } })
  const old = await it.agent()
  const bot = await it.agent()
  assert.equal((await get(old, '/v1/flows')).status, 200)
  const ended = await askDelete(old)
  assert.equal(ended, 200)
  for (let i = 0; i < 4; i++)
    assert.deepEqual(problemOf(await get(old, '/v1/flows')), [401, 'SESSION_INVALID'])
  assert.equal((await get(bot, '/v1/flows')).status, 200)
  // Whoever goes on is refused before anything is looked up; who is known there is not.
  const reads = t.mock.method(it.runtime.store, 'readRecord')
  for (let i = 0; i < 3; i++) await get({ ...old, token: `rbs_${'x'.repeat(43)}` }, '/v1/flows')
  const before = reads.mock.callCount()
  const stranger = { ...old, token: `rbs_${'y'.repeat(43)}` }
  assert.deepEqual(problemOf(await get(stranger, '/v1/flows')), [429, 'RATE_LIMITED'])
  assert.equal(reads.mock.callCount(), before)
  assert.equal((await get(bot, '/v1/flows')).status, 200)
})

async function askDelete({ url, token = '', sign }: Awaited<ReturnType<Served['agent']>>) {
  const authorization = `Bearer ${token}`
  const asked = { method: 'DELETE', target: PATH, authorization, bytes: new Uint8Array(0) }
  const headers = { authorization, ...(await sign?.(asked)) }
  return (await fetch(`${url}${PATH}`, { method: 'DELETE', headers })).status
}

test('finding 33d: the refusal of a handshake tells strangers which agents there are, and their states', async (t) => {
  const bots = ['refunds_bot', 'stopped_bot', 'ended_bot', 'keyless_bot']
  const contracts = bots.map((agent_id) => ({ ...buildRefundsContract(), agent_id }))
  const it = await served(t, { contracts, parts: PLENTY })
  const { engine } = it.runtime
  const keys = await Promise.all(bots.slice(0, 3).map((bot) => it.key(bot)))
  await suspend(it, 'stopped_bot')
  const retire = { to: 'RETIRED', actor: 'operator', justification: 'x' } as const
  assert.ok((await engine.moveAgent({ agent_id: 'ended_bot', ...retire })).ok)
  const forged = Buffer.from(new Uint8Array(64)).toString('base64')
  const strange = (agent: string, key_id: string, sig = forged): object => {
    const signed_at = new Date(engine.context.clock.now()).toISOString()
    return { agent, key: { key_id, signed_at, nonce: 'x'.repeat(20), sig } }
  }
  const checks = t.mock.method(engine.context.checker, 'verify')
  const said = new Set<string>()
  for (const agent of [...bots, 'nobody'])
    for (const key_id of [...keys.map((key) => key.key_id), 'agent-0000000000000000']) {
      const before = checks.mock.callCount()
      const { status, body } = await post(it.server, PATH, { body: strange(agent, key_id) })
      said.add(JSON.stringify([status, body]))
      assert.equal(checks.mock.callCount(), before + 1, 'there is as much to do for each')
    }
  assert.equal(said.size, 1, [...said].join('\n'))
  // Whoever holds the key hears how it is.
  const heard = async (agent: string): Promise<readonly [number, string]> => {
    const body = await signHandshakeBody(engine, agent, await it.key(agent))
    return problemOf(await post(it.server, PATH, { body }))
  }
  assert.deepEqual(await heard('stopped_bot'), [403, 'AGENT_SUSPENDED'])
  assert.deepEqual(await heard('ended_bot'), [403, 'AGENT_RETIRED'])
})
