import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgentKey, signRequest } from 'rubicon-agents'
import { LIMITS } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { createMovableClock } from '../../demo/stage.ts'
import { createPeople } from '../../people/people.ts'
import { AGENT, freshKey, get, post, problemOf, refund, served } from '../served.test-support.ts'
import { startServer } from '../server.ts'
import { requestSigner } from './agent-key.ts'
import { computeContentDigest, parseProof } from './agent-proof.ts'
import type { HttpAnswer, HttpPlace } from './client.ts'

const NONE = new Uint8Array(0)
const NOBODY = createPeople(() => [], nodeCrypto.sha256)
const SIGNING = { now: 1_800_000_000_999, nonce: 'abcdefghijklmnop' }
const REQUEST = {
  method: 'GET',
  target: '/v1/flows?limit=3',
  authorization: 'Bearer rbs_x',
  bytes: NONE,
}

test('another form is no proof', async () => {
  const good = await signRequest(await createAgentKey(), REQUEST, SIGNING)
  const input = good['signature-input']
  assert.ok(parseProof(good) !== null)
  const odd: readonly Record<string, string>[] = [
    { 'signature-input': input.replace('sig=', 'sig1=') },
    { 'signature-input': input.replace(' "content-digest"', '') },
    { 'signature-input': input.replace('"@method" "@path"', '"@path" "@method"') },
    { 'signature-input': input.replace('"@query"', '"@query";req') },
    { 'signature-input': input.replace(';alg="ed25519"', '') },
    { 'signature-input': input.replace('ed25519', 'hmac-sha256') },
    { 'signature-input': input.replace('abcdefghijklmnop', 'abcdefghijklmno') },
    { 'signature-input': input.replace('created=1800000000', 'created=-1') },
    { 'signature-input': `${input};expires=1900000000` },
    { 'signature-input': `${input}, ${input}` },
    { signature: good.signature.replace(':', '') },
    { signature: 'sig=:AAAA:' },
    { signature: `${good.signature}, ${good.signature}` },
    { 'content-digest': 'sha-512=:AAAA:' },
    { 'content-digest': `${good['content-digest']}, ${good['content-digest']}` },
  ]
  for (const change of odd) assert.equal(parseProof({ ...good, ...change }), null)
})

test('a token alone is nobody, for every method', async (t) => {
  const { agent } = await served(t)
  const { url, token = '' } = await agent()
  assert.deepEqual(problemOf(await get({ url, token }, '/v1/flows')), [401, 'PROOF_MISSING'])
  const body = { trigger: 'x' }
  const opened = await post({ url, token }, '/v1/flows', { body, headers: freshKey() })
  assert.deepEqual(problemOf(opened), [401, 'PROOF_MISSING'])
  const half = await get({ url, token }, '/v1/flows', { headers: { signature: 'sig=:x:' } })
  assert.deepEqual(problemOf(half), [401, 'PROOF_MISSING'])
})

/** Signs one request and sends another. */
async function sends(
  bot: HttpPlace,
  signed: Partial<typeof REQUEST>,
  sent: { readonly path: string; readonly body?: unknown },
): Promise<HttpAnswer> {
  const { url, token = '', sign } = bot
  assert.ok(sign !== undefined)
  const authorization = `Bearer ${token}`
  const headers = await sign({ ...REQUEST, authorization, target: sent.path, ...signed })
  if (sent.body === undefined) return get({ url, token }, sent.path, { headers })
  return post({ url, token }, sent.path, { body: sent.body, headers })
}

