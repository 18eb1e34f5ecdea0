/**
 * What becomes of a staged intent: a last look at the outside, then it is made durable together with
 * everything it holds, and acted on. Here, or by an executor of its own.
 */
import {
  type Answer,
  assert,
  checkDispatch,
  isObject,
  isReasonCode,
  type JsonObject,
  LIMITS,
  type ReasonCode,
  type Refusal,
  type Verdict,
} from 'rubicon-kernel'
import type { ExecutionRow, Guard } from '../../ports/store.ts'
import { isNarrowLook } from '../authority/narrowing.ts'
import { refreshContext } from '../context/refresh.ts'
import { readGivenBack } from '../effect/abandon.ts'
import { startCarryingOut } from '../effect/carry-out.ts'
import { acceptUnit, dispatchUnit } from '../effect/dispatch.ts'
import { performEffect } from '../effect/effect.ts'
import { commitDispatch } from '../effect/in-process.ts'
import { findHeldRefusal } from '../effect/locks.ts'
import type { Context } from '../engine-context.ts'
import type { Gathered } from '../judge/gathered.ts'
import type { Received } from '../judge/receive.ts'
import { storeRejection } from '../judge/reject.ts'
import { loadExecution } from '../rows/all-executions.ts'
import { buildAcceptedAnswer, buildRejectedAnswer } from '../rows/answer.ts'
import { stopIfDeclaredDead } from '../rows/declared-dead.ts'
import type { Dispatched, ReadyToSend } from '../rows/dispatched.ts'

type Staged = Extract<Verdict, { kind: 'staged' }>

type Timing = {
  /** When the decision began, by the monotonic clock. */
  readonly started: number
  readonly waitMs: number
}

/** Null: a guard failed, so the world moved; start over. */
export async function dispatchStaged(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Staged,
  timing: Timing,
): Promise<Answer | null> {
  const refuse = (refusal: Refusal, alone = false): Promise<Answer | null> => {
    const { flow, now } = gathered.view
    const rejection = { ...refusal, stage: 'dispatch', trace: verdict.trace } as const
    const { facts } = gathered.input
    return storeRejection(context, flow, now, rejection, { ...received, facts, alone })
  }
  const measures = getMeasures(verdict)
  const refusal = recheckDispatch(gathered, measures)
  if (refusal !== null) return refuse(refusal, isNarrowLook(gathered, measures))
  const { guards } = context.advisers
  const judged = { received, gathered, verdict }
  const meant = await guards.askBeforeDispatch(judged)
  if (meant === 'asked') return null
  if (meant !== 'cleared') return refuse(meant)

  const inline = context.executors === 'inline'
  const unitOf = inline ? dispatchUnit : acceptUnit
  const prepared = await unitOf(context, gathered, received, verdict)
  if (inline) await context.failpoints.reach('dispatch.before_commit')
  context.damage.assertNone()
  const { unit } = prepared
  const over = context.inFlight.hand(verdict.intent)
  try {
    const writes = [...unit.writes, ...guards.buildConsentWrites(judged)]
    const whole = { ...prepared, unit: { ...unit, writes } }
    const { outcome, settled } = inline
      ? await commitDispatch(context, whole, timing.started)
      : { outcome: await context.store.commit(whole.unit), settled: null }
    if (!outcome.ok) {
      stopIfDeclaredDead(outcome)
      if (outcome.failed.kind !== 'lock_free') return null
      const held = await waitOrRefuse(context, gathered, outcome.failed, timing)
      return held === null ? null : refuse(held)
    }
    const dispatched = prepared.placed(outcome)
    guards.watch(judged)
    if (!inline) return awaitExecutor(context, dispatched, timing)
    await context.failpoints.reach('dispatch.after_commit')
    if (settled !== null) return buildAcceptedAnswer(settled, dispatched.flow.attempts)
    return awaitAnswer(context, dispatched, startEffect(context, dispatched, timing), timing.waitMs)
  } finally {
    over()
  }
}

