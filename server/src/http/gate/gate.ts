/**
 * What stands before every route of a tenant, in this order: was the request meant for us, are we still
 * here, does a page of ours send it, who is it, is it really them, do they not ask too often, may they,
 * and do they not wait for too much already.
 * Nothing of the body has been read by then.
 *
 * G1 what a request costs before it is proven is charged to its address; the budget of a principal is
 *    spent by its own requests only. A token that is dead, or without its key, spends nobody's.
 * G2 for whom a bucket is empty nothing is looked up. Requests of one token at one address that are being
 *    proven count as if they were charged: no more are proven than the bucket holds. A session that has
 *    ended is known no more.
 * G3 what ends authority has a bucket and places of its own: nothing that somebody asks for keeps them
 *    from stopping an agent.
 * G4 what a browser was made to send is charged to its address, in a bucket of its own: it takes nothing from
 *    whoever signs in there, nor from agents, nor from whom the browser is signed in as. When that is empty, no
 *    session is looked up for such requests.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { LIMITS } from 'rubicon-kernel'
import { Recent } from 'rubicon-runtime/recent'
import {
  checkCsrf,
  checkOrigin,
  checkUnknownCookie,
  deriveCsrfWord,
  isFromElsewhere,
  isUnsafe,
} from '../../people/csrf.ts'
import { formatAgentName, getPrincipalName, type Principal } from '../../people/principal.ts'
import { checkRole } from '../../people/role-problem.ts'
import { isComingBack } from '../../people/sign-in-cookie.ts'
import { ProofCheck } from '../agent-auth/prove-agent.ts'
import { UnderProof } from '../agent-auth/under-proof.ts'
import { isOurHost } from '../connections/host-check.ts'
import { isProtectedWay } from '../connections/protected-way.ts'
import { buildHttpProblem, type HttpCode } from '../problems/problem.ts'
import type { OpenedAgentSession, Reply, Route } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'
import { RateLimit } from '../turns/rate-limit.ts'
import { RequestSlot, UnderWay } from '../turns/under-way.ts'
import { authenticate, getCredential, isOfAgent, toCredential } from './authenticate.ts'
import {
  type IncomingRequest,
  type Passed,
  type Proven,
  type Refusal,
  toRefusal,
} from './incoming-request.ts'

type Shown = {
  /** Under which it is counted while it is proven. */
  readonly key: string
  /** As it came. */
  readonly shown: string | null
  /** Whose it was proven to be before, at this address. */
  readonly known: string | undefined
}

const UNAUTHORIZED = 401

export class Gate {
  readonly #parts: ServerParts
  readonly #principals: RateLimit
  readonly #stops: RateLimit
  readonly #strangers: RateLimit
  /** Apart from those who sign in: an agent that goes on with a dead token locks nobody out. */
  readonly #guesses: RateLimit
  /** Cookies that are nobody's, apart from tokens: such an agent locks nobody out who has signed in before either. */
  readonly #cookieGuesses: RateLimit
  /** What no page of ours asks for. */
  readonly #forgeries: RateLimit
  /** Whose a token or a cookie was proven to be, by address. */
  readonly #known = new Recent<string>(LIMITS.principalsRemembered)
  readonly #proofs: ProofCheck
  /** Looked up and proven, and only proven. */
  readonly #entered = new UnderProof()
  readonly #underProof = new UnderProof()
  readonly #underWay: UnderWay
  readonly #stopsUnderWay: UnderWay
  #stopping = false

  constructor(parts: ServerParts) {
    const { clock } = parts.engine.context
    const { requestsPerSecond, requestsAtOnce, strangersPerSecond, strangersAtOnce } = LIMITS
    const most = LIMITS.principalsRemembered
    const usual = { perSecond: requestsPerSecond, atOnce: requestsAtOnce }
    const strange = { perSecond: strangersPerSecond, atOnce: strangersAtOnce }
    this.#parts = parts
    this.#proofs = new ProofCheck(parts.engine.context)
    this.#underWay = new UnderWay(parts.underWay ?? LIMITS.requestsUnderWay)
    this.#stopsUnderWay = new UnderWay(LIMITS.requestsUnderWay)
    this.#principals = new RateLimit(parts.rate ?? usual, most, clock)
    const stops = { perSecond: LIMITS.stopsPerSecond, atOnce: LIMITS.stopsAtOnce }
    this.#stops = new RateLimit(stops, most, clock)
    this.#strangers = new RateLimit(parts.strangers ?? strange, most, clock)
    this.#guesses = new RateLimit(parts.strangers ?? strange, most, clock)
    this.#cookieGuesses = new RateLimit(parts.strangers ?? strange, most, clock)
    this.#forgeries = new RateLimit(parts.strangers ?? strange, most, clock)
  }

