import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { type EntryEvent, type Listening, type ListenOptions, listen } from './events.ts'
import { SseParser } from './sse-parser.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A server that answers one connection after the other as told; the last way is for all that follow. */
async function answering(t: TestContext, ...ways: readonly Handle[]) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const way = ways[Math.min(asked.length, ways.length - 1)]
    asked.push(request.url ?? '')
    way?.(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const heard: EntryEvent[] = []
  const states: string[] = []
  const refused: string[] = []
  let look = (): void => {}
  const hearings: Listening[] = []
  t.after(async () => {
    for (const one of hearings) one.stop()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    asked,
    states,
    refused,
    leaves: () => heard.map(({ leaf }) => leaf),
    listen(options: Partial<ListenOptions> = {}): Listening {
      const one = listen({
        // By this name the test run does not take it for a runtime.
        url: `http://localhost:${port}`,
        onEvent: (event) => {
          heard.push(event)
          look()
        },
        onState: (state) => {
          states.push(state)
          look()
        },
        onRefused: ({ code }) => {
          refused.push(code)
          look()
        },
        wait: async () => {},
        ...options,
      })
      hearings.push(one)
      return one
    },
    until: (isMet: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        look = () => {
          if (isMet()) resolve()
        }
        look()
      }),
  }
}

function stream(...texts: readonly string[]): Handle {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const text of texts) response.write(text)
  }
}

function streamAndBreak(...texts: readonly string[]): Handle {
  return (request, response) => {
    stream(...texts)(request, response)
    // Not a reset, which would take back what is still on its way: the text ends too early.
    response.write('', () => response.socket?.end())
  }
}

function problem(status: number, code: string): Handle {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' })
    response.end(JSON.stringify({ type: 'urn:x', title: code, status, code, detail: code }))
  }
}

const hello = (leaf: number): string => `id: ${leaf}\nevent: hello\ndata: {"leaf":${leaf}}\n\n`
const entry = (leaf: number): string =>
  `id: ${leaf}\nevent: entry\ndata: {"leaf":${leaf},"kind":"commit"}\n\n`

test('a connection that breaks is taken up behind the last event that was whole', async (t) => {
  const half = entry(7).slice(0, 30)
  const { listen, until, asked, leaves, states } = await answering(
    t,
    streamAndBreak(hello(4), entry(5), entry(6), half),
    problem(503, 'STOPPING'),
    stream(hello(6), entry(7), entry(8)),
  )
  listen({ filters: { kind: 'commit' } })
  await until(() => leaves().length === 4)
  assert.deepEqual(leaves(), [5, 6, 7, 8])
  assert.deepEqual(asked, [
    '/v1/events?kind=commit',
    '/v1/events?kind=commit&after=6',
    '/v1/events?kind=commit&after=6',
  ])
  assert.deepEqual(states, ['connecting', 'live', 'reconnecting', 'reconnecting', 'live'])
})

test('whoever heard nothing yet comes back to where hello said it was', async (t) => {
  const { listen, until, asked, leaves } = await answering(
    t,
    streamAndBreak(hello(41)),
    stream(hello(41), entry(42)),
  )
  listen()
  await until(() => leaves().length === 1)
  assert.deepEqual(asked, ['/v1/events', '/v1/events?after=41'])
})

test('heartbeats tell how far it is where events were filtered out', async (t) => {
  const { listen, until, asked, leaves } = await answering(
    t,
    streamAndBreak(hello(4), ': 90\nid: 90\n\n'),
    stream(hello(90), entry(91)),
  )
  listen()
  await until(() => leaves().length === 1)
  assert.equal(asked[1], '/v1/events?after=90')
})

test('an event that comes twice rings once', async (t) => {
  const { listen, until, leaves } = await answering(
    t,
    stream(hello(4), entry(5), entry(5), entry(4), entry(6)),
  )
  listen()
  await until(() => leaves().includes(6))
  assert.deepEqual(leaves(), [5, 6])
})

test('a ledger that was restored is heard from where it is', async (t) => {
  const { listen, until, leaves } = await answering(t, stream(hello(3), entry(4)))
  listen({ after: 4_711 })
  await until(() => leaves().length === 1)
  assert.deepEqual(leaves(), [4])
})

test('who is refused does not ask again; who is asked to wait does', async (t) => {
  const { listen, until, asked, refused } = await answering(
    t,
    problem(429, 'RATE_LIMITED'),
    problem(401, 'TOKEN_INVALID'),
  )
  const hearing = listen()
  await until(() => refused.length === 1)
  hearing.resume()
  assert.deepEqual([asked.length, refused], [2, ['TOKEN_INVALID']])
})

test('while it pauses nothing rings, and afterwards nothing is missing', async (t) => {
  const { listen, until, asked, leaves, states } = await answering(
    t,
    stream(hello(0), entry(1)),
    stream(hello(1), entry(2), entry(3)),
  )
  const hearing = listen()
  await until(() => leaves().length === 1)
  hearing.pause()
  hearing.resume()
  await until(() => leaves().length === 3)
  assert.deepEqual(leaves(), [1, 2, 3])
  assert.deepEqual(asked, ['/v1/events', '/v1/events?after=1'])
  assert.equal(states.at(-1), 'live')
})

test('however the text is cut, the messages are the same', () => {
  const text = `retry: 5\n: note\nid: 1\nevent: a\ndata: x\ndata: y\n\nid: 2\n\ndata:z\r\n\r\nevent: half`
  const whole = new SseParser().push(text)
  assert.deepEqual(whole, [
    { event: 'a', data: 'x\ny', id: '1' },
    { event: '', data: 'z', id: '2' },
  ])
  for (let cut = 0; cut <= text.length; cut++) {
    const parser = new SseParser()
    const parts = [...parser.push(text.slice(0, cut)), ...parser.push(text.slice(cut))]
    assert.deepEqual(parts, whole)
  }
})
