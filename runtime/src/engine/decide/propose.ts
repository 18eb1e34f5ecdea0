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
  assertUnreachable,
  compile,
  isStandingAt,
  LIMITS,
  type Refusal,
  type Result,
  type Verdict,
} from 'rubicon-kernel'
import { awaitBid } from '../arbitrate/await-bid.ts'
import { enterEvent, findLostCause } from '../arbitrate/enter-event.ts'
import { settleEvent } from '../arbitrate/settle-event.ts'
import { type InSession, loadProposalSession } from '../authority/registry/in-session.ts'
import { StateUnavailable } from '../context/read-outside.ts'
import type { Context } from '../engine-context.ts'
import { escalate } from '../escalate/escalate.ts'
import { gather } from '../judge/gather.ts'
import type { Gathered } from '../judge/gathered.ts'
import { type Loaded, loadDecision } from '../judge/load-decision.ts'
import { checkPaused } from '../judge/pause.ts'
import {
  type ProposalDraft,
  type ProposalInput,
  type Received,
  receiveDraft,
  type Unreadable,
} from '../judge/receive.ts'
import type { Rejection } from '../judge/record.ts'
import { reject, rejectUnreadable, storeRejection } from '../judge/reject.ts'
import { checkRejectionRate } from '../judge/rejection-rate.ts'
import { buildRepeatedAnswer, buildUnstoredAnswer } from '../rows/answer.ts'
import { dispatchStaged } from './dispatch-staged.ts'

export type ProposeOptions = InSession & {
  /** How long to wait for the effect before answering PENDING. */
  readonly waitMs?: number
  /** `dispatched`: PENDING is answered as soon as it is durable that the effect is sent. */
  readonly wait?: 'settled' | 'dispatched'
}

export function propose(
  context: Context,
  dfid: string,
  input: ProposalInput,
  options: ProposeOptions = {},
): Promise<Answer> {
  const { signals } = context
  if (signals === null) return answerTo(context, dfid, input, options)
  return signals.watchProposal(context, dfid, (watched) => answerTo(watched, dfid, input, options))
}

async function answerTo(
  context: Context,
  dfid: string,
  input: ProposalInput,
  options: ProposeOptions,
): Promise<Answer> {
  if (!context.inFlight.enter())
    return buildUnstoredAnswer(dfid, 'OVERLOADED', 'queue', { limit: LIMITS.proposalsInFlight })
  try {
    const skew = context.store.time.findSkew()
    if (skew !== null) return buildUnstoredAnswer(dfid, 'CLOCK_SKEW', 'queue', skew)
    await context.failpoints.reach('propose.before_load')
    return await judge(context, dfid, receiveDraft(input, context.sha256), options)
  } finally {
    context.inFlight.leave()
  }
}

async function judge(
  context: Context,
  dfid: string,
  draft: Result<ProposalDraft, Unreadable>,
  options: ProposeOptions,
): Promise<Answer> {
  const waitMs = options.wait === 'dispatched' ? 0 : (options.waitMs ?? LIMITS.waitMs)
  const started = context.clock.monotonic()
  while (context.clock.monotonic() - started < LIMITS.dispatchWithinMs) {
    // Each time anew: it may have ended meanwhile, or its key.
    const session = await loadProposalSession(context, dfid, options)
    if (!session.ok) return session.error
    if (!draft.ok) return rejectUnreadable(context, dfid, draft.error)
    const loaded = await loadDecision(context, dfid, draft.value.step)
    if (loaded === null) return buildUnstoredAnswer(dfid, 'FLOW_UNKNOWN', 'repeat', {})
    const tooMany = await checkRejectionRate(context, loaded.view)
    if (tooMany !== null) return tooMany
    // Each time anew: the snapshot that an absent `context_ref` means is the one that is judged on.
    const received = draft.value.completeFor(loaded.view.flow)
    if (!received.ok) return rejectUnreadable(context, dfid, received.error)
    const said = { ...received.value, session: session.value }
    const answer = await judgeOnce(context, loaded, said, started, waitMs)
    if (answer !== null) return answer
  }
  return buildUnstoredAnswer(dfid, 'DISPATCH_EXPIRED', 'dispatch', {
    within_ms: LIMITS.dispatchWithinMs,
  })
}

