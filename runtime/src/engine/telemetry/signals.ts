/**
 * What the engine tells of itself. Boundary: this folder alone decides what of a flow can be seen
 * outside the ledger.
 *
 * T1 nothing is made when nobody listens: `signals` is null then.
 * T2 a signal holds ids, codes of closed lists, numbers and times, and parameters whose schema says
 *    so; no text of an agent, an operator or a capability.
 * T3 a signal decides nothing: whoever hears it may fail, and the flow goes on as if nobody listened.
 */
import type { Answer } from 'rubicon-kernel'
import type { BackgroundJob } from '../../ports/background-job.ts'
import type { SpanRef, Telemetry } from '../../ports/telemetry.ts'
import type { Deps } from '../deps.ts'
import type { Settlement } from '../effect/settlement.ts'
import type { Dispatched } from '../rows/dispatched.ts'
import type { OpenedFlow } from '../rows/opened-flow.ts'
import { describeErrorPlace } from './error-place.ts'
import { computeFlowStart, tellBegun } from './flow-signals.ts'
import { ProposalWatch } from './proposal-watch.ts'
import { dispatchSpan, toFlowSpan, toTriggerSpan } from './span-refs.ts'
import { type ClockReading, type Interval, Teller, toFailureAttributes } from './teller.ts'

const MS_PER_S = 1_000

/** What the work is done with, and where the watch of a proposal is put. */
type Watched = { readonly watch?: ProposalWatch }

export class Signals {
  readonly teller: Teller

  constructor(telemetry: Telemetry, { clock, book, store }: Deps) {
    this.teller = new Teller(telemetry, clock, book, store)
  }

  readMoment(): ClockReading {
    return this.teller.readMoment()
  }

  measureSince(moment: ClockReading): Interval {
    return this.teller.measureSince(moment)
  }

  async watchProposal<C extends Watched>(
    context: C,
    dfid: string,
    decide: (context: C) => Promise<Answer>,
  ): Promise<Answer> {
    const watch = new ProposalWatch(this.teller, dfid)
    try {
      const answer = await decide({ ...context, watch })
      watch.recordAnswer(answer)
      return answer
    } finally {
      watch.finishWatch()
    }
  }

  /** What was approved is judged again. Its agent proposed it once, and it is counted once. */
  async release<C extends Watched>(
    context: C,
    dfid: string,
    judge: (context: C) => Promise<Answer | null>,
  ): Promise<Answer | null> {
    const watch = new ProposalWatch(this.teller, dfid)
    try {
      const answer = await judge({ ...context, watch })
      if (answer !== null) watch.recordRelease(answer)
      return answer
    } finally {
      watch.finishWatch()
    }
  }

  recordOpened({ flow }: OpenedFlow, began: ClockReading, compiled: Interval | undefined): void {
    const { telemetry } = this.teller
    const { dfid, agent_id } = flow
    const attributes = { 'gen_ai.agent.id': agent_id, 'rubicon.dfid': dfid }
    const since = this.measureSince(began)
    // The flow begins with its id; whatever came before it was no part of it.
    const interval = { ...since, start: Math.max(since.start, computeFlowStart(flow)) }
    tellBegun(this.teller, flow, interval.end)
    if (compiled !== undefined)
      this.#sendContextSpan(dfid, flow.snapshot_id, compiled, toTriggerSpan(dfid))
    telemetry.span({
      ref: toTriggerSpan(dfid),
      parent: toFlowSpan(dfid),
      ...interval,
      attributes,
    })
    const ms = interval.end - interval.start
    this.teller.writeLine({ level: 'info', event: 'flow_opened', dfid, agent_id, ms })
  }

  /** The agent of an open flow was shown another context. */
  recordShown(dfid: string, snapshot: string, began: ClockReading): void {
    this.#sendContextSpan(dfid, snapshot, this.measureSince(began), toFlowSpan(dfid))
  }

  #sendContextSpan(dfid: string, snapshot: string, interval: Interval, parent: SpanRef): void {
    this.teller.telemetry.span({
      ref: { dfid, name: 'context', ordinal: snapshot },
      parent,
      ...interval,
      attributes: { 'rubicon.dfid': dfid },
    })
  }

  /** What was sent, and what was heard of it. */
  recordEffect(
    { intent, execution }: Dispatched,
    { start, end }: Interval,
    settlement: Settlement,
  ): void {
    const { telemetry } = this.teller
    const { dfid, intent_id, policy_kind, agent_id } = intent
    const code = 'code' in settlement ? settlement.code : undefined
    const seconds = (end - start) / MS_PER_S
    telemetry.observe('rubicon_effect_duration_seconds', seconds, { status: settlement.kind })
    telemetry.span({
      ref: { dfid, name: 'effect', ordinal: `${intent_id}:${execution.sends}` },
      parent: dispatchSpan(intent, execution.sends),
      start,
      end,
      failed: settlement.kind !== 'applied',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': policy_kind,
        'gen_ai.tool.call.id': intent_id,
        'gen_ai.agent.id': agent_id,
        'rubicon.send': execution.sends,
        'rubicon.status': settlement.kind,
        ...toFailureAttributes(code),
      },
    })
  }

  /** Something that runs by itself has failed; it is tried again, and somebody should know. */
  recordFailure(job: BackgroundJob, error: unknown): void {
    const { telemetry } = this.teller
    const place = describeErrorPlace(error)
    telemetry.count('rubicon_background_failures_total', { job })
    this.teller.writeLine({ level: 'error', event: 'background_failed', job, ...place })
  }
}
