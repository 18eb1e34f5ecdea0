/**
 * Tells of whoever was refused: a line in the log and a count for each 401, 403 and 429, and for each
 * sign-in that failed, whatever its status.
 *
 * F1 nothing of it goes to the store: whoever is refused would fill it.
 * F2 what a stranger wrote stands in no line and no label: codes and names of routes are ours.
 * F3 lines are bounded; those beyond are counted as dropped, and in the metric all the same.
 */
import { formatInstant, LIMITS } from 'rubicon-kernel'
import type { Context } from 'rubicon-runtime/engine'
import type { Reply, Route } from '../schemas/route.ts'
import { RateLimit } from '../turns/rate-limit.ts'

export type RefusedRequest = {
  readonly route: Pick<Route, 'operation'>
  readonly address: string
  /** Of whoever proved to be one. */
  readonly agent_id?: string
}

const STATUSES: readonly number[] = [401, 403, 429]

/** Where somebody says who they are, and what they say it with. */
const SIGN_INS: ReadonlyMap<string, 'token' | 'oidc' | 'key'> = new Map([
  ['startSession', 'token'],
  ['startProviderSignIn', 'oidc'],
  ['finishProviderSignIn', 'oidc'],
  ['shakeHands', 'key'],
])

export class Refusals {
  readonly #context: Pick<Context, 'telemetry' | 'clock'>
  readonly #lines: RateLimit

  constructor(context: Pick<Context, 'telemetry' | 'clock'>) {
    const { refusalLinesPerSecond: perSecond, refusalLinesAtOnce: atOnce } = LIMITS
    this.#context = context
    this.#lines = new RateLimit({ perSecond, atOnce }, 2, context.clock)
  }

  /** Whatever was answered; what is no refusal is not told. */
  tell({ status, body, problem }: Reply, { route, address, agent_id }: RefusedRequest): void {
    const { telemetry, clock } = this.#context
    const isRefusal = STATUSES.includes(status) || problem !== undefined
    if (!isRefusal || !telemetry.enabled) return
    const code = problem ?? getProblemCode(body)
    const signIn = SIGN_INS.get(route.operation)
    telemetry.count('rubicon_requests_refused_total', { status: String(status), code })
    if (signIn !== undefined) telemetry.count('rubicon_sign_ins_failed_total', { type: signIn })
    if (!this.#lines.take('lines')) {
      telemetry.count('rubicon_telemetry_dropped_total', { signal: 'line' })
      return
    }
    telemetry.log({
      at: formatInstant(clock.now()),
      level: 'warn',
      event: signIn === undefined ? 'request_refused' : 'sign_in_failed',
      ...(agent_id === undefined ? {} : { agent_id }),
      status: String(status),
      code,
      operation: route.operation,
      address,
    })
  }
}

function getProblemCode(body: Reply['body']): string {
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : 'none'
}
