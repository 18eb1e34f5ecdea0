/** A provider on this machine, and calls of an HTTP executor that is allowed to reach it. */
import { createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { HttpExecutor, JsonObject } from 'rubicon-kernel'
import type { EffectIo } from '../../ports/capability.ts'
import type { ManifestAnswer } from '../hands.ts'
import type { HttpAllowance } from './allowance.ts'
import { executeHttp, type HttpHandsOptions } from './http-hands.ts'

export type Listener = {
  readonly port: number
  /** Connections that were made. */
  readonly seen: () => number
  /** Everything that was written to it, as it came. */
  readonly heard: () => string
}

/** Answers each connection as it is told to, on the level of bytes. */
export async function listen(
  t: TestContext,
  answer: (socket: Socket) => void = () => {},
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<Listener> {
  let seen = 0
  const parts: Buffer[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    seen += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (part) => parts.push(part))
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    seen: () => seen,
    heard: () => Buffer.concat(parts).toString('latin1'),
  }
}

/** One whole answer. */
export function answerWith(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): (socket: Socket) => void {
  const said = { 'content-type': 'application/json', ...headers }
  const lines = Object.entries(said).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = `content-length: ${Buffer.byteLength(body)}\r\n`
  return (socket) => {
    socket.write(`HTTP/1.1 ${status} Said\r\n${lines.join('')}${length}\r\n`)
    socket.end(body)
  }
}

export function allowPort(port: number, change: Partial<HttpAllowance> = {}): HttpAllowance {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
  return { scheme: 'http', host: '127.0.0.1', port, methods, addresses: 'loopback', ...change }
}

export function createIo(change: Partial<EffectIo> = {}): EffectIo {
  return {
    idempotencyKey: 'key-1',
    send: 1,
    fence: 1,
    signal: new AbortController().signal,
    world: () => undefined,
    ...change,
  }
}

export type CallChange = {
  readonly options?: Partial<HttpHandsOptions>
  readonly io?: Partial<EffectIo>
  readonly params?: JsonObject
}

/** A call of the executor, with the port of a listener allowed where no options say otherwise. */
export function callHttp(
  port: number,
  executor: Partial<HttpExecutor> = {},
  { options = {}, io = {}, params = {} }: CallChange = {},
): Promise<ManifestAnswer> {
  return executeHttp(
    { allowed: [allowPort(port)], secrets: new Map(), ...options },
    {
      method: 'POST',
      url: `http://127.0.0.1:${port}/v1`,
      applied: [200, 201],
      not_applied: [409, 422, 503],
      transient: [503],
      ...executor,
    },
    { kind: 'acme.pay', agent_id: 'bot', params, purpose: 'effect' },
    createIo(io),
  )
}
