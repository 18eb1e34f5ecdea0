/**
 * The server: from a request to the engine and back. It reads, hands over and renders; it decides
 * nothing. Bodies are read by the kernel's parser and by no other.
 *
 * W1 nothing of a body is read before it is known who asks and that they may.
 * W2 a request that was taken is answered, also while the server stops; then the engine is let go. What somebody asked for who
 *    has hung up is waited for as well: it is done with the engine.
 * W3 no answer names what went wrong inside: that is for the log.
 */

import { createServer, type RequestListener } from 'node:http'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { assert, err, type Failure, LIMITS, ok, type Result } from 'rubicon-kernel'
import { runUrgently } from 'rubicon-runtime/ports'
import { getPrincipalName, type Principal } from '../people/principal.ts'
import { DOUBLED, isAmbiguous } from './connections/ambiguous-headers.ts'
import { Connections } from './connections/connections.ts'
import { API_HEADERS } from './connections/headers.ts'
import { isOurHost } from './connections/host-check.ts'
import { listenFailure } from './connections/listen-failure.ts'
import { NO_PROXIES, type Proxies, resolveClientAddress } from './connections/proxies.ts'
import { Elsewhere } from './elsewhere.ts'
import { OpenStreams } from './events/open-streams.ts'
import { getCredential, isOfAgent } from './gate/authenticate.ts'
import type { AdmittedRequest, Passed } from './gate/gate.ts'
import { getBodyBytes, readRequest } from './gate/read-request.ts'
import { handleClientError } from './problems/client-error.ts'
import { DraftEnded } from './problems/draft-ended.ts'
import { buildHttpProblem, convertThrown, toProblemReply } from './problems/problem.ts'
import { JSON_TYPE, type Reply, type Route } from './schemas/route.ts'
import type { ServerParts } from './server-parts.ts'
import { type Door, Tenants } from './tenants.ts'
import { BegunWork } from './turns/begun-work.ts'
import { handleRequest } from './turns/handle-request.ts'
import { LargeRequests } from './turns/large-requests.ts'
import { RequestTurns } from './turns/request-turns.ts'
import type { RequestSlot } from './turns/under-way.ts'

export type RunningServer = {
  readonly url: string
  readonly port: number
  /** Sends new requests away and waits for those under way. */
  close(): Promise<void>
}

/** `port` 0: any that is free. */
export async function startServer(
  parts: ServerParts,
  port: number,
): Promise<Result<RunningServer, Failure>> {
  const tenants = new Tenants(parts)
  const streams = new OpenStreams()
  const begun = new BegunWork()
  const app = createApp(parts, tenants, streams, begun)
  const { host } = parts
  try {
    await app.listen({ host, port, backlog: LIMITS.connections })
  } catch (error) {
    await app.close()
    return err(listenFailure(error, host, port))
  }
  const address = app.server.address()
  const bound = typeof address === 'object' ? (address?.port ?? port) : port
  const shown = host.includes(':') ? `[${host}]` : host
  return ok({
    url: `http://${shown}:${bound}`,
    port: bound,
    async close() {
      tenants.stop()
      streams.stop()
      // A connection that has had its last answer is not waited for.
      app.server.keepAliveTimeout = 1
      // Whoever does not let go in time is cut off; what they asked for is settled all the same.
      const { promise: isLate, resolve: giveUp } = Promise.withResolvers<void>()
      const cut = setTimeout(() => {
        app.server.closeAllConnections()
        giveUp()
      }, LIMITS.drainMs)
      await app.close()
      await Promise.race([begun.awaitEnd(), isLate])
      clearTimeout(cut)
    },
  })
}

/** The same routes without a port: whoever asks is in this process. */
export type InjectedServer = Pick<FastifyInstance, 'inject' | 'close'>

export function createInjectedServer(parts: ServerParts): InjectedServer {
  return createApp(parts, new Tenants(parts), new OpenStreams(), new BegunWork())
}

