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
  checkDispatch,
  compile,
  LIMITS,
  type PolicyProposal,
  type Refusal,
  unreachable,
  type Verdict,
  type Writ,
} from 'rubicon-kernel'
import type { DecisionView, FlowRow } from '../ports/store.ts'
import { acceptedAnswer, escalatedAnswer, repeatedAnswer } from './answer.ts'
import { counterIds } from './budget-counters.ts'
import type { Context } from './context.ts'
import { dispatchUnit } from './dispatch.ts'
import { performEffect } from './effect.ts'
import { type Gathered, gather } from './gather.ts'
import { isPlanted } from './planted-bug.ts'
import { StateUnavailable } from './read-outside.ts'
import { type ProposalInput, type Received, receiveProposal } from './receive.ts'
import { approvalUnit, type Rejection } from './record.ts'
import { reject, rejectUnreadable, storeRejection, traceId, unstored } from './reject.ts'
import { writChain } from './writ-chain.ts'

export type ProposeOptions = {
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
      return dispatch(context, gathered, received, verdict, started, waitMs)
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
  const record = approvalUnit(context, flow, now, verdict, {
    received: received.received,
    input: gathered.input,
  })
  const outcome = await context.store.commit(record.unit)
  if (!outcome.ok) return null
  const first = verdict.triggers.find((trigger) => trigger.code === verdict.code)
  const details = { ...first?.details, request: record.request.id, channel: record.request.channel }
  return escalatedAnswer(flow.dfid, record.flow.attempts, { ...verdict, details }, traceId(outcome))
}

async function dispatch(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Extract<Verdict, { kind: 'staged' }>,
  started: number,
  waitMs: number,
): Promise<Answer | null> {
  const { flow, now } = gathered.view
  const refusal = lastLook(gathered, verdict)
  if (refusal !== null) {
    const rejection: Rejection = { ...refusal, stage: 'dispatch', trace: verdict.trace }
    return storeRejection(context, flow, now, rejection, {
      received: received.received,
      document: received.document,
      facts: gathered.input.facts,
    })
  }
  const prepared = await dispatchUnit(context, gathered, received, verdict)
  const early = isPlanted('effect_before_dispatch')
    ? performEffect(context, prepared.placed({ ok: true, at: now, entries: [] }))
    : null
  early?.catch(() => {})
  await context.failpoints.reach('dispatch.before_commit')
  const outcome = await context.store.commit(prepared.unit)
  if (!outcome.ok) return null
  await context.failpoints.reach('dispatch.after_commit')

  const dispatched = prepared.placed(outcome)
  const effect = context.inFlight.track(
    flow.dfid,
    dispatched.execution.step_id,
    early ?? performEffect(context, dispatched, { startedMonotonic: started }),
  )
  const timer = context.clock.after(waitMs)
  const row = await Promise.race([effect, timer.elapsed.then(() => dispatched.execution)])
  timer.cancel()
  return acceptedAnswer(row, dispatched.flow.attempts)
}

/** The outside, looked at once more on the values that were read for this decision. */
function lastLook(
  gathered: Gathered,
  { trace }: Extract<Verdict, { kind: 'staged' }>,
): Refusal | null {
  const { contract, facts, proposal } = gathered.input
  assert(contract !== null, 'a staged proposal has a contract')
  const measures = trace.find((line) => line.stage === 'preconditions')?.measures ?? {}
  return checkDispatch({ facts: facts.value, proposal, contract, measures })
}
