/** The gateway as an MCP client meets it over HTTP: a server with its door, in front of a real server of files. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { isObject, type JsonObject, LIMITS } from 'rubicon-kernel'
import { type Data, run, runJson } from './cli.test-support.ts'
import { CONTRACT, INITIALIZE, type McpHome, prepareMcpHome } from './mcp.test-support.ts'
import { startUpHere, type Up } from './up.test-support.ts'

type Place = McpHome & Up & { readonly mcpToken: string }

async function prepare(t: TestContext): Promise<Place> {
  const place = await prepareMcpHome()
  const up = await startUpHere(t, place.mcp)
  return { ...place, ...up, mcpToken: await makeToken(place) }
}

async function makeToken({ mcp }: McpHome): Promise<string> {
  const { exit, data } = await runJson(['mcp', 'token', ...mcp])
  assert.equal(exit, 0, JSON.stringify(data))
  assert.match(data.token, /^rbm_/)
  return data.token
}

async function connect(
  t: TestContext,
  { said, mcpToken }: Pick<Place, 'said' | 'mcpToken'>,
  mode: 'auto' | 'legacy',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${mcpToken}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${said.url}/mcp`), { requestInit: { headers } }),
  )
  t.after(() => client.close())
  return client
}

async function call(client: Client, name: string, args: JsonObject): Promise<JsonObject> {
  const result = await client.callTool({ name, arguments: { ...args } })
  return JSON.parse(JSON.stringify(result))
}

function readMeta({ _meta: meta }: JsonObject, name: string): string {
  const value = isObject(meta) ? meta[name] : undefined
  return typeof value === 'string' ? value : ''
}

type Told = { readonly status: number; readonly text: string }

/** With any headers, also those that `fetch` sets itself. */
function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string = JSON.stringify(INITIALIZE),
): Promise<Told> {
  const accept = 'application/json, text/event-stream'
  const all = { 'content-type': 'application/json', accept, ...headers }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: all }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode ?? 0, text })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function readCode({ text }: Told): string {
  return JSON.parse(text).code
}

test('clients of both eras act over HTTP as the agent of their token', async (t) => {
  const place = await prepare(t)
  const path = join(place.data, 'note.txt')
  for (const mode of ['legacy', 'auto'] as const) {
    const client = await connect(t, place, mode)
    const { tools } = await client.listTools()
    assert.ok(tools.some(({ name }) => name === 'files__read_text_file'))
    const read = await call(client, 'files__read_text_file', { path })
    assert.deepEqual(read.content, [{ type: 'text', text: 'hello' }], mode)
    const flow = await runJson(['flows', 'show', readMeta(read, 'rubicon/dfid'), ...place.at])
    assert.equal(flow.data.flow.agent_id, 'desk')
  }
  const client = await connect(t, place, 'legacy')
  const written = join(place.data, 'new.txt')
  const asked = await call(client, 'files__write_file', { path: written, content: 'made' })
  assert.equal(readMeta(asked, 'rubicon/code'), 'PENDING_APPROVAL')
  assert.ok(JSON.stringify(asked.content).includes(`${place.said.url}/inbox/`))
  assert.equal(existsSync(written), false)
  const dfid = readMeta(asked, 'rubicon/dfid')
  const words = ['--by', 'ann@example.com', '--justification', 'the desk needs it, as agreed']
  const typed = [`${dfid}:1`, '--decision', 'override', '--yes', ...words]
  const { exit, data } = await runJson(['escalations', 'resolve', ...typed, ...place.at])
  assert.equal(exit, 0, JSON.stringify(data))
  const told = await call(client, 'rubicon_result', { dfid })
  assert.equal(told.isError, undefined, JSON.stringify(told))
  assert.equal(readFileSync(written, 'utf8'), 'made')
  assert.deepEqual(await place.stop(), [0, null])
})

