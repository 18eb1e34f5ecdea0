/** Answers that something else produces, and those who hang up on them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { OpenStreams } from './open-streams.ts'
import { ResponseStream } from './response-stream.ts'

/** The response to somebody who has hung up since. */
async function hangUp(t: TestContext): Promise<ServerResponse> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ host: '127.0.0.1', port })
  sent.on('error', () => {})
  sent.end()
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const closed = once(response, 'close')
  sent.destroy()
  await closed
  return response
}

/** A piece, and then nothing until somebody gives up. */
function produce(onCancel: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('data: {}\n\n')),
    cancel: onCancel,
  })
}

async function assertLeft(t: TestContext, endless: boolean): Promise<void> {
  const raw = await hangUp(t)
  const told: string[] = []
  const stream = new ResponseStream(
    produce(() => told.push('cancelled')),
    { endless, ended: async () => null, onOver: () => told.push('over') },
  )
  new OpenStreams().take({ raw, hijack: () => {} }, { status: 200, body: {} }, stream)
  for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done))
  assert.deepEqual(told, ['over', 'cancelled'])
}

test('whoever hung up before an answer that ends by itself has no place any more, and nobody goes on producing it', (t) =>
  assertLeft(t, false))

test('whoever hung up before an answer that never ends has no place any more, and nobody goes on producing it', (t) =>
  assertLeft(t, true))
