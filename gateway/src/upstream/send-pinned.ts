/**
 * `fetch` for a server at an address, as the library needs it.
 *
 * 1. Nothing is sent to another origin than the one that the operator wrote down, and no redirect is followed: a call
 *    that is sent on is sent twice, and its secrets go where nobody said.
 * 2. Only addresses that were looked at are connected to (`rubicon-runtime/tools`), each connection is used once, and no
 *    proxy of the environment stands between.
 * 3. Up to the connection, failure of a call says that nothing happened: it is `NotApplied`.
 */
import { type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { LIMITS } from 'rubicon-kernel'
import { NotApplied } from 'rubicon-runtime/ports'
import {
  type ConnectionOptions,
  countProvisional,
  findAddressClass,
  type HttpAllowance,
  openConnection,
  type ResolveHost,
  resolveAllowed,
  resolveBySystem,
  toLiteralAddress,
} from 'rubicon-runtime/tools'
import type { AddressConfig } from './server-config.ts'

export type SendRequest = (url: string | URL, init?: RequestInit) => Promise<Response>

export type PinnedOptions = {
  readonly resolve?: ResolveHost
  readonly connection?: ConnectionOptions
}

export function createPinnedSend(
  config: Pick<AddressConfig, 'addresses' | 'url'>,
  { resolve = resolveBySystem, connection }: PinnedOptions = {},
): SendRequest {
  const pinned = new URL(config.url)
  const target = findTarget(pinned, config.addresses)
  return async (url, init = {}) => {
    const wanted = new URL(url)
    if (wanted.origin !== pinned.origin)
      throw new Error(`\`${wanted.origin}\` is not the address of this server`)
    const signal = init.signal ?? new AbortController().signal
    const socket = await resolveAllowed(target, resolve)
      .then((addresses) => openConnection(target, addresses, signal, connection))
      .catch((cause: unknown) => {
        // Only a call is what did not happen; to a stream that is opened again, that says nothing about its call.
        throw init.method === 'POST' ? cause : new Error(String(cause))
      })
    return exchangeOn(socket, wanted, init, signal)
  }
}

const PORTS = { http: 80, https: 443 } as const

/** Where its host may lie: as it is written, or in public, unless the operator says otherwise. */
function findTarget(
  { protocol, hostname, port }: URL,
  addresses: AddressConfig['addresses'],
): HttpAllowance {
  const scheme = protocol === 'https:' ? 'https' : 'http'
  return {
    scheme,
    host: hostname,
    port: port === '' ? PORTS[scheme] : Number(port),
    methods: ['GET', 'POST', 'DELETE'],
    addresses: addresses ?? chooseAddresses(hostname),
  }
}

function chooseAddresses(hostname: string): HttpAllowance['addresses'] {
  if (hostname === 'localhost') return 'loopback'
  const literal = toLiteralAddress(hostname)
  const found = literal === undefined ? 'public' : findAddressClass(literal)
  // What nobody can allow is in no class that could be.
  return found === 'forbidden' ? 'public' : found
}

function exchangeOn(
  socket: Socket,
  url: URL,
  { method = 'GET', headers, body }: RequestInit,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise<Response>((resolve, reject) => {
    const abort = (): void => void socket.destroy(new Error('it was given up'))
    signal.addEventListener('abort', abort, { once: true })
    socket.once('close', () => signal.removeEventListener('abort', abort))
    // A stream of events may be silent for long; a connection that nobody needs any more does not stay for ever.
    socket.setTimeout(LIMITS.manifestTimeoutMs, abort)
    const request = startRequest({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: buildHeaders(url, headers, body),
      setHost: false,
      maxHeaderSize: LIMITS.toolHeadBytes,
      insecureHTTPParser: false,
    })
    countProvisional(request)
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection ended without an answer')))
    request.on('response', (response) => {
      // It came with what the request was ended for; its error follows.
      if (request.destroyed) return
      try {
        resolve(toResponse(response))
      } catch (error) {
        socket.destroy()
        reject(error)
      }
    })
    if (signal.aborted) abort()
    request.end(typeof body === 'string' ? body : undefined)
  })
}

function buildHeaders(
  url: URL,
  headers: RequestInit['headers'],
  body: RequestInit['body'],
): Readonly<Record<string, string>> {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : null
  return {
    ...Object.fromEntries(new Headers(headers)),
    host: url.host,
    connection: 'close',
    // What a coding would grow to is known only afterwards.
    'accept-encoding': 'identity',
    ...(length === null ? {} : { 'content-length': String(length) }),
  }
}

const WITHOUT_BODY: readonly number[] = [204, 205, 304]

function toResponse(response: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = response
  if (status >= 300 && status < 400) throw new Error('its redirect is not followed')
  const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding !== 'identity') throw new Error('its answer is in a coding')
  const named = new Headers()
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) named.append(name, one)
  const isEmpty = WITHOUT_BODY.includes(status)
  if (isEmpty) response.resume()
  const body = isEmpty ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers: named })
}

/** Whether it is known that nothing was sent. */
export function isNotSent(cause: unknown): boolean {
  return cause instanceof NotApplied
}
