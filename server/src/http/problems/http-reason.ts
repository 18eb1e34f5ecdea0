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
  | 'ROLE_MISSING'
  | 'RATE_LIMITED'
  | 'TOO_MANY_UNDER_WAY'
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'IDEMPOTENCY_IN_FLIGHT'
  | 'IDEMPOTENCY_BODY_MISMATCH'
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
    means: 'there is nothing at this address',
    why: 'no route has this method and path',
    fix: 'see the list of routes in docs/spec/http.md',
  },
  METHOD_NOT_ALLOWED: {
    http: 405,
    means: 'this address is not asked in this way',
    why: 'each method of an address does one thing, and only those that are listed exist',
    fix: 'use a method that `Allow` names',
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
  TENANT_UNKNOWN: {
    http: 404,
    means: 'there is no such tenant here',
    why: '`Rubicon-Tenant` names one that this server does not have',
    fix: 'check the name, or leave it out to ask the first',
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
    fix: 'use the token that the runtime showed; `rubicon token` makes another',
  },
  SIGNED_OUT: {
    http: 401,
    means: 'nobody is signed in with this cookie',
    why: 'the session was ended, or what vouched for it no longer does',
    fix: 'sign in again',
  },
  SIGN_IN_EXPIRED: {
    http: 401,
    means: 'the sign-in is over, and nothing of the request was done',
    why: 'a browser that is left alone must not decide',
    fix: 'sign in again, and send the same request: what was typed can be kept until then',
  },
  SIGN_IN_REFUSED: {
    http: 403,
    means: 'the provider\u2019s word does not let this person in',
    why: 'it was given to another browser, at another time, for another tenant, or not at all',
    fix: 'sign in again; if that does not help, the log of the runtime says what was wrong',
  },
  SIGN_IN_UNAVAILABLE: {
    http: 503,
    means: 'the provider cannot be asked',
    why: 'nobody is let in by the word of somebody who does not answer',
    fix: 'try again, or sign in with a token; the log of the runtime says what was wrong',
  },
  PROOF_MISSING: {
    http: 401,
    means: 'the request of the agent is not signed',
    why: 'a token alone is anybody\u2019s who finds it',
    fix: 'send `Content-Digest`, `Signature-Input` and `Signature` by the key of the session, see docs/spec/http.md',
  },
  PROOF_INVALID: {
    http: 401,
    means: 'the signature of the request does not hold',
    why: 'it is by another key, for another request or body, or not in the form that is asked for',
    fix: 'sign this request, with the key of the session, as docs/spec/http.md says',
  },
  PROOF_STALE: {
    http: 401,
    means: 'the request was signed at another time',
    why: 'an old signature may be one that somebody found',
    fix: 'sign each request when it is sent, and check the clock',
  },
  PROOF_REPLAYED: {
    http: 401,
    means: 'this request has been here before',
    why: 'one signature stands for one request',
    fix: 'sign again with a new nonce; the `Idempotency-Key` may be the same',
  },
  ORIGIN_REFUSED: {
    http: 403,
    means: 'the request does not come from a page of ours',
    why: 'any page can make a browser ask; only ours ask in the name of whoever is signed in',
    fix: 'use the console at the address that the runtime printed; behind a proxy, start it with --public-url',
  },
  CSRF_INVALID: {
    http: 403,
    means: 'the request lacks the word of its session',
    why: 'a cookie goes along with whatever a browser sends; the word is known to our own pages',
    fix: 'send `Rubicon-CSRF` with `csrf` of `GET /v1/session`',
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
  TOO_MANY_UNDER_WAY: {
    http: 429,
    means: 'too many requests of one side are under way',
    why: 'long answers take time, and others wait for theirs',
    fix: 'wait until some of them are answered, and ask again',
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
  STREAMS_FULL: {
    http: 503,
    means: 'too many streams of events are open',
    why: 'each of them is written to for as long as it lasts',
    fix: 'close those that nobody reads, and ask again',
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
