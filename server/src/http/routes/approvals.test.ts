import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { createMovableClock } from '../../demo/stage.ts'
import { type Browser, signIn } from '../../people/browser.test-support.ts'
import type { HttpAnswer } from '../agent-auth/client.ts'
import { problemOf, type Served, served } from '../served.test-support.ts'

const MINUTE = 60_000

type Waiting = { readonly path: string; readonly body: object }

/** A refund that waits, as a browser is shown it, and the words with which its person lets it go. */
async function waiting(stage: Served, browser: Browser): Promise<Waiting> {
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  await stage.propose(bot, flow, { params: { order: 'o_3', amount: '1200.00' } })
  const { body: listed } = await browser.ask('GET', '/v1/escalations')
  const path = `/v1/escalations/${listed.escalations[0].id}`
  const { body: shown } = await browser.ask('GET', path)
  const { intent_digest, shown_snapshot, triggers, impact, acknowledge } = shown.request
  const body = {
    decision: 'OVERRIDE',
    intent_digest,
    shown_snapshot,
    lifts: triggers.map(({ id }: { id: string }) => id),
    valid_until: new Date(Date.parse(shown.request.requested_at) + 40 * MINUTE).toISOString(),
    justification: 'the order is lost, the customer is right',
    acknowledged_impact: impact,
    acknowledgement: acknowledge,
  }
  return { path: `${path}/decision`, body }
}

function decide(
  browser: Browser,
  { path, body }: Waiting,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  return browser.ask('POST', path, { body, headers: { 'idempotency-key': 'd1', ...headers } })
}

test('an approval that another page sends, or that lacks the word, releases nothing', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const ann = await signIn(stage.person('ann', 'approver'))
  const request = await waiting(stage, ann)
  clock.ahead(MINUTE)
  const forged: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ origin: 'https://evil.example.com' }, 'ORIGIN_REFUSED'],
    [{ origin: 'null', 'sec-fetch-site': 'cross-site' }, 'ORIGIN_REFUSED'],
    [{ 'rubicon-csrf': 'guessed' }, 'CSRF_INVALID'],
    [{ origin: 'https://evil.example.com', 'content-type': 'text/plain' }, 'ORIGIN_REFUSED'],
  ]
  for (const [headers, code] of forged)
    assert.deepEqual(problemOf(await decide(ann, request, headers)), [403, code])
  assert.deepEqual(stage.calls, [])
  assert.equal((await decide(ann, request)).status, 200)
  assert.equal(stage.calls.length, 1)
})

test('an approval that is sent again is the same one, and under another key none', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const ann = await signIn(stage.person('ann', 'approver'))
  const request = await waiting(stage, ann)
  clock.ahead(MINUTE)
  const first = await decide(ann, request)
  const again = await decide(ann, request)
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const other = await decide(ann, request, { 'idempotency-key': 'd2' })
  assert.deepEqual(problemOf(other), [409, 'ESCALATION_DECIDED'])
  assert.equal(stage.calls.length, 1)
})

test('a session that ends before the decision loses nothing: the same words count after it', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const person = stage.person('ann', 'approver')
  const before = await signIn(person)
  const request = await waiting(stage, before)
  await before.ask('DELETE', '/v1/session')
  assert.deepEqual(problemOf(await decide(before, request)), [401, 'SIGNED_OUT'])
  const idle = await signIn(person)
  clock.ahead(LIMITS.personIdleMs)
  const late = await decide(idle, request)
  assert.deepEqual(problemOf(late), [401, 'SIGN_IN_EXPIRED'])
  assert.match(late.body.title, /the request was not carried out/)
  assert.match(late.body.fix, /sign in again, and send the same request/)
  assert.deepEqual(stage.calls, [])
})

test('whoever signs in again sends the same words under the same key', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const person = stage.person('ann', 'approver')
  const before = await signIn(person)
  const request = await waiting(stage, before)
  await before.ask('DELETE', '/v1/session')
  clock.ahead(MINUTE)
  assert.equal((await decide(before, request)).status, 401)
  const after = await signIn(person)
  assert.equal((await decide(after, request)).status, 200)
  assert.equal(stage.calls.length, 1)
})

test('a browser whose person may not approve decides nothing', async (t) => {
  const stage = await served(t)
  const olga = await signIn(stage.person('olga', 'operator', 'auditor'))
  const request = await waiting(stage, olga)
  assert.deepEqual(problemOf(await decide(olga, request)), [403, 'ROLE_MISSING'])
  assert.deepEqual(stage.calls, [])
})

test('what is shown for a decision may not be framed', async (t) => {
  const stage = await served(t)
  const ann = await signIn(stage.person('ann', 'approver'))
  for (const path of ['/v1/inbox', '/v1/escalations', '/']) {
    const { headers } = await ann.ask('GET', path)
    assert.equal(headers.get('x-frame-options'), 'DENY', path)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
  }
})
