/** Asks a server as anybody would: with bytes and a token, and as an agent with a signature. */

import type { Method } from '../schemas/route.ts'
import type { SignHeaders } from './agent-key.ts'

export type HttpPlace = {
  readonly url: string
  readonly token?: string
  /** The first that the server has, when nobody says. */
  readonly tenant?: string
  /** Agents prove with every request that they hold the key of their session. */
  readonly sign?: SignHeaders
}

export type HttpQuestion = {
  /** Sent as JSON; text and bytes as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type HttpAnswer = {
  readonly status: number
  readonly headers: Headers
  /** What the server said, where that was JSON; else the text. */
  readonly body: ReturnType<typeof JSON.parse>
}

export async function ask(
  { url, token, tenant, sign }: HttpPlace,
  method: Method,
  path: string,
  { body, headers = {} }: HttpQuestion = {},
): Promise<HttpAnswer> {
  const bytes = encodeBody(body)
  const { href, pathname, search } = new URL(`${url}${path}`)
  const authorization = `Bearer ${token}`
  const key = headers['idempotency-key']
  const request = { method, target: `${pathname}${search}`, authorization, bytes, key }
  const response = await fetch(href, {
    method,
    // What is sent is for this address alone.
    redirect: 'manual',
    headers: {
      ...(token === undefined ? {} : { authorization }),
      ...(tenant === undefined ? {} : { 'rubicon-tenant': tenant }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(await sign?.(request)),
      ...headers,
    },
    ...(body === undefined ? {} : { body: bytes }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
}

function encodeBody(body: unknown): Uint8Array<ArrayBuffer> {
  if (body === undefined) return new Uint8Array(0)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}
