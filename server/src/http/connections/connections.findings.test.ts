import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { handleClientError } from '../problems/client-error.ts'
import { served } from '../served.test-support.ts'
import { toAddressOwner } from './connections.ts'

/** Whatever waits longer waits for good. */
const PATIENCE = { timeout: 9_000 }
const HALF = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: '

function visit(
  t: TestContext,
  port: number,
  { localAddress = '127.0.0.1', hangsUp = true } = {},
): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: !hangsUp })
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  return socket
}

test(
  'finding 31a: a connection that was refused is held for as long as a stranger likes',
  PATIENCE,
  async (t) => {
    const server = createServer({ headersTimeout: 50, connectionsCheckingInterval: 20 })
    server.on('clientError', handleClientError)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const accepted = once(server, 'connection')
    const { port } = server.address() as AddressInfo
    const visitor = visit(t, port, { hangsUp: false })
    visitor.write(HALF)
    const [socket] = (await accepted) as [Socket]
    const answer = once(visitor, 'data')
    if (!socket.closed) await once(socket, 'close')
    assert.equal(socket.destroyed, true)
    assert.match(String((await answer)[0]), /^HTTP\/1.1 408 /)
  },
)

test('finding 31b: one stranger takes all connections', PATIENCE, async (t) => {
  const { server } = await served(t, { parts: { connectionsEach: 8 } })
  const port = Number(new URL(server.url).port)
  const mallory = Array.from({ length: 20 }, () => visit(t, port, { localAddress: '127.0.0.2' }))
  await new Promise<void>((resolve) => {
    let closed = 0
    for (const socket of mallory) {
      socket.resume().write(HALF)
      socket.once('close', () => {
        closed += 1
        if (closed === 12) resolve()
      })
    }
  })
  assert.equal(mallory.filter((socket) => !socket.destroyed).length, 8)
  assert.match(await ask(visit(t, port)), /^HTTP\/1.1 200 /)
  // Whoever lets go may come again.
  for (const socket of mallory) socket.destroy()
  let answer = ''
  while (answer === '') answer = await ask(visit(t, port, { localAddress: '127.0.0.2' }))
  assert.match(answer, /^HTTP\/1.1 200 /)
})

/** Nothing where it was hung up on. */
function ask(socket: Socket): Promise<string> {
  socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
  return new Promise((resolve) => {
    socket.once('data', (answer) => resolve(String(answer)))
    socket.once('close', () => resolve(''))
  })
}

test('an address of IPv6 stands for its network, one of IPv4 for itself', () => {
  assert.equal(toAddressOwner('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(toAddressOwner('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2')
  assert.equal(toAddressOwner('2001:db8:1:2::9'), '2001:db8:1:2')
  assert.equal(toAddressOwner('2001:db8::1'), '2001:db8:0:0')
  assert.equal(toAddressOwner('::1'), '0:0:0:0')
})