  /** Whoever opened a session proved whose it is: at its address nobody else's guesses are in its way. */
  remember(address: string, { agent_id, token }: OpenedAgentSession): void {
    this.#known.set(`${address} ${toCredential(token)}`, formatAgentName(agent_id))
  }

  /** From now on everybody is sent away. */
  stop(): void {
    this.#stopping = true
  }

  /** Whoever asks for a tenant that is not there. */
  refuseUnknownTenant({ headers, address }: IncomingRequest): Reply {
    const code = this.#findClosedCode(headers) ?? 'TENANT_UNKNOWN'
    return buildHttpProblem(this.#strangers.take(address) ? code : 'RATE_LIMITED')
  }

  async pass(route: Route, incoming: IncomingRequest): Promise<Passed> {
    const { publicUrl } = this.#parts
    const { headers, address } = incoming
    const closed = this.#findClosedCode(headers)
    if (closed !== null) return toRefusal(closed)
    const foreign = isUnsafe(route.method) ? checkOrigin(headers, publicUrl) : null
    if (foreign !== null) return this.#refuseForgery(address, foreign)
    if (route.roles === 'anyone') return this.#admitStranger(route, incoming)
    const shown = getCredential(this.#parts, headers)
    const before = shown === null ? undefined : this.#known.get(`${address} ${shown}`)
    const key = `${route.stops === true} ${address} ${shown}`
    const presenting = { key, shown, known: before }
    if (this.#isSpent(route, incoming, presenting)) return toRefusal('RATE_LIMITED')
    const proven = await this.#authenticateRequest(route, incoming, presenting)
    if ('refusal' in proven) return proven
    const { principal } = proven
    if (shown !== null && before === undefined)
      this.#known.set(`${address} ${shown}`, getPrincipalName(principal))
    const missing = checkRole(principal, route)
    if (missing !== null) return { refusal: missing, principal }
    if (principal.kind === 'mcp' && !isProtectedWay(incoming.peer, this.#parts))
      return { ...toRefusal('TLS_REQUIRED'), principal }
    return this.#assignPlace(proven, route)
  }

  /** Who it is, proven, and charged to them: from here to there it is counted as under way. */
  async #authenticateRequest(
    route: Route,
    incoming: IncomingRequest,
    { key, shown }: Shown,
  ): Promise<Proven | Refusal> {
    this.#entered.enter(key)
    try {
      const { headers, address } = incoming
      const known = await authenticate(this.#parts, headers)
      if (!known.ok) {
        // What has ended is a guess like any other. Where nobody can say, it may go on in a moment.
        if (known.error.status === UNAUTHORIZED) this.#known.forget(`${address} ${shown}`)
        return this.#refuseUnproven(incoming, known.error)
      }
      const { publicUrl } = this.#parts
      const forged = checkCsrf(route.method, known.value, headers, publicUrl)
      if (forged !== null) return this.#refuseForgery(address, forged)
      return await this.#chargePrincipal(known.value, route, incoming, key)
    } finally {
      this.#entered.leave(key)
    }
  }

  async #chargePrincipal(
    principal: Principal,
    route: Route,
    incoming: IncomingRequest,
    key: string,
  ): Promise<Proven | Refusal> {
    const bucket = this.#selectBucket(route)
    const name = getPrincipalName(principal)
    if (bucket.isEmpty(name, this.#underProof.count(key))) return toRefusal('RATE_LIMITED')
    this.#underProof.enter(key)
    try {
      const proven = await this.#proveRequest(principal, route, incoming)
      if ('refusal' in proven) return this.#refuseUnproven(incoming, proven.refusal)
      return bucket.take(name) ? proven : { ...toRefusal('RATE_LIMITED'), principal }
    } finally {
      this.#underProof.leave(key)
    }
  }

  /** Before anything is looked up, and without charging anybody. */
  #isSpent(
    route: Route,
    { address, headers }: IncomingRequest,
    { key, shown, known }: Shown,
  ): boolean {
    const bucket = this.#selectBucket(route)
    const entered = this.#entered.count(key)
    if (this.#forgeries.isEmpty(address, entered) && this.#isForged(route, headers, shown))
      return true
    if (known !== undefined) return bucket.isEmpty(known, entered)
    // To find out whose session it is takes the store, and a signature the thread pool; whose token, neither.
    const isLookedUp = shown !== null && (isOfAgent(shown) || headers.authorization === undefined)
    if (!isLookedUp) return false
    return this.#selectGuesses(headers).isEmpty(address, entered) || entered >= bucket.atOnce
  }

  /** A token counts before a cookie; who has neither takes nothing from those who have signed in. */
  #selectGuesses(headers: IncomingHttpHeaders): RateLimit {
    const isCookie = headers.authorization === undefined
    const isShown = getCredential(this.#parts, headers) !== null
    return isCookie && isShown ? this.#cookieGuesses : this.#guesses
  }

  /** By the cookie and the word alone: neither says whose session it is. */
  #isForged({ method }: Route, headers: IncomingHttpHeaders, shown: Shown['shown']): boolean {
    const { engine, publicUrl } = this.#parts
    if (shown === null || headers.authorization !== undefined) return false
    const word = deriveCsrfWord(shown, engine.context.sha256)
    return checkUnknownCookie(method, word, headers, publicUrl) !== null
  }

  /** Whoever makes a browser send what its pages did not ask for gets slower. */
  #refuseForgery(address: string, code: HttpCode): Refusal {
    return toRefusal(this.#forgeries.take(address) ? code : 'RATE_LIMITED')
  }

  /** Whoever guesses gets slower. */
  #refuseUnproven({ address, headers }: IncomingRequest, said: Reply): Refusal {
    const isCounted = this.#selectGuesses(headers).take(address)
    return isCounted ? { refusal: said } : toRefusal('RATE_LIMITED')
  }

  /** Charged to whose it was proven to be, and else as a guess (G2). */
  #takeCookie({ address, headers: { cookie, host } }: IncomingRequest): boolean {
    const shown = getCredential(this.#parts, { cookie, host })
    if (shown === null) return true
    const known = this.#known.get(`${address} ${shown}`)
    return known === undefined ? this.#cookieGuesses.take(address) : this.#principals.take(known)
  }

  #selectBucket({ stops }: Route): RateLimit {
    return stops === true ? this.#stops : this.#principals
  }

  #assignPlace(proven: Proven, { stops }: Route): Passed {
    const underWay = stops === true ? this.#stopsUnderWay : this.#underWay
    const name = getPrincipalName(proven.principal)
    const place = underWay.enter(name)
    const charge = (more: number): boolean => this.#principals.take(name, more)
    if (place !== null) return { ...proven, place, charge }
    return { ...toRefusal('TOO_MANY_UNDER_WAY'), principal: proven.principal }
  }

  #findClosedCode({ host }: IncomingHttpHeaders): HttpCode | null {
    if (!isOurHost(host, this.#parts)) return 'HOST_REFUSED'
    return this.#stopping ? 'STOPPING' : null
  }

  async #proveRequest(
    principal: Principal,
    { method }: Route,
    incoming: IncomingRequest,
  ): Promise<Proven | Refusal> {
    if (principal.kind !== 'agent') return { principal }
    const proven = await this.#proofs.prove(principal, { method, ...incoming })
    return proven.ok ? { principal, digest: proven.value } : { refusal: proven.error }
  }

  /** To ask whether we are there costs nothing; to shake hands or sign in does, and to have a cookie looked up. */
  #admitStranger(route: Route, incoming: IncomingRequest): Passed {
    const { method, costly, readsCookie } = route
    const { address, headers, target } = incoming
    if (readsCookie === true && !this.#takeCookie(incoming)) return toRefusal('RATE_LIMITED')
    const isCounted = isUnsafe(method) || costly === true
    const { publicUrl } = this.#parts
    // Whoever comes back from a provider comes from another site, with what was begun here.
    const isLured = isFromElsewhere(headers, publicUrl) && !isComingBack(target, headers, publicUrl)
    const bucket = isLured ? this.#forgeries : this.#strangers
    if (isCounted && !bucket.take(address)) return toRefusal('RATE_LIMITED')
    const charge = (more: number): boolean => bucket.take(address, more)
    return { principal: { kind: 'stranger' }, place: new RequestSlot(() => {}), charge }
  }
}
