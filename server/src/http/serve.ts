/**
 * The server of a runtime, in its process: `serve(runtime)`, and what `rubicon up` is.
 *
 * Boundary: it knows who may ask and where it listens. What is answered is the server's affair.
 */
import { assert, err, type Failure, ok, type Result } from 'rubicon-kernel'
import { type Runtime, unwrap } from 'rubicon-runtime/compose'
import { type OpenSocket, openSocket } from '../local-socket/open-socket.ts'
import { OpenId } from '../people/oidc.ts'
import { checkOidc, type OidcOptions, parsePrivateUrl } from '../people/oidc-options.ts'
import { createPeople, isIn, type KnownPerson } from '../people/people.ts'
import { getPeoplePath, openServerPeople, type TokenOptions } from '../people/server-people.ts'
import { createTokenKeeper } from '../people/token-keeper.ts'
import { findTakenPort } from './connections/listen-failure.ts'
import { type ProxyOptions, parseProxies } from './connections/proxies.ts'
import { type OpenedSource, openArtifactSource } from './lookups/artifacts/open-source.ts'
import type { SearchPlace } from './lookups/lookup.ts'
import { createLookups, getSearchPath, type LookupThread } from './lookups/lookup-thread.ts'
import { startServer, startSocketServer } from './server.ts'
import type { ServedMetrics, ServerParts, TenantParts } from './server-parts.ts'
import { NO_LIMIT } from './turns/rate-limit.ts'

/** Where a server listens, and who may come. */
export type ServeOptions = {
  /** RUBICON_PORT or 7420 when nobody says; 0: any that is free. */
  readonly port?: number
  /** What it is bound to; 127.0.0.1 when nobody says. */
  readonly host?: string
  /** It may be bound beyond this machine, in clear text. */
  readonly insecureHost?: boolean
  /** Whose token is made, if there is none yet. */
  readonly person?: TokenOptions
  /** What `/metrics` shows; see `createObservability`. */
  readonly metrics?: ServedMetrics
  /** Where people find it, if a proxy with TLS stands in front of it: `https://HOST`. */
  readonly publicUrl?: string
  /** The proxies in front of it, which say for whom they ask; without them nobody is believed. */
  readonly proxies?: ProxyOptions
  /** A provider that vouches for people, beside their tokens. */
  readonly oidc?: Omit<OidcOptions, 'tenant'>
  /** Tenants beside that of the runtime. */
  readonly others?: readonly ServedTenant[]
}

/** A tenant with a runtime of its own, on the same port. */
export type ServedTenant = {
  /** Its own, on a store of its own or the same. */
  readonly runtime: Runtime
  /** What `/metrics` shows of it. */
  readonly metrics?: ServedMetrics
}

/** A server that listens. */
export type Serving = {
  /** Where it listens. */
  readonly url: string
  /** Where the console is; with a token that was made now, whoever follows it is signed in. */
  readonly link: string
  /** Whose token it is. */
  readonly name: string
  /** The token, if it was made now: nobody sees it again. */
  readonly token: string | null
  /** Sends new requests away and waits for those under way. */
  close(): Promise<void>
}

const PORT = 7420
const LAST_PORT = 65_535
export const DEFAULT_HOST = '127.0.0.1'
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1', 'localhost']

/** Puts the runtime behind its server, with the console; it ends with the runtime. */
export async function serve(runtime: Runtime, options: ServeOptions = {}): Promise<Serving> {
  return serveWithGateway(runtime, options, {})
}

/** With the gateway of this process, which is that of the runtime's tenant. */
export async function serveWithGateway(
  runtime: Runtime,
  options: ServeOptions,
  gateway: Pick<TenantParts, 'mcp' | 'mcpLists'>,
): Promise<Serving> {
  await runtime.start()
  const serving = unwrap(await startServing(runtime, options, gateway))
  runtime.endWith(serving)
  return serving
}

async function startServing(
  runtime: Runtime,
  options: ServeOptions,
  gateway: Pick<TenantParts, 'mcp' | 'mcpLists'>,
): Promise<Result<Serving, Failure>> {
  const { port = getDefaultPort(), host = DEFAULT_HOST, person = {}, others = [] } = options
  const refused = checkPort(port) ?? checkHost(host, options)
  if (refused !== null) return err(refused)
  const tenants = [{ runtime, ...pickMetrics(options) }, ...others]
  const served = tenants.map((tenant) => tenant.runtime.place.tenant)
  const ways = parseBrowserOptions(options, runtime.place.tenant)
  if (!ways.ok) return ways
  const { random, sha256 } = runtime.engine.context
  // A token that is made for a server that cannot listen is seen by nobody, and the next start makes none.
  const taken = await findTakenPort(host, port)
  if (taken !== null) return err(taken)
  const place = getPeoplePath(runtime.place.stateDirectory)
  const keeper = openServerPeople(person, place, { random, sha256, served })
  if (!keeper.ok) return keeper
  const { people, name, made: token } = keeper.value
  const looked = await Promise.all(tenants.map((tenant) => openLookups(tenant.runtime)))
  const [alone, ...beside] = tenants.map((tenant, i) =>
    buildTenantParts(tenant, looked[i] ?? {}, people, served),
  )
  assert(alone !== undefined, 'there is a first tenant')
  const first = { ...alone, ...gateway }
  const { report } = runtime
  const kept = person.token === undefined ? null : name
  const tokens = createTokenKeeper(place, served, kept)
  const parts = { ...first, tokens, others: beside, host, report, ...ways.value }
  const started = await startServer(parts, port)
  if (!started.ok) return started
  const { url } = started.value
  const at = ways.value.publicUrl?.origin ?? url
  const sockets = await openSockets(tenants, [first, ...beside], { report, tokens }, at)
  const close = async (): Promise<void> => {
    await Promise.all([started.value, ...sockets].map((server) => server.close()))
    for (const { lookups, artifacts } of looked) {
      await lookups?.close()
      await artifacts?.close()
    }
  }
  // Browsers keep a fragment to themselves: no log has the token.
  const link = token === null ? url : `${url}/#token=${token}`
  return ok({ url, link, name, token, close })
}

