/**
 * One request to a provider over HTTP, and what came of it: bytes within a bound, or a ModelFailure.
 *
 * H1 a redirect is not followed: the key would go where nobody configured it.
 * H2 everything that comes has a bound, counted after decompression, and one deadline for all of it.
 * H3 the key stands in a header and nowhere else: an error says nothing that holds it, and a reply that holds it
 *    is refused, since replies are recorded.
 * H4 `charged` is false only where the provider said, or the connection shows, that it did no work.
 */
import { LIMITS } from 'rubicon-kernel'
import { ModelFailure } from '../../ports/model.ts'
import type { SecretSearch } from '../secrets/secret-search.ts'
import { buildStatusFailure } from './status-failure.ts'

export type ModelCall = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Of the headers, what must not be seen again. */
  readonly secrets: SecretSearch
  readonly body: string
  /** What the reply must be; the others are nonsense. */
  readonly accept: readonly ContentType[]
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly replyBytes: number
  /** UTC, epoch milliseconds: a provider may name the time at which to come back. */
  readonly now: () => number
}

export type ContentType = 'application/json' | 'text/event-stream'

export type ModelAnswer = {
  readonly type: ContentType
  /** Throws a ModelFailure where it ends early, is too long or takes too long. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** In the place of a key. */
const HIDDEN = '[key]'

export async function callModel(call: ModelCall): Promise<ModelAnswer> {
  const deadline = AbortSignal.timeout(call.timeoutMs)
  const signal = AbortSignal.any([call.signal, deadline])
  if (signal.aborted) throw buildTimeout(call, false)
  const response = await send(call, signal)
  const { status, headers } = response
  if (status >= 300 && status < 400) {
    await discard(response)
    const message = `the provider answered with a redirect (${status}), which is not followed`
    throw new ModelFailure('MODEL_REFUSED', message, { charged: false, details: { status } })
  }
  if (!response.ok) {
    const said = await readErrorBody(response)
    throw buildStatusFailure({
      status,
      said,
      hideSecrets: (text) => call.secrets.replaceIn(text, HIDDEN),
      retryAfter: headers.get('retry-after'),
      retryAfterMs: headers.get('retry-after-ms'),
      now: call.now(),
    })
  }
  const given = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  const type = call.accept.find((one) => one === given)
  if (type === undefined) {
    await discard(response)
    throw new ModelFailure('MODEL_REPLY_INVALID', 'the reply is of another content type', {
      charged: true,
      details: {
        expected: [...call.accept],
        content_type: call.secrets.replaceIn(given ?? '', HIDDEN),
      },
    })
  }
  return { type, chunks: readChunks(call, response, signal) }
}

async function send(call: ModelCall, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(call.url, {
      method: 'POST',
      headers: {
        ...call.headers,
        'content-type': 'application/json',
        accept: call.accept.join(', '),
      },
      body: call.body,
      redirect: 'manual',
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw buildTimeout(call, true)
    const code = findCauseCode(error)
    // The cause itself may hold headers: of it the code alone is told.
    throw new ModelFailure('MODEL_UNAVAILABLE', 'the provider could not be reached', {
      charged: !NOT_SENT.has(code),
      details: { cause: code },
    })
  }
}

/** No connection came about, so that nothing was asked. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function findCauseCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
  }
  return 'UNKNOWN'
}

async function* readChunks(
  call: ModelCall,
  response: Response,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const { body } = response
  if (body === null) return
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > call.replyBytes) throw buildTooLong(call.replyBytes)
      yield chunk
    }
  } catch (error) {
    if (error instanceof ModelFailure) throw error
    if (signal.aborted) throw buildTimeout(call, true)
    const details = { cause: findCauseCode(error) }
    const message = 'the reply broke off'
    throw new ModelFailure('MODEL_UNAVAILABLE', message, { charged: true, details })
  }
}

/** As far as the bound; the rest is of no use to anybody. */
async function readErrorBody(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let left: number = LIMITS.modelErrorBytes
  try {
    for await (const chunk of response.body ?? []) {
      parts.push(chunk.subarray(0, left))
      left -= Math.min(left, chunk.length)
      if (left === 0) break
    }
  } catch {
    // What came until then is said.
  }
  return Buffer.concat(parts).toString('utf8')
}

async function discard(response: Response): Promise<void> {
  try {
    await response.body?.cancel()
  } catch {
    // It is gone already.
  }
}

function buildTooLong(bytes: number): ModelFailure {
  const message = `the reply has more than ${bytes} bytes`
  return new ModelFailure('MODEL_REPLY_TOO_LONG', message, { charged: true })
}

function buildTimeout({ signal, timeoutMs }: ModelCall, charged: boolean): ModelFailure {
  const message = signal.aborted
    ? 'nobody waits for the reply any more'
    : `there was no whole reply within ${timeoutMs} ms`
  return new ModelFailure('MODEL_TIMEOUT', message, { charged })
}
