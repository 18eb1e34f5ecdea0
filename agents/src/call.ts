/**
 * One request to the runtime and its answer. A refusal is an answer like any other: nothing here
 * throws because of what the server says, or because it is not there.
 *
 * It goes to the address that was given and to no other: what is sent with it (a token, the word of a session, a
 * signature) is for that one, and whoever answers there could name any.
 */
import type { Problem } from './generated.ts'

/** What came back: the body where it was answered, else the problem. */
export type ClientAnswer<Body> =
  | {
      readonly ok: true
      /** Of HTTP. */
      readonly status: number
      /** What the operation answers, as the API document has it. */
      readonly body: Body
    }
  | {
      readonly ok: false
      /** What the server refused, or why nothing was heard of it. */
      readonly problem: AnyProblem
    }

/** What the server said, or why nothing was heard of it. */
export type AnyProblem = Omit<Problem, 'code'> & {
  /** Of the server, or one of this package where no answer could be used. */
  readonly code:
    | Problem['code']
    | 'SERVER_UNREACHABLE'
    | 'REQUEST_UNSENDABLE'
    | 'ANSWER_UNREADABLE'
    | 'ANSWER_REDIRECTED'
}

/** How a client reaches its server. */
export type ClientOptions = {
  /** Before each path; without it the address of the page. */
  readonly url?: string
  /** In place of the global one. */
  readonly fetch?: typeof fetch
  /** Sent with every request: a token, the word of a session. Asked each time. */
  readonly headers?: (request: Sent) => Headed | Promise<Headed>
}

/** Headers, by their names in lower case. */
export type Headed = Readonly<Record<string, string>>
/** What is about to be sent, for whoever signs it. */
export type Sent = {
  /** Of HTTP. */
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** As it is sent; undefined: none. */
  readonly body: string | undefined
  /** `Idempotency-Key`. */
  readonly key: string | undefined
}

/** What is asked of an operation. */
export type ClientRequest = {
  /** What stands in the path, by name. */
  readonly params?: Readonly<Record<string, string>>
  /** What stands behind the path; undefined is left out. */
  readonly query?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** `Idempotency-Key`: a new one for each intention, the same one to ask again. */
  readonly key?: string
  /** Ends the waiting; what was asked may be done all the same. */
  readonly signal?: AbortSignal
}

/** How an answer is read. */
export type Expected = 'json' | 'text' | 'bytes' | 'stream'

/** Asks one operation by its method and path; nothing that the server says is thrown. */
export type ClientCall = <Body>(
  method: string,
  path: string,
  asked?: ClientRequest,
  expected?: Expected,
) => Promise<ClientAnswer<Body>>

/** Makes what asks a server, at one address and with the headers that go there. */
export function createCall(options: ClientOptions): ClientCall {
  return async (method, template, asked = {}, expected = 'json') => {
    const path = `${fill(template, asked.params)}${queryText(asked.query)}`
    const body = asked.body === undefined ? undefined : JSON.stringify(asked.body)
    const sent = { method, path, body, key: asked.key }
    try {
      const headers = buildHeaders(asked, body, (await options.headers?.(sent)) ?? {})
      const ask = options.fetch ?? fetch
      const address = `${options.url ?? ''}${path}`
      const unfit = findUnfitPart(address, headers)
      if (unfit !== null) return { ok: false, problem: buildUnsendableProblem(unfit) }
      const response = await ask(address, {
        method,
        headers,
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
        ...(asked.signal === undefined ? {} : { signal: asked.signal }),
      })
      if (isRedirect(response)) return { ok: false, problem: await createRedirectProblem(response) }
      return await parseAnswer(response, expected)
    } catch (error) {
      return { ok: false, problem: createUnreachableProblem(error) }
    }
  }
}

function fill(template: string, params: ClientRequest['params'] = {}): string {
  return template.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

function queryText(query: ClientRequest['query'] = {}): string {
  const members = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) members.set(name, value)
  const text = members.toString()
  return text === '' ? '' : `?${text}`
}

function buildHeaders({ key }: ClientRequest, body: string | undefined, more: Headed): Headed {
  return {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...more,
  }
}

/**
 * What of a request cannot be sent, by its name; null: nothing. Whoever is asked to send it would say so with the value,
 * and that is a token or a password.
 */
