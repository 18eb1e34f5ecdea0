/** Channels over the wire: who may, what is refused, and that a notice arrives. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { ask, type HttpAnswer, type HttpPlace } from '../agent-auth/client.ts'
import { get, post, problemOf, refund, type Served, served } from '../served.test-support.ts'

type Listener = { readonly port: number; readonly bodies: string[]; status: number }

async function listen(t: TestContext): Promise<Listener> {
  const heard = { port: 0, bodies: [] as string[], status: 200 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    heard.bodies.push(body)
    response.statusCode = heard.status
    response.end('heard')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return Object.assign(heard, { port: address.port })
}

function settingsFor(port: number, more: object = {}): object {
  return {
    place: { kind: 'webhook', url: `http://127.0.0.1:${port}/hook` },
    tells: ['escalation', 'suspension'],
    least: 'info',
    quiet_s: 60,
    paused: false,
    ...more,
  }
}

async function stage(t: TestContext): Promise<{ readonly it: Served; readonly heard: Listener }> {
  const heard = await listen(t)
  const channels = { allow: [{ host: '127.0.0.1', port: heard.port, addresses: 'loopback' }] }
  return { it: await served(t, { background: false, channels }), heard }
}

function add(who: HttpPlace, name: string, settings: object): Promise<HttpAnswer> {
  return post(who, '/v1/channels', { body: { name, ...settings } })
}

test('operators set channels up, auditors look, and nobody else does either', async (t) => {
  const { it, heard } = await stage(t)
  const olga = it.person('olga', 'operator')
  const settings = settingsFor(heard.port)
  assert.equal((await add(olga, 'ops', settings)).status, 201)
  const change = { ...settings, revision: 1 }
  const agent = await it.agent()
  const others = [
    it.person('ann', 'approver'),
    it.person('prices', 'source'),
    agent,
    { url: it.server.url },
  ]
  for (const who of [...others, it.person('aud', 'auditor')]) {
    const refused = [
      await add(who, 'mine', settings),
      await ask(who, 'PUT', '/v1/channels/ops', { body: change }),
      await ask(who, 'DELETE', '/v1/channels/ops'),
      await post(who, '/v1/channels/ops/test', { body: {} }),
    ]
    for (const { status } of refused) assert.ok([401, 403].includes(status), String(status))
  }
  for (const who of others) assert.ok([401, 403].includes((await get(who, '/v1/channels')).status))
  const { body } = await get(it.person('aud', 'auditor'), '/v1/channels')
  const [shown] = (body as { channels: Record<string, unknown>[] }).channels
  assert.deepEqual([shown?.name, shown?.changed_by, shown?.waiting], ['ops', 'olga', 0])
  assert.deepEqual(heard.bodies, [])
})

test('a test says what came back, and a channel that is down says so', async (t) => {
  const { it, heard } = await stage(t)
  const olga = it.person('olga', 'operator')
  await add(olga, 'ops', settingsFor(heard.port))
  const tried = await post(olga, '/v1/channels/ops/test', { body: {} })
  assert.equal(tried.status, 200)
  assert.partialDeepStrictEqual(tried.body, { ok: true, said: 'answered 200: heard', notices: 0 })
  heard.status = 500
  const failed = await post(olga, '/v1/channels/ops/test', { body: {} })
  assert.partialDeepStrictEqual(failed.body, { ok: false, said: 'answered 500: heard' })
  const { body } = await get(olga, '/v1/channels/ops')
  assert.partialDeepStrictEqual(body, { standing: { last: { ok: false } } })
  assert.match(heard.bodies[0] ?? '', /"test":true,"notices":\[\]/)
  assert.deepEqual(problemOf(await post(olga, '/v1/channels/no/test', { body: {} })), [
    404,
    'CHANNEL_UNKNOWN',
  ])
})

test('two operators at once: the second sees what the first did before it counts', async (t) => {
  const { it, heard } = await stage(t)
  const [olga, omar] = [it.person('olga', 'operator'), it.person('omar', 'operator')]
  const settings = settingsFor(heard.port)
  const both = await Promise.all([add(olga, 'ops', settings), add(omar, 'ops', settings)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409])
  const change = (who: HttpPlace, more: object): Promise<HttpAnswer> =>
    ask(who, 'PUT', '/v1/channels/ops', { body: { ...settings, revision: 1, ...more } })
  const changed = await Promise.all([change(olga, { quiet_s: 1 }), change(omar, { quiet_s: 2 })])
  assert.deepEqual(changed.map(({ status }) => status).toSorted(), [200, 409])
  const late = changed.find(({ status }) => status === 409)
  assert.ok(late !== undefined)
  assert.deepEqual(problemOf(late), [409, 'CHANNEL_CHANGED'])
})

test('what no channel may reach is refused when it is set up, and so is what is no channel', async (t) => {
  const { it, heard } = await stage(t)
  const olga = it.person('olga', 'operator')
  for (const url of ['http://169.254.169.254/latest', 'https://10.0.0.1/', 'http://example.com/'])
    assert.deepEqual(
      problemOf(await add(olga, 'a', settingsFor(heard.port, { place: { kind: 'webhook', url } }))),
      [422, 'CHANNEL_INVALID'],
    )
  const near = { kind: 'webhook', url: 'http://127.0.0.1:1/' }
  const { fix } = (await add(olga, 'a', settingsFor(heard.port, { place: near }))).body
  assert.match(String(fix), /`--channels FILE`/, 'it says where the machine allows it')
  const slack = { kind: 'slack', url: { secret: 'STRIPE_KEY' } }
  const stolen = await add(olga, 'a', settingsFor(heard.port, { place: slack }))
  assert.deepEqual(problemOf(stolen), [422, 'CHANNEL_INVALID'])
  for (const odd of [
    { tells: ['everything'] },
    { quiet_s: LIMITS.channelQuietS + 1 },
    { quiet_s: -1 },
    { place: { kind: 'pigeon' } },
    { place: { kind: 'webhook', url: 'https://x.example', password: 'in clear' } },
  ])
    assert.equal(
      (await add(olga, 'a', settingsFor(heard.port, odd))).status,
      422,
      JSON.stringify(odd),
    )
  assert.equal((await add(olga, 'no name', settingsFor(heard.port))).status, 422)
})

test('a request that waits is told once, what comes meanwhile in one message, and nothing to a paused channel', async (t) => {
  const { it, heard } = await stage(t)
  const olga = it.person('olga', 'operator')
  await add(olga, 'ops', settingsFor(heard.port, { quiet_s: 0 }))
  await add(olga, 'still', settingsFor(heard.port, { paused: true }))
  await add(olga, 'only_bad', settingsFor(heard.port, { least: 'critical' }))
  const agent = await it.agent()
  const escalate = async (): Promise<void> => {
    const flow = await it.open(agent)
    const { status, body } = await post(agent, `/v1/flows/${flow.dfid}/proposals`, {
      body: refund(flow, '600.00'),
    })
    assert.ok(status < 300, JSON.stringify(body))
  }
  const { advisers } = it.runtime.engine.context
  await escalate()
  await escalate()
  await advisers.notices.round()
  await advisers.notices.awaitSettled()
  assert.equal(await advisers.channels.round(), 1)
  await advisers.channels.awaitSettled()
  assert.equal(heard.bodies.length, 1)
  const said = JSON.parse(heard.bodies[0] ?? '')
  assert.deepEqual(
    said.notices.map(({ kind }: { kind: string }) => kind),
    ['escalation', 'escalation'],
  )
  assert.equal(await advisers.channels.round(), 0)
  const { body } = await get(olga, '/v1/channels/ops')
  assert.partialDeepStrictEqual(body, { waiting: 0, standing: { last: { ok: true, notices: 2 } } })
})
