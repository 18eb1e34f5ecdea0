/**
 * I6, for what the provider says when it is asked: whoever is dispatched onto a resource was told of every effect on it
 * that was over before.
 *
 * The provider counts the payments that it has carried out to each payee. A payment that was done, and settled in the
 * ledger before another is dispatched, must be in the count that the other was decided on: the resource was
 * held until then, and is free for the other only since.
 */
import type { Facts, SignedIntent } from 'rubicon-kernel'
import type { ProviderEvent } from '../provider.ts'
import type { Line, Report } from './report.ts'

const SOURCE = 'provider'
const PATHS = 'paid.'
const PAYMENTS: readonly string[] = ['PAY', 'WIRE', 'TIP']

type Sent = Pick<SignedIntent, 'policy_kind' | 'params' | 'idempotency_key' | 'compensation'>

export class AuditedSourceReads {
  readonly #report: Report
  readonly #applied = new Set<string>()
  /** By payee: keys of what was done and settled. */
  readonly #over = new Map<string, Set<string>>()

  constructor(report: Report) {
    this.#report = report
  }

  recordProviderEvent({ event, kind, key }: ProviderEvent): void {
    if (event === 'applied' && PAYMENTS.includes(kind)) this.#applied.add(key)
  }

  /** Its holds end. What arrives only later was not done when it was settled. */
  recordSettled({ policy_kind, params, idempotency_key }: Sent): void {
    if (!PAYMENTS.includes(policy_kind) || !this.#applied.has(idempotency_key)) return
    const payee = String(params.to)
    this.#over.set(payee, (this.#over.get(payee) ?? new Set()).add(idempotency_key))
  }

  /** Called for the first dispatch of an intent, with the facts that it was dispatched on. */
  auditDispatch(
    { trajectory, seq }: Pick<Line, 'trajectory' | 'seq'>,
    { policy_kind, params, compensation }: Sent,
    facts: Pick<Facts, 'state'>,
  ): void {
    // What takes back stands on the facts of its choice.
    if (compensation !== undefined) return
    const said = facts.state.find(({ path, source }) => {
      return source === SOURCE && path === `${PATHS}${params.to}`
    })
    const over = this.#over.get(String(params.to))?.size ?? 0
    if (said === undefined || Number(said.value) >= over) return
    const told = `${over} payments were over, and it was told of ${said.value}`
    this.#report('I6', `${trajectory}/${seq} dispatches ${policy_kind} to ${params.to}: ${told}`)
  }
}
