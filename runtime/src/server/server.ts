/**
 * The server: from a request to the engine and back. It reads, hands over and renders; it decides
 * nothing. Bodies are read by the kernel's parser and by no other.
 *
 * W1 nothing of a body is read before it is known who asks and that they may.
 * W2 a request that was taken is answered, also while the server stops; then the engine is let go.
 * W3 no answer names what went wrong inside: that is for the log.
 */
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { err, type Failure, LIMITS, ok, type Result } from 'rubicon-kernel'
import type { Engine } from '../engine/engine.ts'
import { clientError } from './client-error.ts'
import { Gate } from './gate.ts'
import type { People } from './people.ts'
import { type Prepared, prepareRoute } from './prepare-route.ts'
import type { Principal } from './principal.ts'
import { httpProblem, refused, thrownProblem } from './problem.ts'
import type { Rate } from './rate-limit.ts'
import { readRequest } from './read-request.ts'
import type { Reply } from './route.ts'
import { allRoutes } from './routes/all.ts'

export type ServerParts = {
  readonly engine: Engine
  readonly people: People
  /** What it is bound to. */
  readonly host: string
  readonly metrics?: Metrics
  /** Where the runtime says what went wrong inside. */
  readonly report: (line: string) => void
  readonly rate?: Rate
  readonly strangers?: Rate
}

export type Metrics = { readonly contentType: string; render(): Promise<string> }

export type RunningServer = {
  readonly url: string
  readonly port: number
  /** Sends new requests away and waits for those under way. */
  close(): Promise<void>
}

const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** `port` 0: any that is free. */
export async function startServer(
  parts: ServerParts,
  port: number,
): Promise<Result<RunningServer, Failure>> {
  const gate = new Gate(parts)
  const app = createApp(parts, gate)
  const { host } = parts
  try {
    await app.listen({ host, port })
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
      gate.stop()
      // Whoever does not let go in time is cut off; what they asked for is settled all the same.
      const cut = setTimeout(() => app.server.closeAllConnections(), LIMITS.drainMs)
      await app.close()
      clearTimeout(cut)
    },
  })
}

function createApp(parts: ServerParts, gate: Gate): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: LIMITS.json.bytes,
    requestTimeout: LIMITS.requestMs,
    routerOptions: { maxParamLength: 512 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: clientError,
    frameworkErrors: (_error, _request, reply) => send(reply, httpProblem('REQUEST_INVALID')),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.setNotFoundHandler((_request, reply) => send(reply, httpProblem('ROUTE_UNKNOWN')))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = transportProblem(error) ?? thrownProblem(error)
    if (problem.status >= 500)
      parts.report(`rubicon: ${request.method} ${request.url} failed: ${error.stack}`)
    return send(reply, problem)
  })
  app.server.maxConnections = LIMITS.connections
  for (const route of allRoutes(parts)) mount(app, parts, gate, prepareRoute(route))
  return app
}

/** Who asks, from the gate to the handler. */
const asking = new WeakMap<FastifyRequest, Principal>()

function mount(app: FastifyInstance, parts: ServerParts, gate: Gate, prepared: Prepared): void {
  const { route } = prepared
  app.route({
    method: route.method,
    url: route.path,
    async onRequest(request, reply) {
      const { host, authorization } = request.headers
      const passed = await gate.pass(route, { host, authorization, address: request.ip })
      if ('refusal' in passed) return send(reply, passed.refusal)
      asking.set(request, passed.principal)
    },
    async handler(request, reply) {
      const principal = asking.get(request) ?? { kind: 'stranger' }
      return send(reply, await readRequest(parts, prepared, principal, request))
    },
  })
}

function send(reply: FastifyReply, { status, body, headers = {} }: Reply): FastifyReply {
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  return reply
    .code(status)
    .headers({ ...HEADERS, 'content-type': type, ...headers })
    .send(isText ? body : JSON.stringify(body))
}

/** What went wrong before the body was read whole. */
function transportProblem({ code, statusCode = 500 }: FastifyError): Reply | null {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return refused({
      code: 'BODY_TOO_LARGE',
      summary: `the body has more than ${LIMITS.json.bytes} bytes`,
    })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return httpProblem('CONTENT_TYPE')
  return statusCode < 500 ? httpProblem('REQUEST_INVALID') : null
}

function listenFailure(error: unknown, host: string, port: number): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'LISTEN'
  if (code === 'EADDRINUSE')
    return {
      code: 'PORT_BUSY',
      summary: `port ${port} of ${host} is taken`,
      why: 'another process listens there; it may be a runtime that was started before',
      fix: 'stop it, or use another: --port N',
    }
  const why = error instanceof Error ? error.message : String(error)
  return {
    code,
    summary: `nothing can listen on ${host}:${port}`,
    why,
    fix: 'check --host, --port',
  }
}