test('a signature is for its method, path, query, body and session', async (t) => {
  const { agent, open } = await served(t)
  const bot = await agent()
  const { dfid } = await open(bot)
  const note = { path: `/v1/flows/${dfid}/notes`, body: { text: 'x' } }
  const bytes = Buffer.from(JSON.stringify(note.body))
  assert.equal((await sends(bot, { method: 'POST', bytes }, note)).status, 201)
  const query = { path: '/v1/flows?limit=3' }
  assert.equal((await sends(bot, {}, query)).status, 200)
  const refusals: readonly Promise<HttpAnswer>[] = [
    sends(bot, { method: 'PUT', bytes }, note),
    sends(bot, { method: 'POST', bytes: Buffer.from('{"text":"y"}') }, note),
    sends(bot, { method: 'POST' }, note),
    sends(bot, { target: '/v1/agents' }, query),
    sends(bot, { target: '/v1/flows' }, query),
    sends(bot, { target: '/v1/flows?limit=4' }, query),
    sends(bot, { authorization: 'Bearer rbs_another' }, query),
  ]
  for (const answer of await Promise.all(refusals))
    assert.deepEqual(problemOf(answer), [401, 'PROOF_INVALID'])
})

test('it takes the key of the session: another of the same agent is none', async (t) => {
  const { agent, runtime, key } = await served(t)
  const bot = await agent()
  const stranger = await createAgentKey()
  const own = await key(AGENT)
  const forged = requestSigner(runtime.engine, { ...own, sign: stranger.sign })
  const renamed = requestSigner(runtime.engine, { ...own, key_id: 'agent-other' })
  for (const sign of [forged, renamed])
    assert.deepEqual(problemOf(await get({ ...bot, sign }, '/v1/flows')), [401, 'PROOF_INVALID'])
})

test('a request counts once, also when two copies arrive at the same moment', async (t) => {
  const { agent, runtime, key } = await served(t)
  const bot = await agent()
  const { clock } = runtime.engine.context
  const nonce = 'n'.repeat(16)
  const own = await key(AGENT)
  const sign: HttpPlace['sign'] = (request) =>
    signRequest(own, request, { now: clock.now(), nonce })
  const copies = await Promise.all([1, 2, 3].map(() => get({ ...bot, sign }, '/v1/flows')))
  assert.deepEqual(copies.map(({ status }) => status).sort(), [200, 401, 401])
  const late = await get({ ...bot, sign }, '/v1/flows')
  assert.deepEqual(problemOf(late), [401, 'PROOF_REPLAYED'])
})

test('a signature counts for a minute, both sides of the boundary', async (t) => {
  const clock = createMovableClock(Date.parse('2026-01-01T00:00:00Z'))
  const { agent, key, open } = await served(t, { clock })
  // What was signed before the start does not count, so that time must pass first.
  clock.ahead(2 * LIMITS.proofMs)
  const bot = await agent()
  const flow = await open(bot)
  const own = await key(AGENT)
  let made = 0
  const askedAt = async (offset: number): Promise<number | string> => {
    made += 1
    const signing = { now: clock.now() + offset, nonce: `nonce-of-request-${made}` }
    const sign: HttpPlace['sign'] = (request) => signRequest(own, request, signing)
    const answer = await get({ ...bot, sign }, `/v1/flows/${flow.dfid}`)
    return answer.status === 200 ? 200 : problemOf(answer)[1]
  }
  const { proofMs } = LIMITS
  assert.deepEqual([await askedAt(-proofMs), await askedAt(proofMs)], [200, 200])
  assert.equal(await askedAt(-proofMs - 1_000), 'PROOF_STALE')
  assert.equal(await askedAt(proofMs + 1_000), 'PROOF_STALE')
})

test('what was signed before the start may have counted before, and does not count', async (t) => {
  const clock = createMovableClock(Date.parse('2026-01-01T00:00:30Z'))
  const { agent, key } = await served(t, { clock })
  const bot = await agent()
  const own = await key(AGENT)
  const at = (now: number): HttpPlace => ({
    ...bot,
    sign: (request) => signRequest(own, request, { now, nonce: `nonce-of-${now}` }),
  })
  assert.equal((await get(at(clock.now()), '/v1/flows')).status, 200)
  const before = await get(at(clock.now() - 1_000), '/v1/flows')
  assert.deepEqual(problemOf(before), [401, 'PROOF_STALE'])
})