/** One attempt. Null: a guard failed, so the world moved; start over. */
export async function judgeOnce(
  context: Context,
  { view, chain }: Loaded,
  received: Received,
  started: number,
  waitMs: number,
): Promise<Answer | null> {
  let gathered: Gathered
  context.watch?.startJudging(view.flow)
  try {
    gathered = await gather(context, view, received, chain)
  } catch (error) {
    if (!(error instanceof StateUnavailable)) throw error
    const { details } = error
    const rejection: Rejection = {
      code: 'STATE_UNAVAILABLE',
      details,
      stage: 'dispatch',
      trace: [],
    }
    return storeRejection(context, view.flow, view.now, rejection, received)
  }
  const verdict = compile(gathered.input, context.watch?.startCompiling())
  context.watch?.recordVerdict(verdict)
  await context.failpoints.reach('propose.after_compile')
  const unruled = findUnruledRefusal(context, gathered, verdict)
  if (unruled !== null)
    return buildUnstoredAnswer(view.flow.dfid, unruled.code, 'kind', unruled.details)
  if (verdict.kind === 'staged' || verdict.kind === 'suspended') {
    const paused = await checkPaused(context, gathered, received)
    if (paused !== null) return refuseQueued(context, gathered, received, verdict, paused)
  }
  switch (verdict.kind) {
    case 'repeated':
      assert(view.claim !== null, 'a repeated step has a claim')
      return buildRepeatedAnswer(view.claim, view.flow.attempts)
    case 'rejected':
      return reject(context, gathered, received, verdict, waitMs)
    case 'suspended': {
      const lost = await findLostCause(context, gathered, received, verdict)
      if ('code' in lost) return refuseQueued(context, gathered, received, verdict, lost)
      return escalate(context, gathered, received, verdict, lost)
    }
    case 'staged':
      return carryOn(context, gathered, received, verdict, { started, waitMs })
    default:
      return assertUnreachable(verdict)
  }
}

/** Where several agents answer one event, it waits for its turn; everything else is dispatched now. */
async function carryOn(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Extract<Verdict, { kind: 'staged' }>,
  timing: { readonly started: number; readonly waitMs: number },
): Promise<Answer | null> {
  const entrance = await enterEvent(context, gathered, received, verdict)
  switch (entrance.kind) {
    case 'passes':
      return dispatchStaged(context, gathered, entrance.received, verdict, timing)
    case 'refused':
      return refuseQueued(context, gathered, received, verdict, entrance.refusal)
    case 'deferred':
      return null
    case 'waits': {
      if (!(await context.store.commit(entrance.unit)).ok) return null
      await context.failpoints.reach('arbitrate.after_bidding')
      await settleEvent(context, entrance.event_id, judgeOnce)
      const { flow } = gathered.view
      return awaitBid(context, flow.dfid, flow.attempts + 1, timing.waitMs)
    }
    default:
      return assertUnreachable(entrance)
  }
}

/**
 * A process whose rules are not in force decides nothing, whatever its own rules said; what became of
 * an earlier step is no decision.
 */
function findUnruledRefusal(
  { standing }: Context,
  { authority, view }: Gathered,
  verdict: Verdict,
): Refusal | null {
  const isEarlier =
    verdict.kind === 'repeated' ||
    (verdict.kind === 'rejected' && verdict.code === 'STEP_IN_FLIGHT')
  if (isEarlier || isStandingAt(standing.getStanding(authority), view.now)) return null
  return { code: 'RULES_NOT_IN_FORCE', details: standing.describeDifference(authority) }
}

function refuseQueued(
  context: Context,
  { view, input }: Gathered,
  received: Received,
  { trace }: Verdict,
  { code, details }: Refusal,
): Promise<Answer | null> {
  const rejection: Rejection = { code, details, stage: 'queue', trace }
  const source = { ...received, facts: input.facts }
  return storeRejection(context, view.flow, view.now, rejection, source)
}
