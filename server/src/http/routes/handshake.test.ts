import assert from 'node:assert/strict'
import { test } from 'node:test'
import { POLICY_SCHEMA_VERSION } from 'rubicon-kernel'
import { requestSigner, signHandshakeBody } from '../agent-auth/agent-key.ts'
import { AGENT, get, post, problemOf, served } from '../served.test-support.ts'

const PATH = '/v1/agents/handshake'

test('a registered agent with its key gets a token, and is told what is spoken here', async (t) => {
  const { server, runtime, key } = await served(t)
  const body = await signHandshakeBody(runtime.engine, AGENT, await key(AGENT))
  const { status, body: said } = await post(server, PATH, { body })
  assert.equal(status, 200)
  assert.match(said.session_token, /^rbs_/)
  assert.deepEqual([said.schema_version, said.status], [POLICY_SCHEMA_VERSION, 'ACTIVE'])
  const sign = requestSigner(runtime.engine, await key(AGENT))
  const bot = { url: server.url, token: said.session_token, sign }
  const schema = await get(bot, '/v1/schemas/policy/latest')
  assert.equal(schema.body.schema_version, POLICY_SCHEMA_VERSION)
  assert.ok(Object.keys(schema.body.kinds).includes('ESCALATE'))
  assert.deepEqual(schema.body.kinds.REFUND.params.required, ['order', 'amount'])
})

test('an older version is served, a newer one is 406 with what is spoken', async (t) => {
  const { server, runtime, key } = await served(t)
  const own = await key(AGENT)
  const spoken = (schema_version: string): Promise<object> =>
    signHandshakeBody(runtime.engine, AGENT, own, { schema_version })
  assert.equal((await post(server, PATH, { body: await spoken('1.2.0') })).status, 200)
  const refused = await post(server, PATH, { body: await spoken('2.0.0') })
  assert.deepEqual(problemOf(refused), [406, 'VERSION_UNSUPPORTED'])
  assert.deepEqual(refused.body.meta, { schema_version: POLICY_SCHEMA_VERSION })
})

test('a name alone, a stranger, another agent\u2019s key and a forged signature are 403', async (t) => {
  const { server, runtime, key } = await served(t)
  const { engine } = runtime
  const own = await key(AGENT)
  const good = await signHandshakeBody(engine, AGENT, own)
  const refusals: readonly (readonly [object, string])[] = [
    [{ agent: AGENT }, 'KEY_POSSESSION'],
    [await signHandshakeBody(engine, 'nobody', own), 'KEY_POSSESSION'],
    [{ ...good, key: { ...good.key, key_id: 'agent-unknown' } }, 'KEY_POSSESSION'],
    [{ ...good, schema_version: '1.0.0' }, 'KEY_POSSESSION'],
  ]
  for (const [body, code] of refusals)
    assert.deepEqual(problemOf(await post(server, PATH, { body })), [403, code])
  const shapeless = await post(server, PATH, { body: { agent: 7 } })
  assert.deepEqual(problemOf(shapeless), [422, 'SCHEMA_INVALID'])
})

test('a suspended agent is 403, and its session ends at once', async (t) => {
  const { server, runtime, key, agent } = await served(t)
  const bot = await agent()
  const move = { agent_id: AGENT, to: 'SUSPENDED', actor: 'operator', justification: 'x' } as const
  assert.ok((await runtime.engine.moveAgent(move)).ok)
  assert.deepEqual(problemOf(await get(bot, '/v1/flows')), [401, 'SESSION_INVALID'])
  const body = await signHandshakeBody(runtime.engine, AGENT, await key(AGENT))
  assert.deepEqual(problemOf(await post(server, PATH, { body })), [403, 'AGENT_SUSPENDED'])
})

test('a session without a key is for the process, not for the wire', async (t) => {
  const { server, runtime } = await served(t)
  const shaken = await runtime.engine.handshake({ agent: AGENT })
  assert.ok(shaken.ok)
  const bot = { url: server.url, token: shaken.value.session_token }
  const answer = await get(bot, '/v1/flows')
  assert.deepEqual(problemOf(answer), [401, 'SESSION_INVALID'])
  assert.match(answer.body.detail, /in process only/)
})

test('people see who is registered', async (t) => {
  const { person, agent } = await served(t)
  await agent()
  const { body } = await get(person('ann', 'auditor'), '/v1/agents')
  const [bot] = body.agents
  assert.deepEqual([bot.agent_id, bot.status, bot.version], [AGENT, 'ACTIVE', '1.0.0'])
})
