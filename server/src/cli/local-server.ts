/**
 * The routes of a server in this process, asked without a socket: what a verb says where nobody named a server.
 *
 * Whoever asks opened the store and its keys, and is the local operator (`LocalOperator`).
 *
 * Boundary: it starts nothing by itself, and lets go of nothing that it was given.
 */
import { existsSync } from 'node:fs'
import type { ClientOptions } from 'rubicon-agents'
import { type Client, createClient } from 'rubicon-agents/client'
import type { Engine } from 'rubicon-runtime/engine'
import { getSearchPath } from '../http/lookups/lookup-thread.ts'
import { createInjectedServer, type InjectedServer } from '../http/server.ts'
import { NO_LIMIT } from '../http/turns/rate-limit.ts'
import { buildResponse } from '../local-socket/build-response.ts'
import { formatOperatorHeader } from '../people/local-operator.ts'

/** Any that the server takes for its own. */
const ADDRESS = 'http://localhost'

export type LocalServer = {
  readonly client: Client
  /** For whoever asks it by other means than the client. */
  readonly asks: ClientOptions
  /** What was thrown inside, as it was: from whoever holds the machine nothing is hidden. Null: nothing. */
  getThrown(): unknown
  close(): Promise<void>
}

/**
 * `by`: whose word it is, on the word of whoever asks. `state`: the folder where a server has left its search index, perhaps; what
 * is erased here leaves it, too. Whoever only reads gives none: a server may want the file meanwhile.
 */
export function createLocalServer(
  engine: Engine,
  by: string | undefined,
  state?: string,
): LocalServer {
  const search = state === undefined ? null : getSearchPath(state)
  let thrown: unknown = null
  const server = createInjectedServer({
    engine,
    people: { find: () => null, named: () => null, list: () => [] },
    host: 'localhost',
    local: 'process',
    report: () => {},
    onThrown: (error) => {
      thrown = error
    },
    draftsHere: true,
    ...(search !== null && existsSync(search) ? { search: { path: search, isAlone: false } } : {}),
    rate: NO_LIMIT,
  })
  const asks: ClientOptions = {
    url: ADDRESS,
    fetch: toFetch(server),
    headers: () => formatOperatorHeader(by),
  }
  return {
    client: createClient(asks),
    asks,
    getThrown: () => thrown,
    close: () => server.close(),
  }
}

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
    const { statusCode: status, headers } = reply
    return buildResponse({ status, headers, body: reply.stream() })
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** As the generated client writes it. */
function parseMethod(text = 'GET'): Method {
  return text as Method
}
