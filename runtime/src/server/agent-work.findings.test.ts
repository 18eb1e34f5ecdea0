/** What an agent could do in process and not over HTTP, one test a sentence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contractFor } from '../scenarios/contract.ts'
import type { HttpPlace } from './client.ts'
import { AGENT, freshKey, post, problemOf, served } from './served.test-support.ts'

type Asked = ReturnType<typeof post>

test('finding 27a: an agent closes a flow of many steps over HTTP, its own and once', async (t) => {
  const { agent, open, propose, runtime, person } = await served(t)
  await runtime.deploy(contractFor('other_bot', ['REFUND']))
  const [bot, other] = [await agent(), await agent('other_bot')]
  const flow = await open(bot, { steps: 'many' })
  const close = (place: HttpPlace, headers = freshKey(), body: unknown = {}): Asked =>
    post(place, `/v1/flows/${flow.dfid}/closure`, { body, headers })
  assert.equal((await propose(bot, flow)).body.execution.status, 'SUCCESS')
  assert.deepEqual(problemOf(await close(other)), [403, 'IDENTITY_MISMATCH'])
  assert.deepEqual(problemOf(await close(person('olga', 'operator'))), [403, 'ROLE_MISSING'])
  assert.deepEqual(problemOf(await close(bot, {})), [400, 'IDEMPOTENCY_KEY_MISSING'])
  const more = await close(bot, freshKey(), { reason: 'done' })
  assert.deepEqual(problemOf(more), [422, 'SCHEMA_INVALID'])
  assert.equal((await runtime.store.flow(flow.dfid))?.state, 'ACTIVE')
  const key = freshKey()
  const closed = await close(bot, key)
  assert.deepEqual([closed.status, closed.body], [200, { dfid: flow.dfid, closed: true }])
  assert.equal((await runtime.store.flow(flow.dfid))?.state, 'CLOSED')
  const again = await close(bot, key)
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
  assert.deepEqual(problemOf(await close(bot)), [409, 'FLOW_NOT_OPEN'])
  const nowhere = await post(bot, '/v1/flows/nowhere/closure', { body: {}, headers: freshKey() })
  assert.deepEqual(problemOf(nowhere), [404, 'FLOW_UNKNOWN'])
  const left = await open(bot, { steps: 'many' })
  const justification = 'odd refunds'
  await runtime.engine.moveAgent({
    agent_id: AGENT,
    to: 'SUSPENDED',
    actor: 'operator',
    justification,
  })
  const stopped = await post(bot, `/v1/flows/${left.dfid}/closure`, {
    body: {},
    headers: freshKey(),
  })
  assert.deepEqual(problemOf(stopped), [401, 'SESSION_INVALID'])
  assert.equal((await runtime.store.flow(left.dfid))?.state, 'ACTIVE')
})
