import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Browser, signIn } from './browser.test-support.ts'
import type { HttpAnswer } from './client.ts'
import { get, post, problemOf, served } from './served.test-support.ts'

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
