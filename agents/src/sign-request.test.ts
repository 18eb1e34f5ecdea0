import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgentKey, toAgentKey } from './agent-key.ts'
import { createClient } from './generated.ts'
import { buildSignedBytes } from './request-proof.ts'
import { createAgentHeaders, signRequest } from './sign-request.ts'

const SIGNING = { now: 1_800_000_000_999, nonce: 'abcdefghijklmnop' }
const REQUEST = {
  method: 'GET',
  target: '/v1/flows?limit=3',
  authorization: 'Bearer rbs_x',
  bytes: new Uint8Array(0),
}
/** SHA-256 of no bytes. */
const DIGEST = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:'

async function createPair() {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])
  assert.ok('publicKey' in pair)
  return { publicKey: pair.publicKey, key: await toAgentKey(pair) }
}

function readSignature(header: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(header.slice('sig=:'.length, -1), 'base64'))
}

test('what is signed is the base of RFC 9421, line by line', async () => {
  const { publicKey, key } = await createPair()
  const headers = await signRequest(key, REQUEST, SIGNING)
  const params = `("@method" "@path" "@query" "content-digest" "authorization");created=1800000000;nonce="abcdefghijklmnop";keyid="${key.key_id}";alg="ed25519"`
  assert.equal(headers['signature-input'], `sig=${params}`)
  assert.equal(headers['content-digest'], DIGEST)
  const base = [
    '"@method": GET',
    '"@path": /v1/flows',
    '"@query": ?limit=3',
    `"content-digest": ${DIGEST}`,
    '"authorization": Bearer rbs_x',
    `"@signature-params": ${params}`,
  ].join('\n')
  const sig = readSignature(headers.signature)
  assert.ok(await crypto.subtle.verify('Ed25519', publicKey, sig, Buffer.from(base)))
})

test('a request with an Idempotency-Key signs it', async () => {
  const { publicKey, key } = await createPair()
  const headers = await signRequest(key, { ...REQUEST, key: 'k-1' }, SIGNING)
  const params = `("@method" "@path" "@query" "content-digest" "authorization" "idempotency-key");created=1800000000;nonce="abcdefghijklmnop";keyid="${key.key_id}";alg="ed25519"`
  assert.equal(headers['signature-input'], `sig=${params}`)
  const base = [
    '"@method": GET',
    '"@path": /v1/flows',
    '"@query": ?limit=3',
    `"content-digest": ${DIGEST}`,
    '"authorization": Bearer rbs_x',
    '"idempotency-key": k-1',
    `"@signature-params": ${params}`,
  ].join('\n')
  const sig = readSignature(headers.signature)
  assert.ok(await crypto.subtle.verify('Ed25519', publicKey, sig, Buffer.from(base)))
})

test('a request without a query signs an empty one', () => {
  const terms = { created: 1, nonce: 'n', keyid: 'k', digest: DIGEST }
  const bytes = buildSignedBytes({ ...REQUEST, target: '/v1/flows' }, terms)
  assert.match(
    Buffer.from(bytes).toString(),
    /^"@method": GET\n"@path": \/v1\/flows\n"@query": \?\n/,
  )
})

test('two requests are signed alike, or for another path than the one that is sent', async () => {
  const { publicKey, key } = await createPair()
  const sent: { readonly url: URL; readonly headers: Headers; readonly body: string }[] = []
  const fetching = (async (input: string, init: RequestInit) => {
    const body = String(init.body ?? '')
    sent.push({ url: new URL(input), headers: new Headers(init.headers), body })
    return new Response('{}', { headers: { 'content-type': 'application/json' } })
  }) as typeof fetch
  const url = 'http://runtime.example/base'
  const headers = createAgentHeaders({ url, token: 'rbs_x', key })
  const client = createClient({ url, headers, fetch: fetching })
  await client.listFlows({ query: { limit: '3' } })
  await client.openFlow({ body: { trigger: 'ticket' }, key: 'k' })
  const nonces = new Set<string>()
  for (const { url: to, headers: said, body } of sent) {
    const input = said.get('signature-input') ?? ''
    const [, created, nonce = ''] = /;created=(\d+);nonce="([^"]+)"/.exec(input) ?? []
    nonces.add(nonce)
    const digest = said.get('content-digest') ?? ''
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(body)))
    assert.equal(digest, `sha-256=:${hash.toString('base64')}:`)
    const method = body === '' ? 'GET' : 'POST'
    const target = `${to.pathname}${to.search}`
    const asked = said.get('idempotency-key') ?? undefined
    const signed = { method, target, authorization: 'Bearer rbs_x', key: asked }
    const terms = { created: Number(created), nonce, keyid: key.key_id, digest }
    const bytes = new Uint8Array(buildSignedBytes(signed, terms))
    const sig = readSignature(said.get('signature') ?? '')
    assert.ok(await crypto.subtle.verify('Ed25519', publicKey, sig, bytes))
    assert.match(to.pathname, /^\/base\/v1\/flows$/)
  }
  assert.equal(nonces.size, 2)
})

test('a key that was made here can be read out', async (t) => {
  const made = t.mock.method(crypto.subtle, 'generateKey')
  const { key_id, public_key, sign } = await createAgentKey()
  const [, isExtractable] = made.mock.calls[0]?.arguments ?? []
  assert.equal(isExtractable, false)
  assert.match(key_id, /^agent-[0-9a-f]{16}$/)
  assert.equal(Buffer.from(public_key, 'base64').length, 32)
  assert.equal((await sign(new Uint8Array(3))).length, 64)
})
