import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import type { HttpExecutor } from 'rubicon-kernel'
import { NotApplied } from '../../ports/capability.ts'
import { SecretUnavailable } from '../../ports/secrets.ts'
import type { SecretGrant, SecretGrants } from '../secret-grants.ts'
import { allowPort, answerWith, callHttp, listen } from './outside.test-support.ts'

const CANARY = 'cnry+7f3a/9c21=='

function grantCanary(port: number, change: Partial<SecretGrant> = {}): SecretGrants {
  const grant: SecretGrant = {
    source: { read: async () => CANARY },
    tools: ['acme.pay'],
    hosts: [`127.0.0.1:${port}`],
    commands: [],
    ...change,
  }
  return new Map([['ACME_KEY', grant]])
}

const headers: HttpExecutor['headers'] = {
  authorization: { secret: 'ACME_KEY', format: 'Bearer {secret}' },
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof NotApplied && error.details.code === 'SECRET_UNAVAILABLE' && !error.transient

test('a secret goes into its header, and what is answered loses it', async (t) => {
  const echo = {
    plain: CANARY,
    url: `https://x/?key=${encodeURIComponent(CANARY)}`,
    basic: Buffer.from(`user:${CANARY}`).toString('base64'),
    [CANARY]: [`Bearer ${CANARY}`],
  }
  const answers = [
    answerWith(200, JSON.stringify(echo), { 'x-request-id': CANARY }),
    answerWith(200, `key ${CANARY}`, { 'content-type': 'text/plain' }),
    answerWith(422, JSON.stringify(echo)),
    answerWith(422, `${'.'.repeat(1_020)}${CANARY}`),
    answerWith(500, JSON.stringify(echo)),
    answerWith(200, `{${CANARY}`),
  ]
  for (const answer of answers) {
    const { port, heard } = await listen(t, answer)
    const options = { secrets: grantCanary(port) }
    const said = await callHttp(port, { headers }, { options }).catch((error: unknown) => error)
    assert.match(
      heard(),
      new RegExp(`^authorization: Bearer ${CANARY.replace('+', '\\+')}\r$`, 'm'),
    )
    const shown = inspect(said, { depth: null, showHidden: true, maxStringLength: null })
    for (const part of ['cnry', '7f3a', encodeURIComponent(CANARY), echo.basic.slice(8, -4)])
      assert.ok(!shown.includes(part), shown)
  }
})

test('a secret is used by its tool, at its host, and nowhere in clear text', async (t) => {
  const { port, seen } = await listen(t, answerWith(200, '{}'))
  let reads = 0
  const source = {
    read: async () => {
      reads += 1
      return CANARY
    },
  }
  const refused: readonly SecretGrants[] = [
    new Map(),
    grantCanary(port, { source, tools: [] }),
    grantCanary(port, { source, tools: ['acme'] }),
    grantCanary(port, { source, hosts: [] }),
    grantCanary(port, { source, hosts: ['127.0.0.1'] }),
    grantCanary(port, { source, hosts: [`127.0.0.1:${port + 1}`] }),
    grantCanary(port, { source, hosts: ['*'] }),
  ]
  for (const secrets of refused)
    await assert.rejects(callHttp(port, { headers }, { options: { secrets } }), isUnavailable)
  const host = 'api.example.com'
  const allowed = [allowPort(port, { host, addresses: 'public' })]
  const secrets = grantCanary(port, { source, hosts: [`${host}:${port}`] })
  const resolve = async (): Promise<readonly string[]> => ['93.184.216.34']
  const clear = callHttp(
    port,
    { url: `http://${host}:${port}/`, headers },
    { options: { allowed, secrets, resolve } },
  )
  await assert.rejects(clear, isUnavailable)
  assert.deepEqual([reads, seen()], [0, 0])
})

test('a secret is read only for an address that is allowed', async (t) => {
  const { port } = await listen(t)
  let reads = 0
  const source = {
    read: async () => {
      reads += 1
      return CANARY
    },
  }
  const options = { secrets: grantCanary(port, { source }), allowed: [] }
  await assert.rejects(callHttp(port, { headers }, { options }))
  assert.equal(reads, 0)
})

test('a process that slept on the way sends nothing when it wakes up', async (t) => {
  const { port, heard } = await listen(t, answerWith(200, '{}'))
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 })
  let sleptMs = 0
  const source = {
    read: async () => {
      t.mock.timers.setTime(1_000_000 + sleptMs)
      return CANARY
    },
  }
  const ask = (): Promise<unknown> =>
    callHttp(
      port,
      { headers, timeout_ms: 30_000 },
      { options: { secrets: grantCanary(port, { source }) } },
    )
  sleptMs = 30_000
  await assert.rejects(ask(), (error) => error instanceof NotApplied && error.transient)
  assert.equal(heard(), '')
  sleptMs = 29_000
  t.mock.timers.setTime(1_000_000)
  await ask()
  assert.notEqual(heard(), '')
})

test('a secret that cannot be read, or not be a header, is not sent and not told', async (t) => {
  const { port, seen } = await listen(t, answerWith(200, '{}'))
  const sources = [
    { read: () => Promise.reject(new SecretUnavailable('is not set')) },
    { read: () => Promise.reject(new Error(`cannot parse ${CANARY}`)) },
    { read: async () => `${CANARY}\r\nx-admin: true` },
    { read: async () => `${CANARY}é` },
  ]
  for (const source of sources) {
    const options = { secrets: grantCanary(port, { source }) }
    await assert.rejects(callHttp(port, { headers }, { options }), (error) => {
      assert.ok(!inspect(error, { depth: null }).includes('cnry'), inspect(error))
      return isUnavailable(error)
    })
  }
  assert.equal(seen(), 0)
})
