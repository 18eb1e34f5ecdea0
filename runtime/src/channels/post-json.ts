/**
 * One POST on one connection. Only a status of 2xx says that it arrived; a redirect is not followed, and of the answer
 * no more is read than somebody would look at.
 */
import { request as startRequest } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from 'rubicon-kernel'
import { NotDelivered } from '../ports/channel.ts'
import { countProvisional } from '../tools/http/count-provisional.ts'

export type PostedAnswer = {
  readonly status: number
  readonly text: string
  /** False: it ends where reading did, perhaps within a word. */
  readonly whole: boolean
}

export type JsonPost = {
  readonly host: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Of an answer, for whoever reads the beginning of it, and how long it is waited for. */
const READ_BYTES = 16_384
const READ_MS = 2_000

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
    countProvisional(request)
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
      const finish = (whole: boolean): void => {
        clearTimeout(late)
        const text = Buffer.concat(parts).subarray(0, READ_BYTES).toString('utf8')
        resolve({ status, text, whole: whole && length <= READ_BYTES })
        response.destroy()
      }
      const cut = (): void => finish(false)
      const late = setTimeout(cut, READ_MS)
      response.on('data', (part: Buffer) => {
        parts.push(part)
        length += part.length
        if (length > READ_BYTES) cut()
      })
      response.on('end', () => finish(true))
      response.on('error', cut)
    })
    request.end(body)
  }).finally(() => socket.destroy())
}
