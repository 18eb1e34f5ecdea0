import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { Unit } from 'rubicon-runtime/ports'
import { openStore } from '../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { refundCapability } from '../demo/refunds.ts'
import { get, post, refund, served } from './served.test-support.ts'

test('a proposal that waits at shutdown is answered and settled; nobody new gets in', async (t) => {
  const folder = temporaryFolder()
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let reached = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    reached = resolve
  })
  const capability = {
    ...refundCapability([]),
    async execute() {
      reached()
      await held
      return { result: { refund: 're_1' } }
    },
  }
  const stateDirectory = join(folder, 'state')
  const stage = await served(t, { store, stateDirectory, capabilities: [capability] })
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  const proposed = stage.propose(bot, flow)
  await arrived
  const closed = stage.close()
  await assert.rejects(get({ url: stage.server.url }, '/healthz'))
  release()
  const { status, body } = await proposed
  assert.deepEqual([status, body.outcome, body.execution.status], [200, 'ACCEPTED', 'SUCCESS'])
  await closed
  const kept = await openStore(store, 'default', undefined, 'read')
  const [execution] = await kept.listExecutions({ dfid: flow.dfid, limit: 1 })
  await kept.close()
  assert.equal(execution?.status, 'SUCCESS')
})

test('a server that stops lets go of the engine while it works for somebody who has hung up', async (t) => {
  const it = await served(t)
  const { url, token = '', sign } = await it.agent()
  const { store } = it.runtime
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const commit = store.commit.bind(store)
  t.mock.method(store, 'commit', async (unit: Unit) => {
    reached.resolve()
    await held.promise
    return commit(unit)
  })
  const [target, bytes, key] = ['/v1/flows', Buffer.from('{"trigger":"ticket"}'), 'k1']
  const authorization = `Bearer ${token}`
  const proof = await sign?.({ method: 'POST', target, authorization, bytes, key })
  const left = request(`${url}${target}`, {
    method: 'POST',
    headers: {
      authorization,
      ...proof,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
  })
  left.on('error', () => {}).end(bytes)
  await reached.promise
  left.destroy()
  await new Promise((resolve) => left.on('close', resolve))
  let isClosed = false
  const closed = it.server.close().then(() => {
    isClosed = true
  })
  for (let i = 0; i < 500; i += 1) await new Promise((next) => setImmediate(next))
  assert.equal(isClosed, false)
  held.resolve()
  await closed
  assert.equal((await store.listFlows({ limit: 10 })).length, 1)
  await it.close()
  assert.deepEqual(it.reports, [])
})

const BEFORE_DRAINED = { timeout: LIMITS.drainMs - 2_000 }

test('a connection on which nothing was asked is not waited for', BEFORE_DRAINED, async (t) => {
  const it = await served(t)
  const { hostname: host, port } = new URL(it.server.url)
  const socket = connect({ host, port: Number(port) })
  await once(socket, 'connect')
  // Connections are taken in the order in which they come: by now that one is.
  await get({ url: it.server.url }, '/healthz')
  const ended = once(socket, 'close')
  await it.close()
  await ended
})

/** What a stranger sends, and never goes on with. */
const BEGUN = {
  'a byte': 'G',
  'a part of a head': 'GET /v1/sign-in HTTP/1.1\r\nhost: localhost\r\n',
  'a part of the next head': `GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\nGET /`,
  'a part of a body':
    'POST /v1/session HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
}

for (const [what, text] of Object.entries(BEGUN))
  test(`a connection with ${what} is not waited for`, BEFORE_DRAINED, async (t) => {
    const it = await served(t)
    const { hostname: host, port } = new URL(it.server.url)
    const socket = connect({ host, port: Number(port) })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
    // What came before on other connections was read by now.
    await get({ url: it.server.url }, '/healthz')
    const ended = once(socket, 'close')
    socket.resume()
    await it.close()
    await ended
  })

test('after a restart on the same store everything is where it was', async (t) => {
  const folder = temporaryFolder()
  const store = `sqlite:${join(folder, 'rubicon.db')}`
  const place = { store, stateDirectory: join(folder, 'state') }
  const calls: string[] = []
  const before = await served(t, { ...place, calls })
  const bot = await before.agent()
  const flow = await before.open(bot)
  const headers = { 'idempotency-key': 'k1' }
  const body = { trigger: 'ticket 2' }
  const opened = await post(bot, '/v1/flows', { body, headers })
  assert.equal((await before.propose(bot, flow)).body.outcome, 'ACCEPTED')
  await before.close()

  const after = await served(t, { ...place, calls })
  const same = { ...bot, url: after.server.url }
  const again = await post(same, '/v1/flows', { body, headers })
  assert.deepEqual(
    [again.body.dfid, again.headers.get('idempotent-replayed')],
    [opened.body.dfid, 'true'],
  )
  const repeated = await post(same, `/v1/flows/${flow.dfid}/proposals`, { body: refund(flow) })
  assert.deepEqual([repeated.status, repeated.body.outcome], [200, 'REPEATED'])
  assert.equal(calls.length, 1)
  const shown = await get(same, `/v1/flows/${flow.dfid}`)
  assert.equal(shown.body.flow.state, 'CLOSED')
})