test('a key that has ended proves nothing more', async (t) => {
  const { agent, runtime, key } = await served(t)
  const bot = await agent()
  const { retireKey } = await import('../../../../runtime/src/engine/authority/keys.ts')
  assert.ok((await retireKey(runtime.engine.context, (await key(AGENT)).key_id)).ok)
  assert.deepEqual(problemOf(await get(bot, '/v1/flows')), [401, 'SESSION_INVALID'])
})

test('a proposal that was signed and changed on its way is not judged', async (t) => {
  const { agent, open, runtime, calls } = await served(t)
  const bot = await agent()
  const flow = await open(bot)
  const before = await runtime.store.countLeaves()
  const path = `/v1/flows/${flow.dfid}/proposals`
  const bytes = Buffer.from(JSON.stringify(refund(flow)))
  const changed = refund(flow, '20000.00')
  const answer = await sends(bot, { method: 'POST', bytes }, { path, body: changed })
  assert.deepEqual(problemOf(answer), [401, 'PROOF_INVALID'])
  assert.deepEqual([await runtime.store.countLeaves(), calls], [before, []])
})

test('no more signatures are checked than an agent may ask, and others are served', async (t) => {
  const { agent, runtime, person } = await served(t, {
    parts: { rate: { perSecond: 0, atOnce: 5 } },
  })
  const bot = await agent()
  const reads = t.mock.method(runtime.store, 'readRecord')
  const { checker } = runtime.engine.context
  const verify = checker.verify.bind(checker)
  // Nothing is proven until each of them is answered or being proven.
  const together = Promise.withResolvers<void>()
  let arrived = 0
  const arrive = (): void => {
    arrived += 1
    if (arrived === 200) together.resolve()
  }
  const checks = t.mock.method(checker, 'verify', async (...given: Parameters<typeof verify>) => {
    arrive()
    await together.promise
    return verify(...given)
  })
  const ask = async (): Promise<HttpAnswer> => {
    const answer = await get(bot, '/v1/flows')
    if (answer.status === 429) arrive()
    return answer
  }
  const flood = await Promise.all(Array.from({ length: 200 }, ask))
  const passed = flood.filter(({ status }) => status === 200)
  assert.equal(passed.length, 5)
  assert.equal(flood.filter(({ status }) => status === 429).length, 195)
  assert.equal(checks.mock.callCount(), 5)
  const read = reads.mock.callCount()
  assert.deepEqual(problemOf(await get(bot, '/v1/flows')), [429, 'RATE_LIMITED'])
  assert.equal(reads.mock.callCount(), read)
  const jane = person('jane', 'auditor')
  for (const _ of [1, 2, 3, 4, 5]) assert.equal((await get(jane, '/v1/flows')).status, 200)
})

test('the digest of a body is over its bytes', () => {
  assert.notEqual(computeContentDigest(Buffer.from('{}')), computeContentDigest(Buffer.from('{ }')))
})

test('a signature is for its Idempotency-Key: an act that was signed once is done twice under another', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const second = await startServer(
    { engine: it.runtime.engine, people: NOBODY, report: () => {}, host: '127.0.0.1' },
    0,
  )
  assert.ok(second.ok)
  t.after(() => second.value.close())
  const { url, token = '', sign } = bot
  assert.ok(sign !== undefined)
  const body = {
    trigger: 'ticket 4711',
    policy_kind: 'REFUND',
    params: { order: 'o_1', amount: '20.00' },
  }
  const bytes = Buffer.from(JSON.stringify(body))
  const target = '/v1/actions'
  const authorization = `Bearer ${token}`
  const proof = await sign({ method: 'POST', target, authorization, bytes, key: 'own-key' })
  const send = (to: string, key: string): Promise<HttpAnswer> =>
    post({ url: to, token }, target, { body, headers: { ...proof, 'idempotency-key': key } })
  assert.deepEqual(problemOf(await send(url, 'other-key')), [401, 'PROOF_INVALID'])
  assert.equal((await send(url, 'own-key')).status, 200)
  const elsewhere = await send(second.value.url, 'other-key')
  assert.deepEqual(problemOf(elsewhere), [401, 'PROOF_INVALID'])
  assert.equal(it.calls.length, 1)
})
