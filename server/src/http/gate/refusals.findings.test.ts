import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { systemClock } from '../../../../runtime/src/adapters/system/clock.ts'
import { createObservability } from '../../../../runtime/src/adapters/telemetry/observability.ts'
import {
  parsePrometheus,
  samples,
} from '../../../../runtime/src/adapters/telemetry/prometheus.test-support.ts'
import { signHandshakeBody } from '../agent-auth/agent-key.ts'
import { AGENT, get, post, served } from '../served.test-support.ts'
import { Refusals } from './refusals.ts'

test('finding 34b: who was refused, or failed to sign in, is seen nowhere', async (t) => {
  const lines: Readonly<Record<string, unknown>>[] = []
  const heard = await createObservability({
    clock: systemClock,
    log: (line) => void lines.push(JSON.parse(line)),
  })
  t.after(() => heard.close())
  const rate = { perSecond: 0, atOnce: 2 }
  const it = await served(t, { telemetry: heard.telemetry, parts: { rate } })
  const { server, runtime } = it
  const own = await signHandshakeBody(runtime.engine, AGENT, await it.key(AGENT))
  const bot = await it.agent()
  const secret = 'a-token-that-somebody-guessed-0123456789'
  await post(server, '/v1/session', { body: { token: secret } })
  await post(server, '/v1/agents/handshake', { body: { ...own, schema_version: '1.0' } })
  await get({ url: server.url, token: secret }, '/v1/flows')
  await get(server, '/v1/flows')
  await get({ url: server.url, token: bot.token ?? '' }, '/v1/flows')
  await get(bot, '/v1/agents')
  await get(bot, '/v1/flows')
  await get(bot, '/v1/flows')
  const told = lines
    .filter(({ code }) => code !== undefined)
    .map(({ event, status, code, operation, address, agent_id }) => {
      assert.equal(address, '127.0.0.1')
      return [event, status, code, operation, agent_id ?? null]
    })
  assert.deepEqual(told, [
    ['sign_in_failed', '401', 'TOKEN_INVALID', 'startSession', null],
    ['sign_in_failed', '403', 'KEY_POSSESSION', 'shakeHands', null],
    ['request_refused', '401', 'TOKEN_INVALID', 'listFlows', null],
    ['request_refused', '401', 'TOKEN_MISSING', 'listFlows', null],
    ['request_refused', '401', 'PROOF_MISSING', 'listFlows', null],
    ['request_refused', '403', 'ROLE_MISSING', 'listAgents', AGENT],
    ['request_refused', '429', 'RATE_LIMITED', 'listFlows', null],
  ])
  assert.ok(!JSON.stringify(lines).includes(secret))
  const read = parsePrometheus(await heard.metrics([]))
  assert.deepEqual(samples(read.get('rubicon_sign_ins_failed_total')), [
    [{ type: 'token' }, '1'],
    [{ type: 'oidc' }, '0'],
    [{ type: 'key' }, '1'],
  ])
  const refused = samples(read.get('rubicon_requests_refused_total'))
  assert.equal(
    refused.reduce((sum, [, count]) => sum + Number(count), 0),
    told.length,
  )
})

test('lines about refusals are bounded, and all are counted', () => {
  const counted = new Map<string, number>()
  let lines = 0
  const telemetry = {
    enabled: true,
    count: (name: string) => void counted.set(name, (counted.get(name) ?? 0) + 1),
    observe() {},
    span() {},
    log: () => {
      lines += 1
    },
  }
  const clock = { ...systemClock, monotonic: () => 0 }
  const refusals = new Refusals({ telemetry, clock })
  const refused = { status: 303, body: '', problem: 'SIGN_IN_REFUSED' }
  const route = { operation: 'finishProviderSignIn' }
  const all = LIMITS.refusalLinesAtOnce + 5
  for (let i = 0; i < all; i++) refusals.tell(refused, { route, address: '192.0.2.1' })
  refusals.tell({ status: 404, body: {} }, { route, address: '192.0.2.1' })
  assert.equal(lines, LIMITS.refusalLinesAtOnce)
  assert.deepEqual(Object.fromEntries(counted), {
    rubicon_requests_refused_total: all,
    rubicon_sign_ins_failed_total: all,
    rubicon_telemetry_dropped_total: 5,
  })
})
