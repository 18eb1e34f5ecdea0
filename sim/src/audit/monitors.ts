/**
 * I5, for monitors: one that trips stops its agent in the same breath, for executions that are in the
 * ledger; and once all was swept, none that should have tripped has not.
 */
import type {
  AcceptedPayload,
  CommitPayload,
  LifecyclePayload,
  Monitor,
  MonitorTripPayload,
} from 'rubicon-kernel'
import { type AuditDecimal, addExact, isGreater, multiplyExact, parseExact } from './decimal.ts'
import type { Line, Report } from './report.ts'

type Watched = { readonly agent_id: string; readonly kind: string; readonly amount: string | null }
type Sample = { readonly dfid: string; readonly amount: string; readonly erased: boolean }

export class AuditedMonitors {
  readonly #report: Report
  readonly #statusOf: (agent: string) => string | undefined
  readonly #classOf: (agent: string) => string | undefined
  readonly #intents = new Map<string, Watched>()
  /** By agent: what was carried out since the monitor, or the agent, was let go. */
  readonly #samples = new Map<string, Sample[]>()
  #monitor: Monitor | null = null

  constructor(
    report: Report,
    statusOf: (agent: string) => string | undefined,
    classOf: (agent: string) => string | undefined,
  ) {
    this.#report = report
    this.#statusOf = statusOf
    this.#classOf = classOf
  }

  setMonitor(monitor: Monitor): void {
    this.#monitor = monitor
    this.#samples.clear()
  }

  /** Whoever is let go starts anew. */
  auditLifecycle({ body: { agent_id, from, to } }: LifecyclePayload): void {
    if (from === 'SUSPENDED' && to === 'ACTIVE') this.#samples.delete(agent_id)
  }

  auditDecision({ intent, trace }: Pick<AcceptedPayload, 'intent' | 'trace'>): void {
    const { intent_id, agent_id, policy_kind } = intent
    const { measures = {} } = trace.find(({ stage }) => stage === 'preconditions') ?? {}
    const amount = typeof measures.amount === 'string' ? measures.amount : null
    this.#intents.set(intent_id, { agent_id, kind: policy_kind, amount })
  }

  auditCommit({ dfid = '' }: Line, { intent_id }: CommitPayload): void {
    const done = this.#intents.get(intent_id)
    const { agents = [], policy_kinds = [] } = this.#monitor ?? {}
    const counts = policy_kinds.length === 0 || policy_kinds.includes(done?.kind ?? '')
    if (done?.amount == null || !counts) return
    // What an instance does its class does. Instances are watched by themselves too: not looked at here.
    const agent = this.#classOf(done.agent_id) ?? done.agent_id
    if (!agents.includes(agent)) return
    const samples = this.#samples.get(agent) ?? []
    this.#samples.set(agent, [...samples, { dfid, amount: done.amount, erased: false }])
  }

  /** What is erased may have been counted before. */
  markErased(dfid: string): void {
    for (const [agent, samples] of this.#samples)
      this.#samples.set(
        agent,
        samples.map((sample) => (sample.dfid === dfid ? { ...sample, erased: true } : sample)),
      )
  }

  auditTrip({ trajectory, seq }: Line, { details }: MonitorTripPayload): void {
    const { agent_id, flows, samples } = details
    const reportProblem = (detail: string): void =>
      this.#report('I5', `${trajectory}/${seq}: the monitor of ${agent_id} tripped: ${detail}`)
    if (this.#statusOf(agent_id) !== 'SUSPENDED') reportProblem(`it is ${this.#statusOf(agent_id)}`)
    if (this.#monitor?.agents.includes(agent_id) !== true) return
    const known = new Set(this.#samples.get(agent_id)?.map(({ dfid }) => dfid))
    if (flows.length === 0 || flows.some((dfid) => !known.has(dfid)))
      reportProblem('by whose flows?')
    if (samples < this.#monitor.min_samples) reportProblem(`on ${samples} executions`)
  }

  finish(): void {
    for (const agent of this.#monitor?.agents ?? []) {
      const status = this.#statusOf(agent)
      if (status === 'SUSPENDED' || status === 'RETIRED') continue
      // Erasing stops nobody and lets nobody go: whoever is over the mean only with, or only without, what is erased by now is not judged.
      const ways = [this.#samples.get(agent) ?? [], this.#listKept(agent)]
      if (ways.every((samples) => this.#isOverMean(samples)))
        this.#report('I5', `nobody stopped ${agent}, over the mean`)
    }
  }

  #listKept(agent: string): readonly Sample[] {
    return (this.#samples.get(agent) ?? []).filter(({ erased }) => !erased)
  }

  #isOverMean(samples: readonly Sample[]): boolean {
    const { statistic, min_samples = 0, window } = this.#monitor ?? {}
    if (statistic?.kind !== 'mean' || statistic.max === undefined) return false
    const latest = samples.slice(-(window?.executions ?? 1))
    if (latest.length < min_samples) return false
    const sum = latest.reduce<AuditDecimal>(
      (all, { amount }) => addExact(all, parseExact(amount)),
      parseExact('0'),
    )
    return isGreater(
      sum,
      multiplyExact(parseExact(statistic.max), parseExact(String(latest.length))),
    )
  }
}