test('calls of a client are found by the conversation that it names, and those of others by the day', async (t) => {
  const place = await prepare(t)
  const client = await connect(t, place, 'auto')
  const name = 'files__read_text_file'
  const read = async (path: string, meta: JsonObject): Promise<JsonObject> => {
    const given = { name, arguments: { path: join(place.data, path) }, _meta: { ...meta } }
    return JSON.parse(JSON.stringify(await client.callTool(given)))
  }
  const named = { 'rubicon/conversation': 'ticket-4711' }
  const [first, second, alone] = [
    await read('note.txt', named),
    await read('none.txt', named),
    await read('note.txt', {}),
  ].map((said) => readMeta(said, 'rubicon/dfid'))
  const forged = await read('note.txt', { 'rubicon/conversation': 'day:2026-01-01' })
  assert.equal(readMeta(forged, 'rubicon/code'), 'ARGUMENTS_INVALID')
  const list = async (words: readonly string[]): Promise<Data> => {
    const { exit, data } = await runJson(['flows', 'list', ...words, ...place.at])
    assert.equal(exit, 0, JSON.stringify(data))
    return data.flows
  }
  const of = ['--agent', 'desk', '--conversation']
  const found: readonly Data[] = await list([...of, 'ticket-4711'])
  assert.deepEqual(
    found.map(({ dfid, conversation }) => [dfid, conversation]),
    [
      [second, 'ticket-4711'],
      [first, 'ticket-4711'],
    ],
  )
  const one: readonly Data[] = await list([...of, 'ticket-4711', '--limit', '1'])
  assert.deepEqual(
    one.map(({ dfid }) => dfid),
    [second],
  )
  const [newest] = await list(['--agent', 'desk'])
  assert.equal(newest.dfid, alone)
  assert.match(newest.conversation, /^day:\d{4}-\d\d-\d\d$/)
  const unowned = await run(['flows', 'list', '--conversation', 'ticket-4711', ...place.at])
  assert.match(unowned.stderr, /a conversation is one of an agent/)
})

test('the door is opened by its own tokens, from this server, and with messages of its size', async (t) => {
  const place = await prepare(t)
  const door = `${place.said.url}/mcp`
  const authorization = `Bearer ${place.mcpToken}`
  const { status } = await post(door, { authorization })
  assert.equal(status, 200)

  await t.test('a token for another audience opens it', async () => {
    const operator = { authorization: `Bearer ${place.token}` }
    const asOperator = await post(door, operator)
    assert.deepEqual([asOperator.status, readCode(asOperator)], [401, 'TOKEN_INVALID'])
    const none = await post(door, {})
    assert.deepEqual([none.status, readCode(none)], [401, 'TOKEN_MISSING'])
  })

  await t.test('its token is taken by another route', async () => {
    const headers = { authorization }
    for (const path of ['/v1/flows', '/v1/mcp/tools', '/v1/agents']) {
      const answer = await fetch(`${place.said.url}${path}`, { headers })
      assert.equal(answer.status, 401, path)
    }
    const acted = await post(`${place.said.url}/v1/actions`, { authorization }, '{}')
    assert.deepEqual([acted.status, readCode(acted)], [401, 'TOKEN_INVALID'])
  })

  await t.test(
    'a page of another site, or one that gave this port its own name, is answered',
    async () => {
      const foreign = await post(door, { authorization, origin: 'http://evil.example' })
      assert.deepEqual([foreign.status, readCode(foreign)], [403, 'ORIGIN_REFUSED'])
      const renamed = await post(door, { authorization, host: 'evil.example' })
      assert.deepEqual([renamed.status, readCode(renamed)], [421, 'HOST_REFUSED'])
    },
  )

  await t.test('what is no JSON, or too much of it, is answered with a result', async () => {
    const cut = await post(door, { authorization }, '{"jsonrpc": "2.0", "id"')
    assert.equal(cut.status, 400)
    assert.equal(JSON.parse(cut.text).error.code, -32700)
    const twice = await post(door, { authorization }, '{"id":1,"id":2}')
    assert.equal(JSON.parse(twice.text).error.code, -32700)
    const large = await post(door, { authorization }, ' '.repeat(LIMITS.json.bytes + 1))
    assert.deepEqual([large.status, readCode(large)], [413, 'BODY_TOO_LARGE'])
  })

  await t.test('it is asked in another way than by POST', async () => {
    const answer = await fetch(door, { headers: { authorization } })
    assert.equal(answer.status, 405)
  })

  await t.test('a token that was replaced opens it', async () => {
    const next = await makeToken(place)
    const before = await post(door, { authorization })
    assert.deepEqual([before.status, readCode(before)], [401, 'TOKEN_INVALID'])
    const after = await post(door, { authorization: `Bearer ${next}` })
    assert.equal(after.status, 200)
  })

  await t.test('an agent that must sign its proposals acts by a token', async () => {
    const next = await makeToken(place)
    const contract = join(place.folder, 'signing.yaml')
    const signing = { requires_signature: true }
    writeFileSync(
      contract,
      JSON.stringify({ ...CONTRACT, version: '2.0.0', safety_rules: signing }),
    )
    const deployed = await run(['contract', 'deploy', contract, ...place.at])
    assert.equal(deployed.exit, 0, deployed.stderr)
    const told = await post(door, { authorization: `Bearer ${next}` })
    assert.equal(readCode(told), 'SIGNATURE_REQUIRED')
    const again = await runJson(['mcp', 'token', ...place.mcp])
    assert.notEqual(again.exit, 0)
    assert.match(JSON.stringify(again.data), /SIGNATURE_REQUIRED/)
  })
  await place.stop()
})

