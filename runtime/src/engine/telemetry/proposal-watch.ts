/**
 * One proposal, from its arrival to its answer. A proposal that is judged again because the world
 * moved is one proposal: the stages that are told are those of its last verdict.
 */
import {
  type Answer,
  type CompileObserver,
  isDfid,
  isReasonCode,
  type ReasonCode,
  type StageName,
  type Verdict,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import { toFlowSpan, toProposalSpan } from './span-refs.ts'
import { type ClockReading, type Interval, type Teller, toFailureAttributes } from './teller.ts'

const MS_PER_S = 1_000

type Ended = { readonly stage: StageName; readonly moment: ClockReading }

export class ProposalWatch {
  readonly #teller: Teller
  readonly #dfid: string
  readonly #began: ClockReading
  #flow: FlowRow | null = null
  #judging: ClockReading
  #compiling: ClockReading
  #stages: Ended[] = []
  #verdict: Verdict | null = null

  constructor(teller: Teller, dfid: string) {
    this.#teller = teller
    this.#dfid = dfid
    this.#began = teller.readMoment()
    this.#judging = this.#began
    this.#compiling = this.#began
    teller.beginProposal(dfid)
  }

  /** Nothing more is told of it; what is told of its flow as a whole may have waited for that. */
  finishWatch(): void {
    this.#teller.endProposal(this.#dfid, this.#teller.measureSince(this.#began).end)
  }

  /** The rows of the decision are loaded; now it is judged. */
  startJudging(flow: FlowRow): void {
    this.#flow = flow
    this.#judging = this.#teller.readMoment()
  }

  /** The facts are there. What it returns is told after every stage. */
  startCompiling(): CompileObserver {
    this.#stages = []
    this.#compiling = this.#teller.readMoment()
    return (stage) => void this.#stages.push({ stage, moment: this.#teller.readMoment() })
  }

  recordVerdict(verdict: Verdict): void {
    this.#verdict = verdict
    const { start, end } = this.#teller.measureSince(this.#judging)
    this.#teller.telemetry.observe('validation_latency_ms', end - start, { type: 'hard' })
  }

  recordAnswer(answer: Answer): void {
    const { telemetry } = this.#teller
    const { outcome } = answer
    const code = findReasonCode(answer, this.#verdict)
    const interval = this.#teller.measureSince(this.#began)
    telemetry.count('rubicon_proposals_total', { outcome, reason: code ?? 'none' })
    const seconds = (interval.end - interval.start) / MS_PER_S
    telemetry.observe('rubicon_proposal_duration_seconds', seconds, { outcome })
    if (outcome === 'REPEATED') telemetry.count('idempotency_hit_rate')
    this.#countStale(answer, code)
    this.#tell('proposal_answered', answer, code, interval)
  }

  /** What was approved has been judged again. */
  recordRelease(answer: Answer): void {
    const code = findReasonCode(answer, this.#verdict)
    this.#countStale(answer, code)
    this.#tell('approval_released', answer, code, this.#teller.measureSince(this.#began))
  }

  #countStale(answer: Answer, code: ReasonCode | undefined): void {
    if (isStale(answer, code)) this.#teller.telemetry.count('stale_context_reject_rate')
  }

  #tell(
    event: 'proposal_answered' | 'approval_released',
    answer: Answer,
    code: ReasonCode | undefined,
    interval: Interval,
  ): void {
    const { outcome, gate, stage, attempt } = answer
    this.#teller.writeLine({
      level: 'info',
      event,
      // Whoever asks for a flow that does not exist may have asked for anything.
      ...(isDfid(this.#dfid) ? { dfid: this.#dfid } : {}),
      ...(this.#flow === null ? {} : { agent_id: this.#flow.agent_id }),
      attempt,
      outcome,
      ...(code === undefined ? {} : { reason_code: code }),
      ...(gate === undefined ? {} : { gate }),
      ...(stage === undefined ? {} : { stage }),
      ms: interval.end - interval.start,
    })
    if (this.#flow !== null || answer.trace_id !== '') this.#sendSpans(answer, code, interval)
  }

  #sendSpans(
    { outcome, attempt, gate, stage, trace_id }: Answer,
    code: ReasonCode | undefined,
    interval: Interval,
  ): void {
    const dfid = this.#dfid
    // What left no entry, or repeats one, has no number in the ledger.
    const isRecorded = trace_id !== '' && outcome !== 'REPEATED'
    const ref = toProposalSpan(dfid, isRecorded ? String(attempt) : this.#teller.mintOrdinal())
    const verdict = this.#verdict
    this.#sendStageSpans(ref.ordinal)
    this.#teller.telemetry.span({
      ref,
      parent: toFlowSpan(dfid),
      ...interval,
      failed: code !== undefined && outcome !== 'ESCALATED',
      attributes: {
        'rubicon.dfid': dfid,
        'rubicon.attempt': attempt,
        'rubicon.outcome': outcome,
        ...(this.#flow === null ? {} : { 'gen_ai.agent.id': this.#flow.agent_id }),
        ...(verdict === null ? {} : { 'rubicon.verdict': verdict.kind }),
        ...(verdict?.kind === 'staged' ? { 'gen_ai.tool.call.id': verdict.intent.intent_id } : {}),
        ...(gate === undefined ? {} : { 'rubicon.gate': gate }),
        ...(stage === undefined ? {} : { 'rubicon.stage': stage }),
        ...(outcome === 'ESCALATED'
          ? { 'rubicon.reason_code': code ?? 'none' }
          : toFailureAttributes(code ?? null)),
      },
    })
  }

  #sendStageSpans(ordinal: string): void {
    const dfid = this.#dfid
    const { at, monotonic } = this.#compiling
    const toInstant = (moment: ClockReading): number => at + (moment.monotonic - monotonic)
    let start = at
    for (const [index, { stage, moment }] of this.#stages.entries()) {
      const line = this.#verdict?.trace[index]
      const refused = line?.refusals?.[0]?.code
      this.#teller.telemetry.span({
        ref: { dfid, name: `stage.${stage}`, ordinal },
        parent: toProposalSpan(dfid, ordinal),
        start,
        end: toInstant(moment),
        failed: refused !== undefined,
        attributes: { 'rubicon.said': line?.said ?? 'pass', ...toFailureAttributes(refused) },
      })
      start = toInstant(moment)
    }
  }
}

/** Of these a refusal says how old something may be, where it was too old. */
const AGED: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['STATE_UNAVAILABLE', 'STALE_CONTEXT'])

/** The world had moved, or nobody could say any more that it had not: values or context were too old. */
function isStale({ feedback }: Answer, code: ReasonCode | undefined): boolean {
  if (code === 'STATE_DRIFT_DETECTED') return true
  return code !== undefined && AGED.has(code) && feedback?.details.max_age_ms !== undefined
}

/** The kernel's own word for a "no": answers carry the contract's, or how the flow ended. */
function findReasonCode(answer: Answer, verdict: Verdict | null): ReasonCode | undefined {
  if (answer.reason_code === undefined) return undefined
  const last = answer.feedback?.details.last_rejection
  if (answer.outcome === 'EXHAUSTED' && typeof last === 'string' && isReasonCode(last)) return last
  if (isReasonCode(answer.reason_code)) return answer.reason_code
  return verdict !== null && 'code' in verdict ? verdict.code : undefined
}
