import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { textStream } from '../turns/text-stream.ts'
import { OpenStreams } from './open-streams.ts'

const STALL_MS = 50

async function* endless(): AsyncGenerator<string> {
  for (;;) yield 'x'.repeat(65_536)
}

/** A client that asks and then reads nothing. */
async function asking(t: TestContext, streams: OpenStreams): Promise<ServerResponse> {
  const server = createServer()
  t.after(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1').pause()
  t.after(() => void client.destroy())
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse]
  const stream = textStream(endless(), () => {})
  streams.take({ raw, hijack() {} }, { status: 200, body: '' }, stream)
  return raw
}

test('whoever takes nothing of a stream for long is cut off', async (t) => {
  const response = await asking(t, new OpenStreams(STALL_MS))
  await once(response, 'close')
  assert.equal(response.destroyed, true)
})

test('when the server stops, a stream that nobody reads ends too', async (t) => {
  const streams = new OpenStreams()
  const response = await asking(t, streams)
  streams.stop()
  await once(response, 'close')
  assert.equal(response.destroyed, true)
})
