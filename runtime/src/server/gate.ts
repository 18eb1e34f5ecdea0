/**
 * What stands before every route, in this order: was the request meant for us, are we still here, who
 * asks, may they, and not too often. Nothing of the body has been read by then.
 */
import { LIMITS } from 'rubicon-kernel'
import { authenticate } from './authenticate.ts'
import { isOurHost } from './host-check.ts'
import { holds, nameOf, type Principal } from './principal.ts'
import { httpProblem } from './problem.ts'
import { RateLimit } from './rate-limit.ts'
import type { Reply, Route } from './route.ts'
import type { ServerParts } from './server.ts'

export type Knock = {
  readonly host: string | undefined
  readonly authorization: string | undefined
  /** Where it comes from. */
  readonly address: string
}

export type Passed = { readonly principal: Principal } | { readonly refusal: Reply }

export class Gate {
  readonly #parts: ServerParts
  readonly #principals: RateLimit
  readonly #strangers: RateLimit
  #stopping = false

  constructor(parts: ServerParts) {
    const { clock } = parts.engine.context
    const { requestsPerSecond, requestsAtOnce, strangersPerSecond, strangersAtOnce } = LIMITS
    const most = LIMITS.principalsRemembered
    const usual = { perSecond: requestsPerSecond, atOnce: requestsAtOnce }
    const strange = { perSecond: strangersPerSecond, atOnce: strangersAtOnce }
    this.#parts = parts
    this.#principals = new RateLimit(parts.rate ?? usual, most, clock)
    this.#strangers = new RateLimit(parts.strangers ?? strange, most, clock)
  }

  /** From now on everybody is sent away. */
  stop(): void {
    this.#stopping = true
  }

  async pass(route: Route, { host, authorization, address }: Knock): Promise<Passed> {
    if (!isOurHost(host, this.#parts.host)) return refusal('HOST_REFUSED')
    if (this.#stopping) return refusal('STOPPING')
    if (route.roles === 'anyone') return this.#stranger(route, address)
    const known = await authenticate(this.#parts, authorization)
    if (!known.ok) {
      // Whoever guesses gets slower.
      return this.#strangers.take(address) ? { refusal: known.error } : refusal('RATE_LIMITED')
    }
    const principal = known.value
    if (!this.#principals.take(nameOf(principal))) return refusal('RATE_LIMITED')
    if (holds(principal, route.roles)) return { principal }
    const wanted = `it takes one of: ${route.roles.join(', ')}`
    return { refusal: httpProblem('ROLE_MISSING', wanted) }
  }

  /** To ask whether we are there costs nothing; to shake hands costs signatures. */
  #stranger({ method }: Route, address: string): Passed {
    if (method === 'POST' && !this.#strangers.take(address)) return refusal('RATE_LIMITED')
    return { principal: { kind: 'stranger' } }
  }
}

function refusal(code: Parameters<typeof httpProblem>[0]): Passed {
  return { refusal: httpProblem(code) }
}
