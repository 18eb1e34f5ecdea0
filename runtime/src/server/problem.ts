/**
 * Errors on the wire: RFC 9457 documents with a code. What the kernel and the engine refuse keeps its
 * own code and the texts of the reason table; what only a server can refuse is listed here.
 */
import { type Failure, isReasonCode, REASONS } from 'rubicon-kernel'
import { StoreError } from '../ports/store.ts'
import type { Reply } from './route.ts'

export type HttpCode =
  | 'ROUTE_UNKNOWN'
  | 'REQUEST_INVALID'
  | 'REQUEST_TIMEOUT'
  | 'CONTENT_TYPE'
  | 'HOST_REFUSED'
  | 'TOKEN_MISSING'
  | 'TOKEN_INVALID'
  | 'ROLE_MISSING'
  | 'RATE_LIMITED'
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'IDEMPOTENCY_IN_FLIGHT'
  | 'IDEMPOTENCY_BODY_MISMATCH'
  | 'STOPPING'
  | 'BUG'

export type ProblemReply = Omit<Reply, 'body'> & { readonly body: Problem }

export type Problem = {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly fix?: string
  readonly meta?: Failure['meta']
}

type HttpReason = {
  readonly http: number
  readonly means: string
  readonly why: string
  readonly fix: string
}

const HTTP_REASONS: Readonly<Record<HttpCode, HttpReason>> = {
  ROUTE_UNKNOWN: {
    http: 404,
    means: 'there is nothing at this address',
    why: 'no route has this method and path',
    fix: 'see the list of routes in docs/spec/http.md',
  },
  REQUEST_INVALID: {
    http: 400,
    means: 'the request cannot be read',
    why: 'its line, headers or length are not what HTTP says',
    fix: 'send a well-formed request',
  },
  REQUEST_TIMEOUT: {
    http: 408,
    means: 'the request took too long to arrive',
    why: 'a connection that is never done is a way to exhaust the runtime',
    fix: 'send the whole request at once',
  },
  CONTENT_TYPE: {
    http: 415,
    means: 'the body is not announced as JSON',
    why: 'a document that has to be guessed at is not evidence',
    fix: 'send `Content-Type: application/json`',
  },
  HOST_REFUSED: {
    http: 421,
    means: 'the request was meant for another host',
    why: 'a web page could reach this port under a name of its own',
    fix: 'use the address that the runtime printed when it started',
  },
  TOKEN_MISSING: {
    http: 401,
    means: 'the request says nobody asks',
    why: 'everything but the health of the process needs a token',
    fix: 'send `Authorization: Bearer TOKEN`',
  },
  TOKEN_INVALID: {
    http: 401,
    means: 'the token is nobody\u2019s',
    why: 'it was not issued here, or it was replaced',
    fix: 'use the token that the runtime showed; `rubicon up --new-token` makes another',
  },
  ROLE_MISSING: {
    http: 403,
    means: 'whoever asks may not do this',
    why: 'roles are kept apart, so that nobody both proposes and decides',
    fix: 'ask somebody with one of the roles named',
  },
  RATE_LIMITED: {
    http: 429,
    means: 'too many requests came from one side',
    why: 'one caller must not take the runtime from the others',
    fix: 'wait as long as `Retry-After` says, and ask again',
  },
  IDEMPOTENCY_KEY_MISSING: {
    http: 400,
    means: 'the request needs an `Idempotency-Key`',
    why: 'whoever loses the answer must be able to ask again without doing it twice',
    fix: 'send `Idempotency-Key` with 1 to 128 of A-Z a-z 0-9 . _ : @ -, a new one for each intention',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    http: 409,
    means: 'the first request under this key is still being carried out',
    why: 'doing it a second time beside it could do it twice',
    fix: 'wait, and send the same request again',
  },
  IDEMPOTENCY_BODY_MISMATCH: {
    http: 422,
    means: 'this key was used with another body',
    why: 'one key stands for one intention',
    fix: 'use a new key for a different request',
  },
  STOPPING: {
    http: 503,
    means: 'the runtime is stopping',
    why: 'what is under way is ended first',
    fix: 'ask again when it has started',
  },
  BUG: {
    http: 500,
    means: 'this is a bug in rubicon',
    why: 'the request was not carried out, or nobody knows how far',
    fix: 'look at the log of the runtime, and report it',
  },
}

/** Failures of the engine that are no reasons for a verdict. */
const OTHER_STATUS: Readonly<Record<string, number>> = {
  STORE_CONTENTION: 503,
  LEDGER_CORRUPT: 503,
  NOTES_FULL: 409,
  EXPLANATIONS_FULL: 409,
  EXECUTION_UNKNOWN: 404,
  EXECUTION_NOT_IN_REVIEW: 409,
}

export function httpProblem(code: HttpCode, detail?: string, meta?: Failure['meta']): ProblemReply {
  const { means, why, fix } = HTTP_REASONS[code]
  return refused({
    code,
    summary: detail ?? means,
    why,
    fix,
    ...(meta === undefined ? {} : { meta }),
  })
}

/** A failure as a reply. `status`: where this door answers otherwise than the table says. */
export function refused(failure: Failure, status: number = statusOf(failure.code)): ProblemReply {
  const { code, summary, why, meta } = failure
  const known = textsOf(code)
  const fix = failure.fix ?? known?.fix
  const detail = why === undefined ? summary : `${summary}: ${why}`
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(status === 503 || status === 429 ? { 'retry-after': '1' } : {}),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(code === 'STOPPING' ? { connection: 'close' } : {}),
    },
    body: {
      type: `urn:rubicon:reason:${code}`,
      title: known?.means ?? summary,
      status,
      code,
      detail,
      ...(fix === undefined ? {} : { fix }),
      ...(meta === undefined ? {} : { meta }),
    },
  }
}

/** Whatever was thrown. What nobody foresaw is told to the log, not to whoever asked. */
export function thrownProblem(error: unknown): Reply {
  if (error instanceof StoreError) {
    const { code, message: summary, fix } = error
    return refused({ code, summary, fix }, 503)
  }
  if (error instanceof Error && error.name === 'LedgerCorrupt')
    return refused({ code: 'LEDGER_CORRUPT', summary: `the ledger is damaged: ${error.message}` })
  return httpProblem('BUG')
}

function statusOf(code: string): number {
  return textsOf(code)?.http ?? OTHER_STATUS[code] ?? 422
}

function textsOf(code: string): HttpReason | undefined {
  if (isReasonCode(code)) return REASONS[code]
  return Object.hasOwn(HTTP_REASONS, code) ? HTTP_REASONS[code as HttpCode] : undefined
}