function findUnfitPart(address: string, headers: Headed): string | null {
  const url = URL.parse(address)
  if (url !== null && (url.username !== '' || url.password !== ''))
    return 'a password in its address'
  for (const [name, value] of Object.entries(headers))
    if (!isSendable(name, value)) return `characters in \`${name}\` that no header has`
  return null
}

function isSendable(name: string, value: string): boolean {
  try {
    new Headers([[name, value]])
    return true
  } catch {
    return false
  }
}

/** The types are the document's; every response of the test run is held against it. */
async function parseAnswer<Body>(
  response: Response,
  expected: Expected,
): Promise<ClientAnswer<Body>> {
  const { status } = response
  const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? ''
  try {
    if (type === 'application/problem+json')
      return {
        ok: false,
        problem: parseProblem(await response.json()) ?? createUnreadableProblem(status, type),
      }
    if (!isExpected(response, type, expected))
      return { ok: false, problem: createUnreadableProblem(status, type) }
    return { ok: true, status, body: (await readBody(response, expected)) as Body }
  } catch (error) {
    // It came, and was not what it said it was.
    if (error instanceof SyntaxError)
      return { ok: false, problem: createUnreadableProblem(status, type) }
    throw error
  }
}

/** Null: whoever answers in this form is not the runtime, which says what is wrong and by which code. */
function parseProblem(body: unknown): AnyProblem | null {
  if (typeof body !== 'object' || body === null) return null
  const { type, title, status, code, detail, fix = '' }: Record<string, unknown> = { ...body }
  const texts = [type, title, code, detail, fix].every((one) => typeof one === 'string')
  return texts && typeof status === 'number' ? (body as AnyProblem) : null
}

/** An answer in JSON may have a status of its own meaning; text and bytes are sent with success only. */
function isExpected({ ok, status }: Response, type: string, expected: Expected): boolean {
  return expected === 'json' ? status === 204 || type === 'application/json' : ok
}

function readBody(response: Response, expected: Expected): unknown {
  if (response.status === 204) return null
  switch (expected) {
    case 'json':
      return response.json()
    case 'text':
      return response.text()
    case 'bytes':
      return response.bytes()
    case 'stream':
      return response.body
  }
}

/** A browser hides status and place. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304)
}

async function createRedirectProblem({
  status,
  headers,
  url,
  body,
}: Response): Promise<AnyProblem> {
  await body?.cancel()
  return {
    type: 'urn:rubicon:reason:ANSWER_REDIRECTED',
    title: 'what answers here sends the request elsewhere',
    status,
    code: 'ANSWER_REDIRECTED',
    detail: `it was not sent to ${toOrigin(headers.get('location'), url)}: what goes with it is for this address alone`,
    fix: 'give the address of the runtime itself, with https where it is served so',
  }
}

/** The origin and nothing behind it: that may hold what is nobody else's. */
function toOrigin(location: string | null, from: string): string {
  const place = location === null ? null : URL.parse(location, from)
  return place === null ? 'another address' : place.origin
}

function buildUnsendableProblem(unfit: string): AnyProblem {
  return {
    type: 'urn:rubicon:reason:REQUEST_UNSENDABLE',
    title: 'the request cannot be sent',
    status: 0,
    code: 'REQUEST_UNSENDABLE',
    detail: `it has ${unfit}`,
    fix: 'give the token alone, in one line, and the address without a password',
  }
}

function createUnreachableProblem(error: unknown): AnyProblem {
  return {
    type: 'urn:rubicon:reason:SERVER_UNREACHABLE',
    title: 'the runtime does not answer',
    status: 0,
    code: 'SERVER_UNREACHABLE',
    detail: `no answer came: ${describeCause(error)}`,
    fix: 'check the address and that the runtime is up, and ask again',
  }
}

/** `fetch failed` says nothing; beside it stands what failed, such as the address that refused. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof AggregateError && cause.errors.length > 0)
    return describeCause(cause.errors[0])
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}

function createUnreadableProblem(status: number, type: string): AnyProblem {
  return {
    type: 'urn:rubicon:reason:ANSWER_UNREADABLE',
    title: 'what answers here is not the runtime',
    status,
    code: 'ANSWER_UNREADABLE',
    detail: `the answer has status ${status} and is announced as \`${type}\``,
    fix: 'check the address; a proxy may have answered in its place',
  }
}