/** One for each tenant, in its own state directory. */
async function openSockets(
  tenants: readonly ServedTenant[],
  parts: readonly TenantParts[],
  shared: Pick<ServerParts, 'report' | 'tokens'>,
  url: string,
): Promise<readonly OpenSocket[]> {
  const opened: OpenSocket[] = []
  for (const [i, own] of parts.entries()) {
    const runtime = tenants[i]?.runtime
    assert(runtime !== undefined, 'parts are made of tenants')
    const local = { ...own, ...shared, host: 'localhost', rate: NO_LIMIT }
    const socket = await openSocket(runtime, url, (path) => startSocketServer(local, path))
    if (socket !== null) opened.push(socket)
  }
  return opened
}

type OpenLookups = {
  readonly lookups?: LookupThread
  readonly artifacts?: OpenedSource
  readonly search?: SearchPlace
}

/** In a thread of their own; else here, where what artifacts consist of is read here, too. */
async function openLookups(runtime: Runtime): Promise<OpenLookups> {
  const lookups = createLookups(runtime)
  if (lookups !== null) {
    lookups.start()
    return { lookups }
  }
  const { artifacts, store, stateDirectory } = runtime.place
  const path = store === 'memory' ? null : getSearchPath(stateDirectory)
  const search = { path, isAlone: false }
  return artifacts === null
    ? { search }
    : { search, artifacts: await openArtifactSource(artifacts) }
}

function buildTenantParts(
  tenant: ServedTenant,
  looked: OpenLookups,
  people: () => readonly KnownPerson[],
  served: readonly string[],
): TenantParts {
  const { engine } = tenant.runtime
  const { sha256, tenant: name } = engine.context
  const listServedPeople = (): readonly KnownPerson[] =>
    people().filter((person) => isIn(person, name, served))
  return {
    engine,
    people: createPeople(listServedPeople, sha256),
    ...looked,
    ...pickMetrics(tenant),
  }
}

/** How browsers find the server, and who vouches for the people in front of them. */
function parseBrowserOptions(
  { publicUrl, oidc, proxies }: ServeOptions,
  tenant: string,
): Result<Pick<ServerParts, 'publicUrl' | 'oidc' | 'proxies'>, Failure> {
  const url = publicUrl === undefined ? undefined : parsePrivateUrl(publicUrl)
  if (url === null || (url !== undefined && url.href !== `${url.origin}/`))
    return err(createPublicUrlFailure(publicUrl ?? ''))
  const believed = parseProxies(proxies ?? { hops: 0 })
  if (!believed.ok) return believed
  const at = { proxies: believed.value, ...(url === undefined ? {} : { publicUrl: url }) }
  if (oidc === undefined) return ok(at)
  const checked = checkOidc({ tenant, ...oidc })
  return checked.ok ? ok({ ...at, oidc: new OpenId(checked.value) }) : checked
}

function createPublicUrlFailure(url: string): Failure {
  return {
    code: 'PUBLIC_URL',
    summary: `\`${url}\` is not a valid public address`,
    why: 'people send tokens and decisions there',
    fix: 'use https://HOST, without a path; http is for this machine only',
  }
}

function pickMetrics({ metrics }: Pick<ServedTenant, 'metrics'>): Pick<ServedTenant, 'metrics'> {
  return metrics === undefined ? {} : { metrics }
}

export function getDefaultPort(environment: NodeJS.ProcessEnv = process.env): number {
  return Number(environment.RUBICON_PORT ?? PORT)
}

/** Why nothing may listen there, or null. */
export function checkPort(port: number): Failure | null {
  if (Number.isInteger(port) && port >= 0 && port <= LAST_PORT) return null
  const fix = `use 0 to ${LAST_PORT}, in --port, RUBICON_PORT or serve({ port })`
  return { code: 'PORT_INVALID', summary: `\`${port}\` is not a valid port`, fix }
}

/** Why it may not be bound to that, or null. */
export function checkHost(
  host: string,
  { insecureHost = false }: Pick<ServeOptions, 'insecureHost'>,
): Failure | null {
  if (insecureHost || LOOPBACK.includes(host)) return null
  return {
    code: 'HOST_INSECURE',
    summary: `\`${host}\` can be reached from other machines`,
    why: 'tokens and decisions would travel in clear text',
    fix: 'put a proxy with TLS in front of 127.0.0.1, or say --insecure-host',
  }
}
