/** A server that only ever says that it is going to answer. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { exchange } from './exchange.ts'

async function answerWith(
  t: TestContext,
  provisional: number,
): Promise<{ readonly status: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      for (let n = 0; n < provisional; n++)
        socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    })
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = { method: 'GET', path: '/', headers: { host: 'localhost' }, body: null }
  const bounds = { bytes: 1_024, signal: AbortSignal.timeout(10_000) }
  return exchange(connect(port, '127.0.0.1'), request, bounds)
}

test('so many provisional answers are read, and no more', async (t) => {
  const most = LIMITS.provisionalAnswers
  assert.equal((await answerWith(t, most)).status, 200)
  await assert.rejects(answerWith(t, most + 1), /PROVISIONAL_ANSWERS/)
})
