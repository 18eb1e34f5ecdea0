/**
 * I23: what advisers ask is paid for before it is asked, out of their own budget and of each agent's share; a step has
 * one finding of an auditor; and a flag stays until a person has looked who was shown it.
 */
import type { DecisionRecord, OpinionPayload, ReviewPayload } from 'rubicon-kernel'
import type { AdviceEvent } from '../adviser-model.ts'
import type { Line, Report } from './report.ts'

type FlowView = ReadonlyMap<string, { readonly tags: readonly string[] }>
type Counters = ReadonlyMap<string, number>

/** What a person was shown last, and what came of the review. */
export type SaidReview = {
  readonly dfid: string
  readonly by: string
  readonly shown: number
}

type Flagged = { readonly seq: number; readonly count: number }

/** Of the budget's tokens one agent takes at most so many in a hundred. */
const SHARE_PCT = 25
/** What advisers may spend, as the storm has it. */
const TOKENS = 60_000

export class AuditedReviews {
  readonly #report: Report
  readonly #tokens: number
  /** By flow. */
  readonly #flags = new Map<string, Flagged[]>()
  readonly #reviews = new Map<string, { readonly seq: number; readonly by: string }[]>()
  readonly #findings = new Set<string>()
  /** By kind of adviser: the least that must be counted for it. */
  readonly #spent = new Map<string, number>()

  constructor(report: Report, tokens: number = TOKENS) {
    this.#report = report
    this.#tokens = tokens
  }

  add(line: Line): void {
    const { kind, dfid, seq, payload } = line
    if (dfid === undefined || payload === null) return
    if (kind === 'dispatch' || kind === 'accepted') {
      const { trace = [] } = payload as Partial<DecisionRecord>
      const count = trace.reduce((sum, { flagged = [] }) => sum + flagged.length, 0)
      if (count > 0) this.#flag(dfid, { seq, count })
    }
    if (kind === 'evidence') this.#addEvidence(line, dfid, payload as { source?: string })
  }

  #addEvidence(line: Line, dfid: string, payload: { readonly source?: string }): void {
    const { seq, trajectory } = line
    if (payload.source === 'review') this.#review(line, dfid, payload as ReviewPayload)
    if (payload.source !== 'soft_guard' && payload.source !== 'auditor') return
    const opinion = payload as OpinionPayload
    if (opinion.source === 'soft_guard') {
      if (opinion.finding === 'mismatch' && !opinion.strict) this.#flag(dfid, { seq, count: 1 })
      return
    }
    const name = `${opinion.by} of ${dfid}:${opinion.step_id}`
    if (this.#findings.has(name))
      this.#report('I23', `${trajectory}/${seq} is a second finding by ${name}`)
    this.#findings.add(name)
  }

  #flag(dfid: string, flag: Flagged): void {
    this.#flags.set(dfid, [...(this.#flags.get(dfid) ?? []), flag])
  }

  #review({ seq, trajectory }: Line, dfid: string, { details }: ReviewPayload): void {
    const open = this.#listOpen(dfid).reduce((sum, { count }) => sum + count, 0)
    if (details.flags !== open)
      this.#report('I23', `${trajectory}/${seq} clears ${details.flags} flags of ${open}`)
    const before = this.#reviews.get(dfid) ?? []
    this.#reviews.set(dfid, [...before, { seq, by: details.by }])
  }

  #listOpen(dfid: string): readonly Flagged[] {
    const last = this.#reviews.get(dfid)?.at(-1)?.seq ?? -1
    return (this.#flags.get(dfid) ?? []).filter(({ seq }) => seq > last)
  }

  /** The last flag that a person would be shown; null: there is none. */
  findShown(dfid: string): number | null {
    return this.#listOpen(dfid).at(-1)?.seq ?? null
  }

  /** Somebody was told that their review counts. */
  auditSaid({ dfid, by, shown }: SaidReview): void {
    const own = (this.#reviews.get(dfid) ?? []).findLast((one) => one.by === by)
    if (own === undefined) {
      this.#report('I4', `the review of ${dfid} by ${by} stands nowhere`)
      return
    }
    const unseen = (this.#flags.get(dfid) ?? []).find(({ seq }) => seq > shown && seq < own.seq)
    if (unseen !== undefined)
      this.#report('I23', `${by} was shown ${shown} of ${dfid}, and cleared ${unseen.seq}`)
  }

  auditAdvice(event: AdviceEvent, counters: Counters): void {
    const { adviser, tokens } = event
    const before = this.#spent.get(adviser) ?? 0
    this.#spent.set(adviser, before + tokens - (event.event === 'asked' ? 0 : event.asked))
    if (event.event === 'asked') this.#auditCounters(counters)
  }

  #auditCounters(counters: Counters): void {
    for (const [adviser, spent] of this.#spent) {
      const own = [...counters].filter(([id]) => id.startsWith(`advice ${adviser} `))
      const shares = own.filter(([id]) => id.includes(' of ') && id.endsWith(' tokens'))
      const whole = own.find(([id]) => !id.includes(' of ') && id.endsWith(' tokens'))?.[1] ?? 0
      if (whole < spent) this.#report('I23', `${adviser} counts ${whole} of at least ${spent}`)
      if (whole > this.#tokens) this.#report('I23', `${adviser} has spent ${whole}`)
      for (const [id, share] of shares)
        if (share > (this.#tokens * SHARE_PCT) / 100) this.#report('I23', `${id} is ${share}`)
    }
  }

  /** Of what was erased nobody has to look at anything. */
  finish(flows: FlowView, counters: Counters): void {
    this.#auditCounters(counters)
    for (const [dfid, { tags }] of flows) {
      if (tags.includes('ERASED') || tags.includes('NEEDS_REVIEW')) continue
      const [open] = this.#listOpen(dfid)
      if (open !== undefined)
        this.#report('I23', `nobody has looked at flag ${open.seq} of ${dfid}, and it is gone`)
    }
  }
}
