import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { textStream } from '../turns/text-stream.ts'
import { Connections } from './connections.ts'

/** Whatever waits longer waits for good. */
const PATIENCE = { timeout: 20_000 }
/** More than the kernel takes of it by itself. */
const LONG = Buffer.alloc(64_000_000)
const STALL_MS = 50

/** A server of nothing but connections, two of them at a time, which answers by path. */
async function serve(
  t: TestContext,
  answers: Readonly<Record<string, (response: ServerResponse) => void>>,
  stallMs = 60_000,
): Promise<number> {
  const limits = {
    most: 2,
    each: 2,
    pipelined: 4,
    pipelinedMs: 1_000,
    remembered: 9,
    stallMs,
    isProxy: () => false,
  }
  const connections = new Connections(limits, { monotonic: () => 0 })
  const server = createServer((request, response) =>
    connections.begin(request, response, () => answers[request.url ?? '']?.(response)),
  )
  connections.watch(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

function visit(t: TestContext, port: number, localAddress: string, ...paths: string[]): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  for (const path of paths) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
  return socket
}

/** What there is of an answer first; nothing where it was hung up on. */
function heard(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (data) => resolve(String(data)))
    socket.once('close', () => resolve(''))
  })
}

test('C2: connections whose answers nobody takes keep everybody out', PATIENCE, async (t) => {
  const sent: Promise<unknown>[] = []
  const both = Promise.withResolvers<void>()
  const port = await serve(t, {
    '/': (response) => response.end('here'),
    '/long': (response) => {
      sent.push(once(response, 'prefinish'))
      response.end(LONG)
      if (sent.length === 2) both.resolve()
    },
  })
  for (const _ of [1, 2]) visit(t, port, '127.0.1.9', '/long').pause()
  await both.promise
  await Promise.all(sent)
  assert.match(await heard(visit(t, port, '127.0.1.8', '/')), /^HTTP\/1.1 200 /)
})

test('C2: connections whose bodies never come keep everybody out', PATIENCE, async (t) => {
  const both = Promise.withResolvers<void>()
  let begun = 0
  const port = await serve(t, {
    '/': (response) => response.end('here'),
    '/body': () => {
      begun += 1
      if (begun === 2) both.resolve()
    },
  })
  for (const _ of [1, 2])
    visit(t, port, '127.0.1.9').write('POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n')
  await both.promise
  assert.match(await heard(visit(t, port, '127.0.1.8', '/')), /^HTTP\/1.1 200 /)
})

test('C2: work on what was asked whole is given up for somebody new', PATIENCE, async (t) => {
  const both = Promise.withResolvers<void>()
  const works: ServerResponse[] = []
  const port = await serve(t, {
    '/': (response) => response.end('here'),
    '/work': (response) => {
      works.push(response)
      if (works.length === 2) both.resolve()
    },
  })
  const busy = [1, 2].map(() => visit(t, port, '127.0.1.9', '/work'))
  await both.promise
  assert.equal(await heard(visit(t, port, '127.0.1.8', '/')), '')
  const answers = busy.map(heard)
  for (const response of works) response.end('done')
  for (const answer of answers) assert.match(await answer, /done/)
})

test(
  'C5: whoever sends a byte now and then keeps an answer of which nothing is taken',
  PATIENCE,
  async (t) => {
    const begun = Promise.withResolvers<Socket>()
    const port = await serve(t, {
      '/': (response) => response.end('here'),
      '/long': (response) => {
        response.end(LONG)
        if (response.socket !== null) begun.resolve(response.socket)
      },
    })
    const visitor = visit(t, port, '127.0.1.9', '/long').pause()
    const socket = await begun.promise
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(socket.isPaused(), true)
    // Whoever takes all of it may ask again.
    let [taken, headLength] = [0, 0]
    await new Promise<void>((resolve) => {
      visitor.on('data', (data) => {
        if (taken === 0) headLength = data.indexOf('\r\n\r\n') + 4
        taken += data.length
        if (taken === headLength + LONG.length) resolve()
      })
      visitor.resume()
    })
    visitor.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    assert.match(await heard(visitor), /here/)
  },
)

test('C5: whoever sends a byte now and then keeps a download', PATIENCE, async (t) => {
  const begun = Promise.withResolvers<Socket>()
  const port = await serve(t, {
    '/long': (response) => {
      const { socket } = response
      // As after a request that was looked into.
      setImmediate(() => {
        textStream(Readable.from([LONG.toString()]), () => {}).start(response)
        if (socket !== null) begun.resolve(socket)
      })
    },
  })
  visit(t, port, '127.0.1.9', '/long').pause()
  assert.equal((await begun.promise).isPaused(), true)
})

test(
  'C5: an answer of which nothing is taken is held for as long as a stranger likes',
  PATIENCE,
  async (t) => {
    const begun = Promise.withResolvers<Socket>()
    const port = await serve(
      t,
      {
        '/long': (response) => {
          response.end(LONG)
          if (response.socket !== null) begun.resolve(response.socket)
        },
      },
      STALL_MS,
    )
    visit(t, port, '127.0.1.9', '/long').pause()
    const socket = await begun.promise
    assert.equal(socket.timeout, STALL_MS)
    if (!socket.closed) await once(socket, 'close')
  },
)

test(
  'C5: work that takes long is cut off for the answer before it on its connection',
  PATIENCE,
  async (t) => {
    const begun = Promise.withResolvers<ServerResponse>()
    const port = await serve(t, {
      '/': (response) => response.end('here'),
      '/work': (response) => begun.resolve(response),
    })
    const socket = visit(t, port, '127.0.1.9', '/', '/work')
    assert.match(await heard(socket), /here/)
    const response = await begun.promise
    assert.equal(response.socket?.timeout, 0)
    const answer = heard(socket)
    response.end('done')
    assert.match(await answer, /done/)
  },
)
