/** What only a server refuses: each with its status, what it means, why, and what to do. */
export type HttpCode =
  | 'ROUTE_UNKNOWN'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_INVALID'
  | 'REQUEST_TIMEOUT'
  | 'CONTENT_TYPE'
  | 'HOST_REFUSED'
  | 'TENANT_UNKNOWN'
  | 'TOKEN_MISSING'
  | 'TOKEN_INVALID'
  | 'SIGNED_OUT'
  | 'SIGN_IN_EXPIRED'
  | 'PROOF_MISSING'
  | 'PROOF_INVALID'
  | 'PROOF_STALE'
  | 'PROOF_REPLAYED'
  | 'SIGN_IN_REFUSED'
  | 'SIGN_IN_UNAVAILABLE'
  | 'ORIGIN_REFUSED'
  | 'CSRF_INVALID'
  | 'TLS_REQUIRED'
  | 'ROLE_MISSING'
  | 'RATE_LIMITED'
  | 'TOO_MANY_UNDER_WAY'
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'IDEMPOTENCY_IN_FLIGHT'
  | 'IDEMPOTENCY_BODY_MISMATCH'
  | 'CALL_REUSED'
  | 'STREAMS_FULL'
  | 'STOPPING'
  | 'BUG'

export type HttpReason = {
  readonly http: number
  readonly means: string
  readonly why: string
  readonly fix: string
}

