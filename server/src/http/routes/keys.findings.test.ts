/** Keys over HTTP: whose an operator registers and ends, and whose not. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import type { AgentKey } from 'rubicon-agents'
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type JsonValue,
  type KeyPurpose,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import {
  buildKeyRegistration,
  type KeyRegistration,
} from '../../../../runtime/src/engine/authority/keys.ts'
import { foundByBoth } from '../../../../runtime/src/evidence/both-verifiers.test-support.ts'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import { requestSigner, signHandshakeBody } from '../agent-auth/agent-key.ts'
import type { HttpPlace } from '../agent-auth/client.ts'
import { AGENT, freshKey, get, post, problemOf, served } from '../served.test-support.ts'

const RAW_BYTES = 32

type Made = { readonly registration: KeyRegistration; readonly privateKey: KeyObject }

function makeKey(purpose: KeyPurpose, subject: string): Made {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ format: 'der', type: 'spki' })
  const public_key = encodeBase64(new Uint8Array(der.subarray(der.length - RAW_BYTES)))
  const body = buildKeyRegistration(nodeCrypto, { purpose, public_key, subject })
  assert.ok(body.ok)
  const text = toCanonicalText(body.value as unknown as JsonValue)
  const possession = sign(null, encodePreAuth(toPayloadType('key'), encodeUtf8(text)), privateKey)
  return {
    registration: { purpose, subject, public_key, possession: encodeBase64(possession) },
    privateKey,
  }
}

test('finding 27d: an operator registers a key of an agent over HTTP, and the agent works with it', async (t) => {
  const { agent, person, runtime, server } = await served(t)
  const register = (place: HttpPlace, body: object, headers = freshKey()) =>
    post(place, '/v1/keys', { body, headers })
  const olga = person('olga', 'operator')
  const { registration, privateKey } = makeKey('agent', AGENT)
  const key = freshKey()
  const added = await register(olga, registration, key)
  assert.deepEqual([added.status, added.body.subject], [201, AGENT], JSON.stringify(added.body))
  const { key_id } = added.body
  assert.equal((await register(olga, registration, key)).headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(problemOf(await register(olga, registration)), [409, 'KEY_EXISTS'])
  const own: AgentKey = {
    key_id,
    public_key: registration.public_key,
    sign: (bytes) => sign(null, bytes, privateKey),
  }
  const greeting = await signHandshakeBody(runtime.engine, AGENT, own)
  const hello = await post({ url: server.url }, '/v1/agents/handshake', { body: greeting })
  assert.equal(hello.status, 200, JSON.stringify(hello.body))
  const token: string = hello.body.session_token
  const bot = {
    url: server.url,
    token,
    sign: requestSigner(runtime.engine, own),
  }
  assert.equal((await get(bot, '/v1/flows')).status, 200)
  // Somebody who does not hold it, or who is not an operator.
  const stolen = { ...registration, subject: 'other_bot' }
  assert.deepEqual(problemOf(await register(olga, stolen)), [422, 'KEY_POSSESSION'])
  const odd = makeKey('agent', 'no name').registration
  assert.deepEqual(problemOf(await register(olga, odd)), [422, 'SCHEMA_INVALID'])
  const next = makeKey('agent', AGENT).registration
  assert.deepEqual(problemOf(await register(await agent(), next)), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await register(person('al', 'auditor'), next)), [403, 'ROLE_MISSING'])
  // What the runtime itself signs with is no matter of tokens.
  for (const purpose of ['operator', 'issuer', 'kernel', 'checkpoint', 'witness'] as const) {
    const taken = await register(olga, makeKey(purpose, 'olga').registration)
    assert.deepEqual(problemOf(taken), [403, 'KEY_OF_RUNTIME'], purpose)
  }
  const end = (id: string, what: string, body: object) =>
    post(olga, `/v1/keys/${id}/${what}`, { body, headers: freshKey() })
  const { keys } = await runtime.engine.context.authorities.loadLatest()
  const kernel = [...keys.values()].find(({ purpose }) => purpose === 'kernel')
  assert.ok(kernel !== undefined)
  for (const [what, body] of [
    ['retirement', {}],
    ['compromise', { since_seq: 0 }],
  ] as const)
    assert.deepEqual(problemOf(await end(kernel.key_id, what, body)), [403, 'KEY_OF_RUNTIME'])
  assert.deepEqual(problemOf(await end('agent-0', 'retirement', {})), [404, 'KEY_UNKNOWN'])
  assert.equal((await end(key_id, 'retirement', {})).status, 200)
  assert.deepEqual(problemOf(await get(bot, '/v1/flows')), [401, 'SESSION_INVALID'])
  assert.equal((await end(key_id, 'compromise', { since_seq: 3 })).body.since_seq, 3)
})

test('whoever has keys registered and ended over HTTP stands in the ledger, and both verifiers read it', async (t) => {
  const { person, runtime } = await served(t)
  const olga = person('olga', 'operator')
  const { registration } = makeKey('agent', AGENT)
  const send = (path: string, body: object) => post(olga, path, { body, headers: freshKey() })
  const { key_id } = (await send('/v1/keys', registration)).body
  await send(`/v1/keys/${key_id}/retirement`, {})
  await send(`/v1/keys/${key_id}/compromise`, { since_seq: 3 })
  await runtime.engine.checkpoint()
  let text = ''
  await exportLedger(runtime.engine.context.store, (line) => {
    text += line
  })
  const said = [...text.matchAll(/"by":"olga"/g)]
  assert.equal(said.length, 3)
  assert.deepEqual(await foundByBoth(text), [])
})

test('finding 27d: an operator registers keys of approvers over HTTP, and none of their own', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator', 'approver')
  const register = (place: HttpPlace, name: string) =>
    post(place, '/v1/keys', {
      body: makeKey('approver', name).registration,
      headers: freshKey(),
    })
  const own = await register(olga, 'olga')
  assert.deepEqual(problemOf(own), [403, 'IDENTITY_OWN'])
  const shouted = await register(olga, 'OLGA')
  assert.deepEqual(problemOf(shouted), [403, 'IDENTITY_OWN'])
  const anns = await register(olga, 'ann')
  assert.equal(anns.status, 201, JSON.stringify(anns.body))
  const ann = person('ann', 'operator')
  const end = await post(ann, `/v1/keys/${anns.body.key_id}/retirement`, {
    body: {},
    headers: freshKey(),
  })
  assert.deepEqual(problemOf(end), [403, 'IDENTITY_OWN'])
})

test('a key is ended once, and from no seq that is still to come: the ledger would never verify again', async (t) => {
  const { agent, key, person, runtime } = await served(t)
  const bot = await agent()
  const { key_id } = await key(AGENT)
  const olga = person('olga', 'operator')
  const end = (what: string, body: object) =>
    post(olga, `/v1/keys/${key_id}/${what}`, { body, headers: freshKey() })
  const { seq } = await runtime.engine.context.authorities.loadLatest()
  for (const since_seq of [seq + 2, Number.MAX_SAFE_INTEGER]) {
    const ahead = await end('compromise', { since_seq })
    assert.deepEqual(problemOf(ahead), [409, 'KEY_CHANGE_UNFIT'], `since ${since_seq} of ${seq}`)
  }
  assert.equal((await get(bot, '/v1/flows')).status, 200, 'nobody was told that it has ended')
  assert.equal((await end('retirement', {})).status, 200)
  assert.deepEqual(problemOf(await end('retirement', {})), [409, 'KEY_CHANGE_UNFIT'])
  // A retired key may turn out to be stolen, and to be so for longer than was thought.
  for (const since_seq of [seq + 1, seq])
    assert.equal((await end('compromise', { since_seq })).status, 200)
  const lines: string[] = []
  await runtime.engine.checkpoint()
  await exportLedger(runtime.store, (line) => void lines.push(line))
  assert.deepEqual(await foundByBoth(lines.join('')), [])
})
