/**
 * The routes of a server in this process, asked without a socket: what a verb says where nobody named a server.
 *
 * Whoever asks opened the store and its keys, and is the local operator (`LocalOperator`), by a token that lives as
 * long as this does and that nobody else is told.
 *
 * Boundary: it starts nothing by itself, and lets go of nothing that it was given.
 */
import { Readable } from 'node:stream'
import type { ClientOptions } from 'rubicon-agents'
import { type Client, createClient } from 'rubicon-agents/client'
import type { Engine } from 'rubicon-runtime/engine'
import { createInjectedServer, type InjectedServer } from '../http/server.ts'
import { mintToken } from '../people/people.ts'
import { PERSON_ROLES, type Person } from '../people/principal.ts'

/** Any that the server takes for its own. */
const ADDRESS = 'http://localhost'
/** Who it is when nobody is named. */
const OPERATOR = 'operator'
/** One caller, who waits for each answer, is kept from nothing. */
const NO_LIMIT = { perSecond: Number.MAX_SAFE_INTEGER, atOnce: Number.MAX_SAFE_INTEGER }

export type LocalServer = {
  readonly client: Client
  /** For whoever asks it by other means than the client. */
  readonly asks: ClientOptions
  /** What was thrown inside, as it was: from whoever holds the machine nothing is hidden. Null: nothing. */
  getThrown(): unknown
  close(): Promise<void>
}

/** `by`: whose word it is, on the word of whoever asks. */
export function createLocalServer(engine: Engine, by: string | undefined): LocalServer {
  const token = mintToken(engine.context.random)
  const operator: Person = {
    kind: 'person',
    name: by ?? OPERATOR,
    roles: PERSON_ROLES,
    local: by === undefined ? 'unnamed' : 'named',
  }
  let thrown: unknown = null
  const server = createInjectedServer({
    engine,
    people: { find: (presented) => (presented === token ? operator : null), named: () => null },
    host: 'localhost',
    report: () => {},
    onThrown: (error) => {
      thrown = error
    },
    draftsHere: true,
    rate: NO_LIMIT,
  })
  const asks: ClientOptions = {
    url: ADDRESS,
    fetch: toFetch(server),
    headers: () => ({ authorization: `Bearer ${token}` }),
  }
  return {
    client: createClient(asks),
    asks,
    getThrown: () => thrown,
    close: () => server.close(),
  }
}

/** Statuses that a response has no body with. */
const EMPTY: readonly number[] = [204, 304]

function toFetch(server: InjectedServer): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search } = new URL(String(input))
    const reply = await server.inject({
      method: parseMethod(init.method),
      url: `${pathname}${search}`,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === 'string' ? { payload: init.body } : {}),
      ...(init.signal == null ? {} : { signal: init.signal }),
      // An answer that goes on is read while it does.
      payloadAsStream: true,
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(reply.headers))
      if (value !== undefined) headers.set(name, String(value))
    const body = EMPTY.includes(reply.statusCode) ? null : Readable.toWeb(reply.stream())
    return new Response(body, { status: reply.statusCode, headers })
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** As the generated client writes it. */
function parseMethod(text = 'GET'): Method {
  return text as Method
}
