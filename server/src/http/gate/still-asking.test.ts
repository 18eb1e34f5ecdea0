import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { type TestContext, test } from 'node:test'
import { hashText } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { formatContract } from '../../../../runtime/src/contract-file/contract-text.ts'
import { buildRefundsContract } from '../../demo/refunds.ts'
import { signIn } from '../../people/browser.test-support.ts'
import { createPeople, type KnownPerson } from '../../people/people.ts'
import type { PersonRole } from '../../people/principal.ts'
import { ask, type HttpAnswer, type HttpPlace } from '../agent-auth/client.ts'
import { draftThread } from '../drafts/draft-thread.ts'
import { hear } from '../events/hearing.test-support.ts'
import {
  AGENT,
  freshKey,
  get,
  post,
  problemOf,
  type Served,
  served,
} from '../served.test-support.ts'
import { Gate } from './gate.ts'

type Late = {
  readonly place: HttpPlace
  readonly method: 'POST' | 'PUT'
  readonly path: string
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends the head, lets `between` happen once the gate has passed it, and sends the body then. */
async function sendLate(
  t: TestContext,
  { place, method, path, body, headers = {} }: Late,
  between: () => unknown,
): Promise<readonly [number, string]> {
  const passed = Promise.withResolvers<void>()
  const pass = Gate.prototype.pass
  const mock = t.mock.method(Gate.prototype, 'pass', async function (this: Gate, ...given) {
    const answer = await pass.apply(this, given)
    passed.resolve()
    return answer
  } as typeof pass)
  const bytes = Buffer.from(JSON.stringify(body))
  const authorization = `Bearer ${place.token}`
  const keyed = freshKey()
  const key = keyed['idempotency-key']
  const proof = await place.sign?.({ method, target: path, authorization, bytes, key })
  const sent = request(`${place.url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'content-length': bytes.length,
      ...(place.token === undefined ? {} : { authorization }),
      ...proof,
      ...keyed,
      ...headers,
    },
  })
  const answered = once(sent, 'response')
  sent.flushHeaders()
  await passed.promise
  mock.mock.restore()
  await between()
  sent.end(bytes)
  const [response] = await answered
  const text = Buffer.concat(await response.toArray()).toString()
  return [response.statusCode, JSON.parse(text).code]
}

/** People whom the test can change, and the server that knows them. */
async function changing(t: TestContext): Promise<{
  readonly it: Served
  readonly person: (name: string, ...roles: readonly PersonRole[]) => HttpPlace
  readonly change: (name: string, ...roles: readonly PersonRole[]) => void
}> {
  const known = new Map<string, KnownPerson>()
  const people = createPeople(() => [...known.values()], nodeCrypto.sha256)
  const it = await served(t, { parts: { people } })
  const change = (name: string, ...roles: readonly PersonRole[]): void => {
    const token_hash = hashText(tokenOf(name), nodeCrypto.sha256)
    if (roles.length === 0) known.delete(name)
    else known.set(name, { name, roles, token_hash })
  }
  const person = (name: string, ...roles: readonly PersonRole[]): HttpPlace => {
    change(name, ...roles)
    return { url: it.server.url, token: tokenOf(name) }
  }
  return { it, person, change }
}

function tokenOf(name: string): string {
  return `token-of-${name}-${'x'.repeat(32)}`
}

const FACT = { method: 'POST', path: '/v1/observations', body: { path: 'a.b', value: 1 } } as const

const MONITOR = JSON.stringify({
  api_version: 'rubicon/v1',
  kind: 'Monitor',
  name: 'average',
  agents: [AGENT],
  statistic: { kind: 'mean', value: 'measure:refund_usd', max: '50' },
  window: { executions: 4 },
  min_samples: 3,
})

test('nothing goes on under an authority that has ended', async (t) => {
  const { it, person, change } = await changing(t)
  const ann = person('ann', 'operator')
  const facts = async (): Promise<string> =>
    JSON.stringify(
      (await it.runtime.store.listRecords('observation', 'state', { limit: 10 })).length,
    )
  const nothing = await facts()
  const opened = async (): Promise<unknown> => it.open(await it.agent())

  await t.test('a body that comes after its token was revoked is taken', async (t) => {
    const place = person('jane', 'operator')
    const answer = await sendLate(t, { place, ...FACT }, () => change('jane'))
    assert.deepEqual(answer, [401, 'TOKEN_INVALID'])
    assert.equal(await facts(), nothing)
  })

  await t.test('a body that comes after the role was taken away is taken', async (t) => {
    const place = person('john', 'operator')
    const answer = await sendLate(t, { place, ...FACT }, () => change('john', 'auditor'))
    assert.deepEqual(answer, [403, 'ROLE_MISSING'])
    assert.equal(await facts(), nothing)
  })

  await t.test('a body that comes after the session of a browser ended is taken', async (t) => {
    const { url, cookie, session, ask } = await signIn(person('jill', 'operator'))
    const headers = { cookie, origin: url, 'rubicon-csrf': session.csrf }
    const signOut = (): Promise<unknown> => ask('DELETE', '/v1/session')
    const answer = await sendLate(t, { place: { url }, ...FACT, headers }, signOut)
    assert.deepEqual(answer, [401, 'SIGNED_OUT'])
    assert.equal(await facts(), nothing)
  })

  await t.test('a body that comes while nothing has ended is refused', async (t) => {
    const [status] = await sendLate(t, { place: ann, ...FACT }, () => {})
    assert.equal(status, 200)
  })

  for (const [path, source] of [
    [`/v1/contracts/${AGENT}`, formatContract({ ...buildRefundsContract(), version: '9.0.0' })],
    ['/v1/monitors/average', MONITOR],
  ] as const)
    await t.test(`${path} takes a text that was read after its token was revoked`, async (t) => {
      const place = person('judy', 'operator')
      const real = draftThread.ask.bind(draftThread)
      const mock = t.mock.method(draftThread, 'ask', (async (...asked) => {
        const found = await real(...asked)
        change('judy')
        return found
      }) as typeof real)
      const put = (): Promise<HttpAnswer> => ask(place, 'PUT', path, { body: { source } })
      const { countLeaves } = it.runtime.store
      const before = await countLeaves.call(it.runtime.store)
      assert.deepEqual(problemOf(await put()), [401, 'TOKEN_INVALID'])
      assert.equal(await countLeaves.call(it.runtime.store), before)
      mock.mock.restore()
      person('judy', 'operator')
      assert.equal((await put()).status, 200)
    })

  await t.test('a stream goes on after its token was revoked', async () => {
    const hearing = await hear(person('joan', 'auditor'))
    change('joan')
    await opened()
    await Promise.race([hearing.ended, hearing.until(1)])
    assert.deepEqual(hearing.events(), [])
    hearing.hangUp()
  })

  await t.test('a stream goes on after the role was taken away', async () => {
    const hearing = await hear(person('jack', 'auditor'))
    change('jack', 'source')
    await opened()
    await Promise.race([hearing.ended, hearing.until(1)])
    assert.deepEqual(hearing.events(), [])
    hearing.hangUp()
  })

  await t.test('a body that comes after its agent was suspended is taken', async (t) => {
    const bot = await it.agent()
    const late = {
      place: bot,
      method: 'PUT',
      path: `/v1/agents/${AGENT}/state`,
      body: { value: 1, version: null },
    } as const
    const suspend = async (): Promise<void> => {
      const body = { to: 'SUSPENDED', justification: 'it is enough' }
      const path = `/v1/agents/${AGENT}/transitions`
      const { status } = await post(ann, path, { body, headers: freshKey() })
      assert.equal(status, 200)
    }
    assert.deepEqual(await sendLate(t, late, suspend), [401, 'SESSION_INVALID'])
    assert.deepEqual(problemOf(await get(bot, '/v1/flows')), [401, 'SESSION_INVALID'])
    const { body } = await get(ann, `/v1/agents/${AGENT}/state`)
    assert.equal(body.state, null)
  })
})
