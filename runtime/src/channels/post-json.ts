/**
 * One POST on one connection. Only a status of 2xx says that it arrived; a redirect is not followed, and of the answer
 * no more is read than somebody would look at.
 */
import { request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from 'rubicon-kernel'
import { NotDelivered } from '../ports/channel.ts'

export type PostedAnswer = { readonly status: number; readonly text: string }

export type JsonPost = {
  readonly host: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Of an answer, for whoever reads it, and how long it is waited for. */
const SHOWN_BYTES = 2_048
const SHOWN_MS = 2_000

export function postJson(
  socket: Socket,
  { host, path, headers, body }: JsonPost,
  signal: AbortSignal,
): Promise<PostedAnswer> {
  return new Promise<PostedAnswer>((resolve, reject) => {
    const fail = (why: string): void => reject(new NotDelivered(why))
    let isAnswered = false
    const abort = (): void => {
      if (!isAnswered) fail('no answer in time')
    }
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) return abort()
    const request = startRequest({
      createConnection: () => socket,
      method: 'POST',
      path,
      headers: {
        host,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'rubicon',
        connection: 'close',
        ...headers,
      },
      setHost: false,
      maxHeaderSize: LIMITS.toolHeadBytes,
      insecureHTTPParser: false,
    })
    // Its code alone: what the library says beside it may quote what was sent.
    request.on('error', (error) =>
      fail(`the connection failed: ${'code' in error ? String(error.code) : error.name}`),
    )
    request.on('response', (response) => {
      isAnswered = true
      const status = response.statusCode ?? 0
      const parts: Buffer[] = []
      let length = 0
      // The head said what became of it; what comes after it is for people.
      const finish = (): void => {
        clearTimeout(late)
        const text = Buffer.concat(parts).subarray(0, SHOWN_BYTES).toString('utf8')
        resolve({ status, text })
        response.destroy()
      }
      const late = setTimeout(finish, SHOWN_MS)
      response.on('data', (part: Buffer) => {
        parts.push(part)
        length += part.length
        if (length >= SHOWN_BYTES) finish()
      })
      response.on('end', finish)
      response.on('error', finish)
    })
    request.end(body)
  }).finally(() => socket.destroy())
}