export const HTTP_REASONS: Readonly<Record<HttpCode, HttpReason>> = {
  ROUTE_UNKNOWN: {
    http: 404,
    means: 'this address does not exist',
    why: 'no route has this method and path',
    fix: 'see the list of routes in docs/spec/http.md',
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    means: 'this address does not support the method',
    why: 'only the methods in `Allow` exist for it',
    fix: 'use a method that `Allow` names',
  },
  REQUEST_INVALID: {
    http: 400,
    means: 'the request cannot be read',
    why: 'its request line, headers or length are not valid HTTP',
    fix: 'send a well-formed request',
  },
  REQUEST_TIMEOUT: {
    http: 408,
    means: 'the request took too long to arrive',
    why: 'unfinished requests could exhaust the runtime',
    fix: 'send the whole request at once',
  },
  CONTENT_TYPE: {
    http: 415,
    means: 'the content type of the body is not JSON',
    why: 'the format of a body is not guessed',
    fix: 'send `Content-Type: application/json`',
  },
  HOST_REFUSED: {
    http: 421,
    means: 'the request names another host',
    why: 'a web page could otherwise reach this port under its own host name',
    fix: 'use the address that the runtime printed when it started',
  },
  TENANT_UNKNOWN: {
    http: 404,
    means: 'this tenant does not exist here',
    why: '`Rubicon-Tenant` names one that this server does not have, or `--tenant` one of which the store has no ledger',
    fix: 'check the name, or leave it out to use the default tenant',
  },
  TOKEN_MISSING: {
    http: 401,
    means: 'the request has no token',
    why: 'everything except the health check needs a token',
    fix: 'send `Authorization: Bearer TOKEN`',
  },
  TOKEN_INVALID: {
    http: 401,
    means: 'invalid token',
    why: 'it was not issued here, or it was replaced',
    fix: 'use the token that the runtime showed; `rubicon token` creates a new one',
  },
  SIGNED_OUT: {
    http: 401,
    means: 'this cookie is not signed in',
    why: 'the session has ended, or the token or login behind it is no longer valid',
    fix: 'sign in again',
  },
  SIGN_IN_EXPIRED: {
    http: 401,
    means: 'the sign-in has expired, and the request was not carried out',
    why: 'an unattended browser must not be able to decide',
    fix: 'sign in again, and send the same request',
  },
  SIGN_IN_REFUSED: {
    http: 403,
    means: 'the sign-in by the provider was not accepted',
    why: 'it was for another browser, time or tenant, or the provider refused it',
    fix: 'sign in again; the log of the runtime says what was wrong',
  },
  SIGN_IN_UNAVAILABLE: {
    http: 503,
    means: 'the sign-in provider does not answer',
    why: 'without its answer nobody can be identified',
    fix: 'try again, or sign in with a token; the log of the runtime says what was wrong',
  },
  PROOF_MISSING: {
    http: 401,
    means: 'the request of the agent is not signed',
    why: 'a token alone could be used by anybody who finds it',
    fix: 'send `Content-Digest`, `Signature-Input` and `Signature` by the key of the session, see docs/spec/http.md',
  },
  PROOF_INVALID: {
    http: 401,
    means: 'the signature of the request is invalid',
    why: 'it is by another key, for another request or body, or not in the required format',
    fix: 'sign the request with the key of the session, as described in docs/spec/http.md',
  },
  PROOF_STALE: {
    http: 401,
    means: 'the signature of the request is too old or in the future',
    why: 'an old signature could be a replay',
    fix: 'sign each request when it is sent, and check the clock',
  },
  PROOF_REPLAYED: {
    http: 401,
    means: 'this request was already received',
    why: 'a signature is valid for one request',
    fix: 'sign again with a new nonce; the `Idempotency-Key` may be the same',
  },
  ORIGIN_REFUSED: {
    http: 403,
    means: 'the request does not come from a page of this console',
    why: 'any web page can make a browser send requests; only pages of this server may use a sign-in',
    fix: 'use the console at the address that the runtime printed; behind a proxy, start it with --public-url',
  },
  CSRF_INVALID: {
    http: 403,
    means: 'the request has no valid CSRF token',
    why: 'browsers send cookies with every request; only pages of this server know the CSRF token',
    fix: 'send `Rubicon-CSRF` with `csrf` of `GET /v1/session`',
  },
  TLS_REQUIRED: {
    http: 403,
    means: 'the token may not travel in clear text',
    why: 'anybody who reads the token on its way could act as the agent of the MCP client',
    fix: 'connect from this machine, or through a proxy with TLS that --public-url and --proxy-hops name',
  },
  ROLE_MISSING: {
    http: 403,
    means: 'your roles do not allow this',
    why: 'roles are separate, so that the same person does not propose and decide',
    fix: 'ask somebody with one of the roles named',
  },
  RATE_LIMITED: {
    http: 429,
    means: 'too many requests came from one caller',
    why: 'one caller must not slow down the others',
    fix: 'wait as long as `Retry-After` says, and send it again',
  },
  TOO_MANY_UNDER_WAY: {
    http: 429,
    means: 'too many requests of one caller are in progress',
    why: 'long answers take time, and others wait for theirs',
    fix: 'wait until some of them are answered, and send it again',
  },
  IDEMPOTENCY_KEY_MISSING: {
    http: 400,
    means: 'the request needs an `Idempotency-Key`',
    why: 'if the answer is lost, the request can be repeated without a second effect',
    fix: 'send `Idempotency-Key` with 1 to 128 of A-Z a-z 0-9 . _ : @ -, a new one for each new request',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    http: 409,
    means: 'the first request under this key is still being carried out',
    why: 'a second execution in parallel could have a second effect',
    fix: 'wait, and send the same request again',
  },
  IDEMPOTENCY_BODY_MISMATCH: {
    http: 422,
    means: 'this key was used with another body',
    why: 'a key is for one request',
    fix: 'use a new key for a different request',
  },
  CALL_REUSED: {
    http: 422,
    means: 'the agent has used this name for another call before',
    why: 'a name identifies one call, so that a client that lost the answer can ask again',
    fix: 'give a new call a new id, and a new key',
  },
  STREAMS_FULL: {
    http: 503,
    means: 'too many streams of events are open',
    why: 'every open stream takes resources',
    fix: 'close unused streams, and try again',
  },
  STOPPING: {
    http: 503,
    means: 'the runtime is stopping',
    why: 'requests in progress are finished first',
    fix: 'try again when it has restarted',
  },
  BUG: {
    http: 500,
    means: 'this is a bug in rubicon',
    why: 'the request was not carried out, or it is unknown how far it was',
    fix: 'look at the log of the runtime, and report it',
  },
}
