/**
 * Stands between the fuzzer and the server, and makes each request that of somebody: it adds the token,
 * and signs as an agent does (decision 0018). What it has seen is counted here, whatever the fuzzer says.
 *
 * Boundary: on loopback only. It changes nothing of an answer; an answer that goes on is ended after a
 * moment, since a fuzzer waits for the end.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { getIdempotencyKey } from '../../server/src/http/agent-auth/agent-proof.ts'
import type { HttpPlace } from '../../server/src/http/agent-auth/client.ts'

export type GatewayCounts = {
  cases: number
  /** `500 GET /v1/flows` */
  readonly serverErrors: string[]
  /** Requests that had no answer in time. */
  readonly stalls: string[]
  readonly byStatus: Record<string, number>
}

export type Gateway = { readonly url: string; readonly seen: GatewayCounts; close(): Promise<void> }

const STREAM_MS = 200
const STALL_MS = 20_000
/** What belongs to one connection, or is said anew. */
const NOT_PASSED: readonly string[] = ['host', 'connection', 'authorization', 'transfer-encoding']

export async function openGateway(
  server: string,
  enter: () => Promise<HttpPlace>,
): Promise<Gateway> {
  const seen: GatewayCounts = { cases: 0, serverErrors: [], stalls: [], byStatus: {} }
  let place = await enter()
  let entering: Promise<unknown> | null = null
  const enterAgain = async (): Promise<void> => {
    entering ??= enter().then((next) => {
      place = next
      entering = null
    })
    await entering
  }
  const gateway = createServer(async (asked, reply) => {
    seen.cases += 1
    const bytes = await readBytes(asked)
    const status = await pass(server, place, asked, bytes, reply)
    const line = `${status} ${asked.method} ${asked.url}`
    seen.byStatus[status] = (seen.byStatus[status] ?? 0) + 1
    if (status === 0) seen.stalls.push(line)
    if (status >= 500) seen.serverErrors.push(line)
    // Its session has ended, and so has what it could ask: it comes in again.
    if (status === 401) await enterAgain()
  })
  await new Promise<void>((ready) => gateway.listen(0, '127.0.0.1', ready))
  const address = gateway.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((closed) => {
        gateway.close(() => closed())
        gateway.closeAllConnections()
      }),
  }
}

async function readBytes(asked: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of asked) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The status of the answer; 0: there was none. */
async function pass(
  server: string,
  { token, sign }: HttpPlace,
  asked: IncomingMessage,
  bytes: Buffer,
  reply: ServerResponse,
): Promise<number> {
  const { method = 'GET', url: target = '/', headers } = asked
  const { hostname, port, host } = new URL(server)
  const authorization = `Bearer ${token}`
  const kept = Object.entries(headers).filter(([name]) => !NOT_PASSED.includes(name))
  const said = {
    ...Object.fromEntries(kept),
    host,
    authorization,
    ...(await sign?.({ method, target, authorization, bytes, key: getIdempotencyKey(headers) })),
    ...(bytes.length > 0 ? { 'content-length': String(bytes.length) } : {}),
  }
  return new Promise((answered) => {
    const giveUp = (): void => {
      reply.writeHead(504).end()
      answered(0)
    }
    const asking = request({ hostname, port, method, path: target, headers: said }, (answer) => {
      clearTimeout(stall)
      const { statusCode = 0 } = answer
      reply.writeHead(statusCode, answer.headers)
      const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true
      if (isStream) setTimeout(() => reply.end(), STREAM_MS).unref()
      answer.pipe(reply)
      answer.on('error', () => reply.end())
      reply.on('close', () => {
        answer.destroy()
        answered(statusCode)
      })
    })
    const stall = setTimeout(() => asking.destroy(), STALL_MS)
    asking.on('error', () => {
      clearTimeout(stall)
      if (!reply.headersSent) giveUp()
    })
    asking.end(bytes)
  })
}
