/** A server on loopback that answers as a test says, and remembers what it was asked. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

export type Asked = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

export type FakeAnswer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** In these pieces, each of them sent before the next. */
  readonly pieces: readonly (string | Uint8Array)[]
  /** What becomes of the connection after them. */
  readonly ending?: 'end' | 'wait' | 'break'
}

export type FakeProvider = {
  readonly url: string
  readonly asked: Asked[]
  answer: FakeAnswer
  close(): Promise<void>
}

/** Not where a runtime has its routes: whatever answers there is held against its API document. */
const PLACE = '/provider'

export async function startFakeProvider(): Promise<FakeProvider> {
  const asked: Asked[] = []
  const fake: { answer: FakeAnswer } = { answer: { pieces: ['{}'] } }
  const server = createServer((request, response) => {
    const parts: Uint8Array[] = []
    request.on('data', (part: Uint8Array) => parts.push(part))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString('utf8'))
      asked.push({ path: (request.url ?? '').replace(PLACE, ''), headers: request.headers, body })
      void send(response, fake.answer)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PLACE}`,
    asked,
    get answer() {
      return fake.answer
    },
    set answer(next) {
      fake.answer = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function send(response: ServerResponse, answer: FakeAnswer): Promise<void> {
  const { status = 200, headers = {}, pieces, ending = 'end' } = answer
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.flushHeaders()
  for (const piece of pieces) {
    if (response.destroyed) return
    response.write(piece)
    await turn()
  }
  if (ending === 'end') response.end()
  if (ending === 'break') response.destroy()
}
