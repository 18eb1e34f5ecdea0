/**
 * One request on one connection, and its answer within bounds. The connection is never used again, so that no
 * answer is taken for that of another request, or another secret.
 *
 * Whatever goes wrong here is thrown as it is: once a byte has left, nobody knows what came of it.
 */
import { type IncomingMessage, request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from 'rubicon-kernel'
import { countProvisional } from './count-provisional.ts'

export type HttpRequest = {
  readonly method: string
  /** Path and query, in the characters that are sent. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

export type HttpAnswer = {
  readonly status: number
  readonly contentType: string
  readonly requestId: string | null
  readonly body: Buffer
  /** Its head says where it ends; otherwise the connection did, and half of it looks like all of it. */
  readonly isBounded: boolean
}

export type ExchangeBounds = { readonly bytes: number; readonly signal: AbortSignal }

export function exchange(
  socket: Socket,
  { method, path, headers, body }: HttpRequest,
  { bytes, signal }: ExchangeBounds,
): Promise<HttpAnswer> {
  return new Promise<HttpAnswer>((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(why))
    const abort = (): void => fail('no whole answer in time')
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) return abort()
    socket.setTimeout(LIMITS.toolIdleMs, () => fail('no progress for too long'))
    const request = startRequest({
      // Neither an agent's pool nor a proxy of the environment: this connection.
      createConnection: () => socket,
      method,
      path,
      headers,
      setHost: false,
      maxHeaderSize: LIMITS.toolHeadBytes,
      insecureHTTPParser: false,
    })
    countProvisional(request)
    request.on('error', (error) => fail(describeError(error)))
    let isAnswered = false
    request.on('close', () => {
      if (!isAnswered) fail('the connection ended without an answer')
    })
    request.on('response', (response) => {
      isAnswered = true
      readAnswer(response, bytes, method === 'HEAD').then(resolve, (error: Error) =>
        fail(error.message),
      )
    })
    request.end(body ?? undefined)
  }).finally(() => socket.destroy())
}

/** Its code alone: what the library says beside it may quote what was sent. */
function describeError(error: Error): string {
  return `the exchange failed: ${'code' in error ? String(error.code) : error.name}`
}

async function readAnswer(
  response: IncomingMessage,
  most: number,
  isHead: boolean,
): Promise<HttpAnswer> {
  const { statusCode = 0, headers } = response
  const encoding = (headers['content-encoding'] ?? 'identity').toLowerCase()
  // It was asked for as it is. What a coding would grow to is known only afterwards.
  if (encoding !== 'identity') throw new Error('RESPONSE_ENCODED: the answer is in a coding')
  const transfer = (headers['transfer-encoding'] ?? 'chunked').toLowerCase()
  if (transfer !== 'chunked')
    throw new Error('RESPONSE_ENCODED: the answer is in a transfer coding')
  // The answer to HEAD says how long it would be, and is not.
  const said = isHead ? 0 : Number(headers['content-length'] ?? 0)
  if (said > most) throw createTooLargeError(most)
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length
    if (length > most) throw createTooLargeError(most)
    parts.push(part)
  }
  if (!response.complete) throw new Error('the answer was cut off')
  return {
    status: statusCode,
    contentType: headers['content-type'] ?? '',
    requestId: readRequestId(headers),
    body: Buffer.concat(parts),
    isBounded:
      isHead ||
      WITHOUT_BODY.includes(statusCode) ||
      headers['content-length'] !== undefined ||
      headers['transfer-encoding'] !== undefined,
  }
}

/** Answers with these statuses have none. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

function createTooLargeError(most: number): Error {
  return new Error(`RESPONSE_TOO_LARGE: the answer has more than ${most} bytes`)
}

/** By which the provider finds the call again. */
function readRequestId(headers: IncomingMessage['headers']): string | null {
  const id = headers['request-id'] ?? headers['x-request-id']
  return typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id) ? id : null
}