/** Sends it, and is known here as under way until it is settled. */
function startEffect(
  context: Context,
  dispatched: ReadyToSend,
  { started }: Timing,
): Promise<ExecutionRow> {
  const { dfid, step_id } = dispatched.execution
  const effect = performEffect(context, dispatched, { startedMonotonic: started })
  return context.inFlight.track(dfid, step_id, effect)
}

/** The outside, looked at once more on the values that were read for this decision. */
function recheckDispatch(gathered: Gathered, measures: JsonObject): Refusal | null {
  const { contract, facts, proposal } = gathered.input
  const { law } = gathered
  assert(contract !== null && law !== undefined, 'a staged proposal has a contract and a law')
  return checkDispatch({ facts: facts.value, proposal, contract, law, measures })
}

function getMeasures({ trace }: Staged): JsonObject {
  return trace.find((line) => line.stage === 'preconditions')?.measures ?? {}
}

/** Somebody else holds a resource. Null: look again. */
async function waitOrRefuse(
  context: Context,
  { view, input }: Gathered,
  guard: Extract<Guard, { kind: 'lock_free' }>,
  { started }: Timing,
): Promise<Refusal | null> {
  const { clock, book } = context
  const { lockWaitMs = 0 } = book.capability(input.proposal.policy_kind)?.hands ?? {}
  const patience = Math.min(lockWaitMs, LIMITS.lockWaitMs)
  const waited = clock.monotonic() - started
  if (waited < patience) {
    await clock.after(Math.min(LIMITS.lockLookMs, patience - waited)).elapsed
    return null
  }
  return findHeldRefusal(context, guard, view.now, patience === 0 ? null : patience)
}

/** An executor takes it from here: one of ours at once, or one elsewhere. */
function awaitExecutor(
  context: Context,
  accepted: Dispatched,
  { waitMs }: Timing,
): Promise<Answer> {
  const done =
    context.executors === 'separate'
      ? startCarryingOut(context, accepted.execution)
      : awaitSettledElsewhere(context, accepted.execution, waitMs)
  return awaitAnswer(context, accepted, done, waitMs)
}

async function awaitSettledElsewhere(
  context: Context,
  row: ExecutionRow,
  waitMs: number,
): Promise<ExecutionRow> {
  const { store, clock } = context
  const until = clock.monotonic() + waitMs
  for (let seen: ExecutionRow = row; ; ) {
    if (clock.monotonic() >= until) return seen
    await clock.after(LIMITS.lockLookMs).elapsed
    const found = await loadExecution(store, row.dfid, row.step_id)
    if (found?.intent !== row.intent) return readGivenBack(context, row)
    if (found.status !== 'ACCEPTED' && found.status !== 'DISPATCHED') return found
    seen = found
  }
}

async function awaitAnswer(
  context: Context,
  { execution, flow }: Dispatched,
  done: Promise<ExecutionRow>,
  waitMs: number,
): Promise<Answer> {
  // A timer of no time still takes one: whoever waits for the dispatch alone has it.
  if (waitMs === 0) return buildAcceptedAnswer(execution, flow.attempts)
  const timer = context.clock.after(waitMs)
  const row = await Promise.race([done, timer.elapsed.then(() => execution)])
  timer.cancel()
  if (row.status !== 'ABANDONED') return buildAcceptedAnswer(row, flow.attempts)
  return buildGivenBackAnswer(context, row, flow.attempts)
}

/** A world that moved on after the acceptance is shown to the agent as it now is. */
async function buildGivenBackAnswer(
  context: Context,
  row: ExecutionRow,
  attempt: number,
): Promise<Answer> {
  const named = row.reason_code ?? ''
  const code: ReasonCode = isReasonCode(named) ? named : 'DISPATCH_EXPIRED'
  const { trajectory, seq } = row.dispatched
  const details = isObject(row.result) ? row.result : {}
  const trace_id = `${trajectory}/${seq}`
  const where = { dfid: row.dfid, attempt, stage: 'dispatch' } as const
  const answer = buildRejectedAnswer({ ...where, code, details, trace_id }, null)
  if (code !== 'STATE_DRIFT_DETECTED') return answer
  const fresh = await refreshContext(context, row.dfid)
  return fresh.ok ? { ...answer, context: fresh.value } : answer
}
