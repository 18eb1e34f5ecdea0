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
import type { AddressInfo } from 'node:net'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { assert, err, type Failure, LIMITS, ok, type Result } from 'rubicon-kernel'
import { runUrgently } from 'rubicon-runtime/ports'
import { DOUBLED, isAmbiguous } from './connections/ambiguous-headers.ts'
import { Connections } from './connections/connections.ts'
import { isOurHost } from './connections/host-check.ts'
import { listenFailure } from './connections/listen-failure.ts'
import { NO_PROXIES, type Proxies, resolveClientAddress } from './connections/proxies.ts'
import { OpenStreams } from './events/open-streams.ts'
import { getAskerName, isOfPerson, pickAgentId } from './gate/asker.ts'
import type { AdmittedRequest, Passed } from './gate/incoming-request.ts'
import { getBodyBytes, readRequest } from './gate/read-request.ts'
import { handleClientError } from './problems/client-error.ts'
import { DraftEnded } from './problems/draft-ended.ts'
import { buildHttpProblem, convertThrown } from './problems/problem.ts'
import { NoRoute } from './replies/no-route.ts'
import { addApiHeaders, findTransportProblem, sendReply } from './replies/send-reply.ts'
import { loadOwnStaticFiles } from './replies/static-files.ts'
import type { Reply, Route, RouteRequest } from './schemas/route.ts'
import type { ServerParts } from './server-parts.ts'
import { type TenantServer, Tenants } from './tenants.ts'
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
  assert(parts.local === undefined, 'no port is for local operators')
  const { host } = parts
  const started = await startListening(parts, { host, port }, (error) =>
    listenFailure(error, host, port),
  )
  if (!started.ok) return started
  const { address, close } = started.value
  const bound = typeof address === 'object' ? (address?.port ?? port) : port
  const shown = host.includes(':') ? `[${host}]` : host
  return ok({ url: `http://${shown}:${bound}`, port: bound, close })
}

/** The same routes on a Unix socket: whoever can open it is the local operator. */
export async function startSocketServer(
  parts: ServerParts,
  path: string,
): Promise<Result<Pick<RunningServer, 'close'>, Failure>> {
  return startListening({ ...parts, local: 'socket' }, { path }, (error) => ({
    code: 'SOCKET_FAILED',
    summary: `the socket \`${path}\` cannot be opened`,
    why: error instanceof Error ? error.message : String(error),
  }))
}

type ListenPlace = { readonly host: string; readonly port: number } | { readonly path: string }

type Listening = Pick<RunningServer, 'close'> & { readonly address: AddressInfo | string | null }

async function startListening(
  parts: ServerParts,
  place: ListenPlace,
  toFailure: (error: unknown) => Failure,
): Promise<Result<Listening, Failure>> {
  // Before anything is asked: a build that comes later is for the next process. Whoever asks without a port asks for none.
  loadOwnStaticFiles()
  const tenants = new Tenants(parts)
  const streams = new OpenStreams()
  const begun = new BegunWork()
  const app = createApp(parts, tenants, streams, begun)
  try {
    await app.listen({ ...place, backlog: LIMITS.connections })
  } catch (error) {
    await app.close()
    return err(toFailure(error))
  }
  return ok({
    address: app.server.address(),
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
    isUnix: parts.local === 'socket',
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
    frameworkErrors: (_error, _request, reply) =>
      sendReply(reply, buildHttpProblem('REQUEST_INVALID')),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.addHook('preClose', async () => connections.stop())
  const noRoute = new NoRoute(tenants.first.routes.map(({ route }) => route))
  // Before anything of a body is read.
  app.addHook('onRequest', async (request, reply) => {
    const { method, url, headers, raw } = request
    if (isAmbiguous(raw.rawHeaders))
      return sendReply(reply, buildHttpProblem('REQUEST_INVALID', DOUBLED))
    if (!request.is404) return
    if (!isOurHost(headers.host, parts)) return sendReply(reply, buildHttpProblem('HOST_REFUSED'))
    return sendReply(reply, noRoute.answer(method, url, headers))
  })
  app.setNotFoundHandler((_, reply) => sendReply(reply, buildHttpProblem('ROUTE_UNKNOWN')))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = findTransportProblem(error) ?? convertThrown(error)
    parts.onThrown?.(error)
    if (problem.status >= 500 && !(error instanceof DraftEnded))
      parts.report(`rubicon: ${request.method} ${stripQuery(request)} failed: ${error.stack}`)
    return sendReply(reply, problem)
  })
  const large = new LargeRequests(parts.engine.context.clock)
  const turns = new RequestTurns(parts.engine.context.clock)
  for (const [i, { route }] of tenants.first.routes.entries())
    mount(app, { tenants, streams, begun, proxies, large, turns }, route, i)
  return app
}

/** What local operators are counted under: a Unix socket has no addresses. */
const THIS_MACHINE = 'local'

/** Who asks, and of which tenant; from the gate to the handler. */
const asking = new WeakMap<
  FastifyRequest,
  AdmittedRequest &
    Pick<RouteRequest, 'came'> & { readonly tenant: TenantServer; readonly address: string }
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
      const isLocal = tenants.first.parts.local !== undefined
      const forwarded = headers['x-forwarded-for']
      const address = isLocal ? THIS_MACHINE : resolveClientAddress(ip, forwarded, proxies)
      const incoming = { headers, address, target, peer: isLocal ? null : ip }
      const tenant = tenants.findTenant(headers)
      if (tenant === null) return sendReply(reply, tenants.first.gate.refuseUnknownTenant(incoming))
      const came = tenant.parts.engine.calls.readCame()
      const pass = (): Promise<Passed> => tenant.gate.pass(route, incoming)
      const isUrgent = route.stops === true && isOfPerson(tenant.parts, headers)
      const passed = await begun.track(isUrgent ? runUrgently(pass) : pass())
      if ('refusal' in passed) {
        tenant.refusals.tell(passed.refusal, { route, address, ...pickAgentId(passed.principal) })
        return sendReply(reply, passed.refusal)
      }
      // Whoever has hung up by now is not answered.
      if (reply.raw.destroyed) return abandonReply(reply, passed.place)
      reply.raw.on('close', passed.place.hold())
      asking.set(request, { ...passed, tenant, address, came })
    },
    async handler(request, reply) {
      const admitted = asking.get(request)
      const prepared = admitted?.tenant.routes[index]
      assert(admitted !== undefined && prepared !== undefined, 'who is handled passed the gate')
      const answered = admitted.place.hold()
      try {
        const { tenant, address, principal } = admitted
        const isGone = (): boolean => reply.raw.destroyed
        const asker = getAskerName(tenant.parts, principal, address)
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
            read: () => readRequest(tenant.parts, prepared, admitted, request, isGone),
          })
        const answer = await begun.track(stops ? runUrgently(handle) : handle())
        if (answer === null) return reply.hijack()
        tenant.refusals.tell(answer, { route, address, ...pickAgentId(principal) })
        if (answer.opened !== undefined) tenant.gate.remember(address, answer.opened)
        if (answer.stream === undefined) return sendReply(reply, answer)
        // What goes on has limits of its own.
        admitted.place.leave()
        return streams.take(reply, addApiHeaders(answer), answer.stream)
      } finally {
        answered()
      }
    },
  })
}

function abandonReply(reply: FastifyReply, place: RequestSlot): FastifyReply {
  place.leave()
  return reply.hijack()
}

/** Without the query: what a browser brings back from a provider stands there. */
function stripQuery({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? ''
}