const TIMES = {
  requestTimeout: LIMITS.requestMs,
  headersTimeout: LIMITS.requestHeadMs,
  keepAliveTimeout: LIMITS.keepAliveMs,
  connectionsCheckingInterval: LIMITS.requestLookMs,
} as const

function createApp(
  parts: ServerParts,
  tenants: Tenants,
  streams: OpenStreams,
  begun: BegunWork,
): FastifyInstance {
  const { proxies = NO_PROXIES } = parts
  const limits = {
    most: parts.connections ?? LIMITS.connections,
    each: parts.connectionsEach ?? LIMITS.connectionsEach,
    pipelined: LIMITS.requestsPipelined,
    pipelinedMs: LIMITS.pipelinedShutMs,
    remembered: LIMITS.principalsRemembered,
    stallMs: LIMITS.answerStallMs,
    isProxy: proxies.isProxy,
  }
  const connections = new Connections(limits, parts.engine.context.clock)
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.json.bytes,
    serverFactory: (answer) => {
      const begin: RequestListener = (request, response) =>
        connections.begin(request, response, () => answer(request, response))
      const server = createServer(TIMES, begin)
      // To these the library would answer by itself, to all of a connection at once.
      server.on('checkExpectation', begin)
      connections.watch(server)
      return server
    },
    routerOptions: { maxParamLength: 512 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    frameworkErrors: (_error, _request, reply) => send(reply, buildHttpProblem('REQUEST_INVALID')),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  const elsewhere = new Elsewhere(tenants.first.routes.map(({ route }) => route))
  // Before anything of a body is read.
  app.addHook('onRequest', async (request, reply) => {
    const { method, url, headers, raw } = request
    if (isAmbiguous(raw.rawHeaders))
      return send(reply, buildHttpProblem('REQUEST_INVALID', DOUBLED))
    if (!request.is404) return
    if (!isOurHost(headers.host, parts)) return send(reply, buildHttpProblem('HOST_REFUSED'))
    return send(reply, elsewhere.answer(method, url, headers))
  })
  app.setNotFoundHandler((_, reply) => send(reply, buildHttpProblem('ROUTE_UNKNOWN')))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = findTransportProblem(error) ?? convertThrown(error)
    parts.onThrown?.(error)
    if (problem.status >= 500 && !(error instanceof DraftEnded))
      parts.report(`rubicon: ${request.method} ${stripQuery(request)} failed: ${error.stack}`)
    return send(reply, problem)
  })
  const large = new LargeRequests(parts.engine.context.clock)
  const turns = new RequestTurns(parts.engine.context.clock)
  for (const [i, { route }] of tenants.first.routes.entries())
    mount(app, { tenants, streams, begun, proxies, large, turns }, route, i)
  return app
}

/** Who asks, and through which door; from the gate to the handler. */
const asking = new WeakMap<
  FastifyRequest,
  AdmittedRequest & { readonly door: Door; readonly address: string }
>()

type Shared = {
  readonly tenants: Tenants
  readonly streams: OpenStreams
  readonly begun: BegunWork
  readonly proxies: Proxies
  readonly large: LargeRequests
  readonly turns: RequestTurns
}

