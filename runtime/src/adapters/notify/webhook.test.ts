import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createRawServer, type Server } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Notice } from '../../ports/notifier.ts'
import { webhookNotifier } from './webhook.ts'

const NOTICE: Notice = {
  id: 'flow-1:1:escalation',
  kind: 'escalation',
  agent_id: 'bot',
  reason_code: 'AUTHORITY_CEILING',
  channel: 'ops',
  at: '2026-06-01T12:00:00.000Z',
  details: { attempt: 1 },
}

type Request = { readonly headers: IncomingMessage['headers']; readonly body: string }
type Answer = (response: ServerResponse, attempt: number) => void

const ok: Answer = (response) => void response.end()

/** A receiver on this machine. */
async function receiver(
  t: TestContext,
  answer: Answer,
): Promise<{ readonly url: string; readonly got: readonly Request[] }> {
  const got: Request[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    got.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
    answer(response, got.length)
  })
  return { url: await listening(t, server, () => server.closeAllConnections()), got }
}

async function listening(t: TestContext, server: Server, end: () => void): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    end()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

test('a notice is posted as JSON, with its id, its time and a signature over both and the body', async (t) => {
  const { url, got } = await receiver(t, ok)
  const now = (): number => Date.parse('2026-06-01T12:00:01.900Z')
  await webhookNotifier({ url, secret: 'shared between us', now }).send(NOTICE)
  const [request] = got
  assert.ok(request !== undefined)
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': said } = request.headers
  assert.deepEqual([id, at, got.length], [NOTICE.id, '1780315201', 1])
  assert.deepEqual(JSON.parse(request.body), NOTICE)
  assert.equal(request.headers['content-type'], 'application/json')
  const signed = createHmac('sha256', 'shared between us').update(`${id}.${at}.${request.body}`)
  assert.equal(said, `v1,${signed.digest('base64')}`)
})

test('a secret in the form of the standard is decoded; without one nothing is signed', async (t) => {
  const { url, got } = await receiver(t, ok)
  const key = Buffer.from([1, 2, 3, 255])
  await webhookNotifier({ url, secret: `whsec_${key.toString('base64')}` }).send(NOTICE)
  await webhookNotifier({ url }).send(NOTICE)
  const [signed, plain] = got
  const at = signed?.headers['webhook-timestamp']
  const digest = createHmac('sha256', key).update(`${NOTICE.id}.${at}.${signed?.body}`)
  assert.equal(signed?.headers['webhook-signature'], `v1,${digest.digest('base64')}`)
  assert.equal(plain?.headers['webhook-signature'], undefined)
})

test('500 is a failure, 200 after it arrives under the same id', async (t) => {
  const { url, got } = await receiver(t, (response, attempt) => {
    response.statusCode = attempt === 1 ? 500 : 200
    response.end()
  })
  const notifier = webhookNotifier({ url })
  await assert.rejects(notifier.send(NOTICE), /answered 500/)
  await notifier.send(NOTICE)
  assert.deepEqual(new Set(got.map(({ headers }) => headers['webhook-id'])), new Set([NOTICE.id]))
})

test('a redirect is not followed: who asked for one address gets no other', async (t) => {
  const elsewhere = await receiver(t, ok)
  const { url } = await receiver(t, (response) => {
    response.writeHead(307, { location: elsewhere.url }).end()
  })
  await assert.rejects(webhookNotifier({ url }).send(NOTICE), /answered 307/)
  assert.deepEqual(elsewhere.got, [])
})

test('nobody there is a failure', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  await assert.rejects(webhookNotifier({ url: `http://127.0.0.1:${port}/` }).send(NOTICE))
})

test('a receiver that takes the notice and never answers is given up', async (t) => {
  const { url, got } = await receiver(t, () => {})
  await assert.rejects(webhookNotifier({ url, timeoutMs: 50 }).send(NOTICE), /timeout/)
  assert.equal(got.length, 1)
})

test('an answer that is no HTTP is a failure', async (t) => {
  const server = createRawServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.end('\u0000\u0001 garbage\r\n\r\n'))
  })
  const url = await listening(t, server, () => {})
  await assert.rejects(webhookNotifier({ url }).send(NOTICE))
})

test('what a receiver says beside 2xx is not read, however long it is', async (t) => {
  const { url } = await receiver(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"not": json'.repeat(1000))
  })
  await webhookNotifier({ url }).send(NOTICE)
})

test('beyond this machine it must be https, and no address holds a password', () => {
  const refused = (url: string, why: RegExp): void => {
    assert.throws(() => webhookNotifier({ url }), why)
  }
  refused('http://example.com/hook', /needs https/)
  refused('http://127.0.0.1.example.com/hook', /needs https/)
  refused('ftp://127.0.0.1/hook', /needs https/)
  refused('not a url', /no URL/)
  refused('https://me:secret@example.com/hook', /password/)
  assert.throws(() => webhookNotifier({ url: 'https://example.com', secret: '' }), /empty/)
  for (const url of ['https://example.com/hook', 'http://localhost:1/', 'http://[::1]:1/'])
    assert.match(webhookNotifier({ url }).name, /^webhook /)
})
