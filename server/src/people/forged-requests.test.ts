import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpAnswer } from '../http/agent-auth/client.ts'
import { get, post, problemOf, served } from '../http/served.test-support.ts'
import { type Browser, signIn } from './browser.test-support.ts'

const PATH = '/v1/observations'
const FACT = { path: 'a', value: 1 }
const strangers = { perSecond: 0, atOnce: 3 }

function send(browser: Browser, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return browser.ask('POST', PATH, { body: FACT, headers })
}

test('a browser is made to send what no page of ours asked for, and nobody is charged', async (t) => {
  const it = await served(t, { parts: { strangers } })
  const browser = await signIn(it.person('jane', 'operator'))
  const wordless = { 'rubicon-csrf': '' }
  for (const word of ['', 'x'.repeat(64), '']) {
    const answer = await send(browser, { 'rubicon-csrf': word })
    assert.deepEqual(problemOf(answer), [403, 'CSRF_INVALID'])
  }
  const reads = t.mock.method(it.runtime.store, 'readRecord')
  const before = reads.mock.callCount()
  assert.deepEqual(problemOf(await send(browser, wordless)), [429, 'RATE_LIMITED'])
  assert.equal(reads.mock.callCount(), before, 'no session is looked up')
  const foreign = { origin: 'https://evil.example.com' }
  assert.deepEqual(problemOf(await send(browser, foreign)), [429, 'RATE_LIMITED'])
})

test('what a browser was made to send keeps its person, agents or others there from asking', async (t) => {
  const it = await served(t, { parts: { strangers } })
  const jane = it.person('jane', 'operator')
  const browser = await signIn(jane)
  for (const _ of [1, 2, 3]) {
    const answer = await send(browser, { origin: 'https://evil.example.com' })
    assert.deepEqual(problemOf(answer), [403, 'ORIGIN_REFUSED'])
  }
  assert.deepEqual(problemOf(await send(browser, { 'rubicon-csrf': '' })), [429, 'RATE_LIMITED'])
  assert.equal((await send(browser)).status, 200)
  assert.equal((await post(jane, PATH, { body: FACT })).status, 200)
  assert.equal((await signIn(jane)).session.name, 'jane')
  assert.equal((await get(await it.agent(), '/v1/flows')).status, 200)
})

/** As browsers say it of a picture in a page of somebody else, and of an address that was typed. */
const PICTURE = { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' }
const TYPED = { 'sec-fetch-site': 'none' }

test('a page of others spends what somebody may ask by having their browser read', async (t) => {
  const it = await served(t, { parts: { strangers, rate: { perSecond: 0, atOnce: 3 } } })
  const browser = await signIn(it.person('jane', 'operator'))
  const read = (headers: Record<string, string>): Promise<HttpAnswer> =>
    browser.ask('GET', '/v1/agents', { headers })
  for (const headers of [PICTURE, { origin: 'https://evil.example.com' }, PICTURE])
    assert.deepEqual(problemOf(await read(headers)), [403, 'ORIGIN_REFUSED'])
  const reads = t.mock.method(it.runtime.store, 'readRecord')
  assert.deepEqual(problemOf(await read(PICTURE)), [429, 'RATE_LIMITED'])
  assert.equal(reads.mock.callCount(), 0, 'no session is looked up')
  for (const headers of [{}, TYPED, { 'sec-fetch-site': 'same-origin' }])
    assert.equal((await read(headers)).status, 200)
})

test('a page of others keeps people and agents at an address from signing in', async (t) => {
  const it = await served(t, { parts: { strangers } })
  const start = '/v1/sign-in/oidc'
  const lured = (path: string, headers: Record<string, string>): Promise<HttpAnswer> =>
    get(it.server, path, { headers: { 'sec-fetch-site': 'cross-site', ...headers } })
  for (const path of [start, `${start}/callback?state=x`, start])
    assert.deepEqual(problemOf(await lured(path, {})), [404, 'ROUTE_UNKNOWN'])
  assert.deepEqual(problemOf(await lured(start, {})), [429, 'RATE_LIMITED'])
  // Whoever comes back from a provider comes from another site, too.
  const [state, kept] = ['s'.repeat(43), 'k'.repeat(43)]
  const value = `${it.runtime.engine.context.tenant}/${state}/${kept}/${kept}/Lw`
  const cookie = `rubicon-sign-in-${it.server.port}=${value}`
  const back = `${start}/callback?code=c&state=`
  assert.deepEqual(problemOf(await lured(`${back}${kept}`, { cookie })), [429, 'RATE_LIMITED'])
  assert.deepEqual(problemOf(await lured(`${back}${state}`, { cookie })), [404, 'ROUTE_UNKNOWN'])
  assert.equal((await signIn(it.person('jane', 'operator'))).session.name, 'jane')
  assert.equal((await get(await it.agent(), '/v1/flows')).status, 200)
})