test('a tool that has changed is not called, told once, and approved by its pin', async (t) => {
  const home = await prepareMcpHome()
  const file = join(home.folder, 'mcp.lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  for (const tool of lock.tools) tool.definition.description = 'Reads\u200b a file.'
  writeFileSync(file, JSON.stringify(lock))
  const up = await startUpHere(t, home.mcp)
  const place: Place = { ...home, ...up, mcpToken: await makeToken(home) }
  const client = await connect(t, place, 'legacy')
  for (const _ of [1, 2]) {
    const path = join(place.data, 'note.txt')
    const answer = await call(client, 'files__read_text_file', { path })
    assert.match(JSON.stringify(answer.content), /TOOL_DRIFT/)
  }
  const isTold = (): boolean => place.noted.some((line) => line.includes('TOOL_DRIFT'))
  while (!isTold()) await new Promise((done) => setTimeout(done, 50))

  const ask = (path: string, method = 'GET', body?: JsonObject): Promise<Response> =>
    fetch(`${place.said.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${place.token}`,
        'content-type': 'application/json',
        'idempotency-key': `key-${method}-${JSON.stringify(body ?? '').length}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const servers: Data = await (await ask('/v1/mcp/servers')).json()
  assert.equal(servers.servers[0].status, 'connected')
  const readTool = async (): Promise<Data> => {
    const { tools }: Data = await (await ask('/v1/mcp/tools')).json()
    return tools.find(({ tool }: Data) => tool === 'read_text_file')
  }
  const tool = await readTool()
  assert.equal(tool.state, 'changed')
  assert.deepEqual(tool.changes[0].member, 'description')
  assert.match(tool.changes[0].agreed, /Reads‹U\+200B› a file/)
  assert.equal(tool.calls.accepted, 2)

  const path = '/v1/mcp/tools/files/read_text_file/approve'
  const reason = 'the new text was read'
  const other = await ask(path, 'POST', { pin: `sha256:${'0'.repeat(64)}`, reason })
  assert.equal(other.status, 409)
  assert.equal(((await other.json()) as Data).code, 'MCP_TOOL_CHANGED')
  const done = await ask(path, 'POST', { pin: tool.pin, reason, class: 'read' })
  assert.equal(done.status, 200)
  assert.equal(((await done.json()) as Data).in_use, 'after the next start')
  const now = await readTool()
  assert.deepEqual([now.state, now.in_use], ['agreed', false])
  assert.deepEqual([now.approved.by, now.approved.reason], ['operator', reason])

  // The verb asks the server that runs, whose tools are not in use yet.
  const { data } = await runJson(['mcp', 'tools', ...place.mcp])
  const row = data.tools.find(({ tool }: Data) => tool === 'read_text_file')
  assert.deepEqual([row.state, row.in_use], ['agreed', false])
  const typed = ['mcp', 'approve', 'files', 'write_file', '--by', 'ann@example.com']
  const verb = await runJson([...typed, '--reason', 'looked at', ...place.mcp])
  assert.equal(verb.exit, 0, verb.stderr)
  const written = JSON.parse(readFileSync(file, 'utf8')).tools
  const approved = written.find(({ definition }: Data) => definition.name === 'write_file').approved
  assert.deepEqual([approved.by, approved.reason], ['ann@example.com', 'looked at'])
  writeFileSync(file, '{"lock":')
  const unusable = await ask('/v1/mcp/tools')
  const { code }: Data = await unusable.json()
  assert.deepEqual([unusable.status, code], [409, 'MCP_LOCK_INVALID'])
  await client.close()
  await place.stop()
  // Looked at last: a second notice would have come by now.
  assert.equal(place.noted.filter((line) => line.includes('"tool_drift"')).length, 1)
})
