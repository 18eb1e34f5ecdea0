/**
 * The path of a proposal: receive, load, gather, compile, make durable, act.
 *
 * P1 nothing is sent to the outside before a `dispatch` entry for it is durable.
 * P2 a verdict is answered only after it is durable.
 * P3 a guard that fails is no rejection: everything is loaded and compiled again, until the time
 *    that the intent itself allows has passed.
 */
import {
  type Answer,
  assert,
  compile,
  LIMITS,
  type PolicyProposal,
  unreachable,
  type Verdict,
  type Writ,
} from 'rubicon-kernel'
import type { DecisionView, FlowRow } from '../ports/store.ts'
import { act } from './act.ts'
import { escalatedAnswer, repeatedAnswer } from './answer.ts'
import { counterIds } from './budget-counters.ts'
import type { Context } from './context.ts'
import { type Gathered, gather } from './gather.ts'
import { StateUnavailable } from './read-outside.ts'
import { type ProposalInput, type Received, receiveProposal } from './receive.ts'
import { approvalUnit, type Rejection } from './record.ts'
import { type InSession, sessionAnswer } from './registry/in-session.ts'
import { reject, rejectUnreadable, storeRejection, traceId, unstored } from './reject.ts'
import { writChain } from './writ-chain.ts'

export type ProposeOptions = InSession & {
  /** How long to wait for the effect before answering PENDING. */
  readonly waitMs?: number
}

export async function propose(
  context: Context,
  dfid: string,
  input: ProposalInput,
  options: ProposeOptions = {},
): Promise<Answer> {
  if (!context.inFlight.enter())
    return unstored(dfid, 'OVERLOADED', 'queue', { limit: LIMITS.proposalsInFlight })
  try {
    const refused = await sessionAnswer(context, dfid, options)
    if (refused !== null) return refused
    await context.failpoints.reach('propose.before_load')
    const received = receiveProposal(input, context.sha256)
    if (!received.ok) return await rejectUnreadable(context, dfid, received.error)
    return await judge(context, dfid, received.value, options.waitMs ?? LIMITS.waitMs)
  } finally {
    context.inFlight.leave()
  }
}

async function judge(
  context: Context,
  dfid: string,
  received: Received,
  waitMs: number,
): Promise<Answer> {
  const started = context.clock.monotonic()
  while (context.clock.monotonic() - started < LIMITS.dispatchWithinMs) {
    const loaded = await loadDecision(context, dfid, received.proposal)
    if (loaded === null) return unstored(dfid, 'FLOW_UNKNOWN', 'repeat', {})
    const answer = await judgeOnce(context, loaded, received, started, waitMs)
    if (answer !== null) return answer
  }
  return unstored(dfid, 'DISPATCH_EXPIRED', 'dispatch', { within_ms: LIMITS.dispatchWithinMs })
}

type Loaded = { readonly view: DecisionView; readonly chain: readonly Writ[] }

/** The rows of a decision, with the counters of the writ it stands on. */
async function loadDecision(
  context: Context,
  dfid: string,
  { step_id, writ_id }: PolicyProposal,
): Promise<Loaded | null> {
  const { store, writs } = context
  const countersOf = (flow: FlowRow): readonly string[] => {
    const leaf = writs.peek(writ_id ?? flow.writs[0]?.id ?? '')
    return leaf === undefined ? [] : counterIds(leaf)
  }
  const view = await store.decision(dfid, step_id, countersOf)
  if (view === null) return null
  const complete = countersOf(view.flow).length > 0
  const chain = await writChain(context, view.flow, writ_id)
  if (complete || chain.length === 0) return { view, chain }
  // The writ was not at hand, so its counters were not asked for: now they can be.
  const again = await store.decision(dfid, step_id, countersOf)
  return again === null ? null : { view: again, chain }
}

/** One attempt. Null: a guard failed, so the world moved; start over. */
async function judgeOnce(
  context: Context,
  { view, chain }: Loaded,
  received: Received,
  started: number,
  waitMs: number,
): Promise<Answer | null> {
  let gathered: Gathered
  try {
    gathered = await gather(context, view, received, chain)
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error
    const details = { paths: [...error.paths] }
    const rejection: Rejection = {
      code: 'STATE_UNAVAILABLE',
      details,
      stage: 'dispatch',
      trace: [],
    }
    return storeRejection(context, view.flow, view.now, rejection, received)
  }
  const verdict = compile(gathered.input)
  await context.failpoints.reach('propose.after_compile')
  switch (verdict.kind) {
    case 'repeated':
      assert(view.claim !== null, 'a repeated step has a claim')
      return repeatedAnswer(view.claim, view.flow.attempts)
    case 'rejected':
      return reject(context, gathered, received, verdict, waitMs)
    case 'suspended':
      return suspend(context, gathered, received, verdict)
    case 'staged':
      return act(context, gathered, received, verdict, { started, waitMs })
    default:
      return unreachable(verdict)
  }
}

async function suspend(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Extract<Verdict, { kind: 'suspended' }>,
): Promise<Answer | null> {
  const { flow, now } = gathered.view
  const record = await approvalUnit(context, flow, now, verdict, {
    received: received.received,
    input: gathered.input,
  })
  const outcome = await context.store.commit(record.unit)
  if (!outcome.ok) return null
  const first = verdict.triggers.find((trigger) => trigger.code === verdict.code)
  const details = { ...first?.details, request: record.request.id, channel: record.request.channel }
  return escalatedAnswer(flow.dfid, record.flow.attempts, { ...verdict, details }, traceId(outcome))
}