function mount(
  app: FastifyInstance,
  { tenants, streams, begun, proxies, large, turns }: Shared,
  route: Route,
  index: number,
): void {
  app.route({
    method: route.method,
    url: route.path,
    async onRequest(request, reply) {
      const { headers, ip, originalUrl: target } = request
      const address = resolveClientAddress(ip, headers['x-forwarded-for'], proxies)
      const knock = { headers, address, target }
      const door = tenants.findDoor(headers)
      if (door === null) return send(reply, tenants.first.gate.refuseUnknownTenant(knock))
      const pass = (): Promise<Passed> => door.gate.pass(route, knock)
      const isUrgent = route.stops === true && isOfPerson(door, headers)
      const passed = await begun.track(isUrgent ? runUrgently(pass) : pass())
      if ('refusal' in passed) {
        door.refusals.tell(passed.refusal, { route, address, ...pickAgentId(passed.principal) })
        return send(reply, passed.refusal)
      }
      // Whoever has hung up by now is not answered.
      if (reply.raw.destroyed) return abandonReply(reply, passed.place)
      reply.raw.on('close', passed.place.hold())
      asking.set(request, { ...passed, door, address })
    },
    async handler(request, reply) {
      const admitted = asking.get(request)
      const prepared = admitted?.door.routes[index]
      assert(admitted !== undefined && prepared !== undefined, 'who is handled passed the gate')
      const answered = admitted.place.hold()
      try {
        const { door, address, principal } = admitted
        const isGone = (): boolean => reply.raw.destroyed
        const asker = getAskerName(door, principal, address)
        // What a person stops waits for nothing. An agent that asks to retire itself waits as with anything else.
        const stops = route.stops === true && principal.kind === 'person'
        // Whoever hangs up in line has asked for nothing. What ends authority is done all the same.
        if (!stops && !(await turns.wait(asker, isGone))) return reply.hijack()
        const handle = (): Promise<Reply | null> =>
          handleRequest(large, {
            route: { ...route, stops },
            asker,
            bytes: getBodyBytes(request),
            isGone,
            read: () => readRequest(door.parts, prepared, admitted, request, isGone),
          })
        const answer = await begun.track(stops ? runUrgently(handle) : handle())
        if (answer === null) return reply.hijack()
        door.refusals.tell(answer, { route, address, ...pickAgentId(principal) })
        if (answer.opened !== undefined) door.gate.remember(address, answer.opened)
        if (answer.stream === undefined) return send(reply, answer)
        // What goes on has limits of its own.
        admitted.place.leave()
        return streams.take(reply, addApiHeaders(answer), answer.stream)
      } finally {
        answered()
      }
    },
  })
}

/** By what is presented, before anything is looked up: neither an agent nor nobody is in a hurry to stop somebody. */
function isOfPerson({ parts }: Door, headers: FastifyRequest['headers']): boolean {
  const shown = getCredential(parts, headers)
  return shown !== null && !isOfAgent(shown)
}

function getAskerName({ parts }: Door, principal: Principal, address: string): string {
  const name = principal.kind === 'stranger' ? address : getPrincipalName(principal)
  return `${parts.engine.context.tenant}/${name}`
}

function pickAgentId(principal: Principal | undefined): { readonly agent_id?: string } {
  return principal?.kind === 'agent' ? { agent_id: principal.agent_id } : {}
}

function abandonReply(reply: FastifyReply, place: RequestSlot): FastifyReply {
  place.leave()
  return reply.hijack()
}

function addApiHeaders(reply: Reply): Reply {
  return { ...reply, headers: { ...API_HEADERS, ...reply.headers } }
}

function send(reply: FastifyReply, answer: Reply): FastifyReply {
  const { status, body, headers = {}, cookies = [] } = answer
  if (cookies.length > 0) reply.header('set-cookie', [...cookies])
  return reply
    .code(status)
    .headers({ ...API_HEADERS, 'content-type': getContentType(body), ...headers })
    .send(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
}

function getContentType(body: Reply['body']): string {
  if (typeof body === 'string') return 'text/plain; charset=utf-8'
  return body instanceof Uint8Array ? 'application/octet-stream' : JSON_TYPE['content-type']
}

/** Without the query: what a browser brings back from a provider stands there. */
function stripQuery({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? ''
}

/** What went wrong before the body was read whole. */
function findTransportProblem({ code, statusCode = 500 }: FastifyError): Reply | null {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return toProblemReply({
      code: 'BODY_TOO_LARGE',
      summary: `the body has more than ${LIMITS.json.bytes} bytes`,
    })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return buildHttpProblem('CONTENT_TYPE')
  return statusCode < 500 ? buildHttpProblem('REQUEST_INVALID') : null
}
