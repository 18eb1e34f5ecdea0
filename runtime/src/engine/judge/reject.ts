/** The "no": recorded and counted where it says something, answered in any case. */
import {
  type Answer,
  AUTHORITY,
  type Authority,
  type DeployedContract,
  findClassContract,
  findPinnedContract,
  isSettled,
  LIMITS,
  type PolicyProposal,
  type ReasonCode,
  type Verdict,
} from 'rubicon-kernel'
import type { FlowRow, Unit, UnitOutcome } from '../../ports/store.ts'
import { isNarrowing } from '../authority/narrowing.ts'
import { moveAgent, moveUnit } from '../authority/registry/lifecycle.ts'
import type { Context } from '../engine-context.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { buildDriftNotices } from '../notices/drift-notices.ts'
import { loadExecution } from '../rows/all-executions.ts'
import { buildRejectedAnswer, buildRepeatedAnswer, buildUnstoredAnswer } from '../rows/answer.ts'
import { countLateProposal, hasEnded } from '../rows/ended-flow.ts'
import { getMissionHash } from '../rows/mission.ts'
import type { Gathered } from './gathered.ts'
import type { Received, Unreadable } from './receive.ts'
import { buildRejectionUnit, type Rejection } from './record.ts'
import { checkRejectionRate, countRejection } from './rejection-rate.ts'
import { createRejectionWatches } from './rejection-watch.ts'

export async function rejectUnreadable(
  context: Context,
  dfid: string,
  unreadable: Unreadable,
): Promise<Answer> {
  const { code, details, received, document } = unreadable
  for (let tries = 0; tries < LIMITS.unitAttempts; tries++) {
    const flow = await context.store.readFlow(dfid)
    if (flow === null) return buildUnstoredAnswer(dfid, 'FLOW_UNKNOWN', 'repeat', {})
    const { now } = await context.store.readNow(flow.trajectory)
    const tooMany = await checkRejectionRate(context, { flow, now })
    if (tooMany !== null) return tooMany
    const rejection: Rejection = { code, details, stage: 'parser', trace: [] }
    const source = document === undefined ? { received } : { received, document }
    const answer = await storeRejection(context, flow, now, rejection, source)
    if (answer !== null) return answer
  }
  return buildUnstoredAnswer(dfid, 'DISPATCH_EXPIRED', 'dispatch', {})
}

/**
 * Refusals that tell the agent to wait or to look elsewhere are answered, not recorded; to a flow that
 * has ended they are, as far as anything is.
 */
const UNRECORDED: ReadonlySet<ReasonCode> = new Set<ReasonCode>(['STEP_IN_FLIGHT', 'FLOW_NOT_OPEN'])

export async function reject(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Extract<Verdict, { kind: 'rejected' }>,
  waitMs: number,
): Promise<Answer | null> {
  const { flow, now } = gathered.view
  if (verdict.code === 'STEP_IN_FLIGHT') {
    const settled = await waitForFirst(context, flow.dfid, received.proposal.step_id, waitMs)
    if (settled !== null) return settled
  }
  const isRecorded = verdict.code === 'FLOW_NOT_OPEN' && hasEnded(flow)
  if (UNRECORDED.has(verdict.code) && !isRecorded)
    return buildUnstoredAnswer(flow.dfid, verdict.code, verdict.stage, verdict.details)
  const { code, domain_code, details, stage, trace } = verdict
  const rejection = {
    code,
    details,
    stage,
    trace,
    ...(domain_code === undefined ? {} : { domain_code }),
  }
  return storeRejection(context, flow, now, rejection, {
    ...received,
    facts: gathered.input.facts,
    alone: isNarrowing(gathered, verdict),
  })
}

/** Who is stopped is not stopped once more, and whoever works below a stopped agent has done nothing. */
const NOBODYS_FAULT: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'FLOW_NOT_OPEN',
  'AGENT_SUSPENDED',
  'EVENT_HALTED',
])

export async function storeRejection(
  context: Context,
  flow: FlowRow,
  now: string,
  rejection: Rejection,
  source: Parameters<typeof buildRejectionUnit>[4],
): Promise<Answer | null> {
  const { code, domain_code, stage, details } = rejection
  const late = await countLateProposal(context, flow)
  if ('answer' in late) return late.answer
  const authority = await context.authorities.loadAtLeast(flow.contract_seq)
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  const record = await buildRejectionUnit(context, flow, now, rejection, source, deployed)
  const { unit, flow: after, ended, fresh } = record
  const watches = NOBODYS_FAULT.has(code)
    ? []
    : createRejectionWatches(context, authority, deployed, now, code, source.alone === true)
  const watched = [...unit.writes, ...watches.map(({ write }) => write)]
  const writes = [
    ...watched,
    ...(await returnBudget(context, flow, after, watched)),
    ...buildDriftNotices(deployed?.contract, after, rejection),
    ...countRejection(flow, deployed, now, code, source.alone === true),
    ...late.writes,
  ]
  const stop =
    code === 'MISSION_DISSONANCE'
      ? await buildSuspensionUnit(context, flow, (law) =>
          findDissonantClass(context, law, deployed, source.proposal),
        )
      : NOTHING
  const outcome = await context.store.commit({
    guards: [...unit.guards, ...late.guards, ...stop.guards],
    writes: [...writes, ...stop.writes],
  })
  if (!outcome.ok) return null
  if (fresh !== null) context.snapshots.remember(fresh.snapshot.address, fresh.snapshot.value)
  const stopped = outcome.entries.find(({ trajectory }) => trajectory === AUTHORITY)
  if (stopped !== undefined) await context.authorities.follow(stopped.seq)
  const last = `last at ${traceId(outcome)}`
  for (const { agent_id, judgeRejections } of watches) {
    const why = await judgeRejections()
    // Only whose count it is: of the refusals of a class, others may have had the most.
    if (why !== null) await suspendAgent(context, agent_id, code, `${why}, ${last}`)
  }
  const answer = buildRejectedAnswer(
    {
      dfid: flow.dfid,
      attempt: after.attempts,
      code,
      ...(domain_code === undefined ? {} : { domain_code }),
      stage,
      details,
      trace_id: traceId(outcome),
    },
    ended ?? null,
  )
  return fresh === null ? answer : { ...answer, context: fresh.working }
}

export function traceId(outcome: Extract<UnitOutcome, { ok: true }>): string {
  const entry = outcome.entries[0]
  return entry === undefined ? '' : `${entry.trajectory}/${entry.seq}`
}

const NOTHING: Unit = { guards: [], writes: [] }

/**
 * An agent that works on another mission is stopped in the unit that records the rejection: whoever
 * sees the one sees the other, also after a crash. One that is stopped already stays so.
 */
async function buildSuspensionUnit(
  context: Context,
  flow: FlowRow,
  agentBy: (authority: Authority) => string | undefined,
): Promise<Unit> {
  const authority = await context.authorities.loadLatest()
  const reason_code: ReasonCode = 'MISSION_DISSONANCE'
  const moved = await moveUnit(context, authority, {
    agent_id: agentBy(authority) ?? flow.agent_id,
    to: 'SUSPENDED',
    actor: 'runtime',
    reason_code,
    justification: `${reason_code}, in flow ${flow.dfid}`,
  })
  return moved.ok ? moved.value : NOTHING
}

/**
 * An agent that is rejected too often is stopped; only an operator starts it again. The count is with
 * the rejection: where this is lost in a crash, the next one stops it.
 */
async function suspendAgent(
  context: Context,
  agent_id: string,
  reason_code: ReasonCode,
  justification: string,
): Promise<void> {
  const move = { agent_id, to: 'SUSPENDED', actor: 'runtime' } as const
  await moveAgent(context, { ...move, justification, reason_code })
}

/**
 * The class whose instance works on another mission, or the next instance would go on with it; undefined
 * for a class, and where the instance named the mission of its class instead of a narrower one of its own.
 */
function findDissonantClass(
  { sha256 }: Context,
  authority: Authority,
  deployed: DeployedContract | undefined,
  proposal: Pick<PolicyProposal, 'mission_context_hash'> | undefined,
): string | undefined {
  const ofClass = findClassContract(authority, deployed)
  if (ofClass === undefined) return undefined
  const isOfClass = proposal?.mission_context_hash === getMissionHash(ofClass, sha256)
  return isOfClass ? undefined : ofClass.agent_id
}

/** A second identical proposal gets the first one's outcome, if that comes in time. */
async function waitForFirst(
  context: Context,
  dfid: string,
  stepId: string,
  waitMs: number,
): Promise<Answer | null> {
  const { clock, inFlight, store } = context
  const until = clock.monotonic() + waitMs
  for (;;) {
    const effect = inFlight.findEffect(dfid, stepId)
    const left = until - clock.monotonic()
    if (effect !== undefined) {
      const timer = clock.after(left)
      const row = await Promise.race([effect, timer.elapsed.then(() => null)])
      timer.cancel()
      return row === null || row.status === 'ABANDONED' ? null : buildRepeatedAnswer(row, 0)
    }
    // The first may be in another process, or just about to be known here.
    const row = await loadExecution(store, dfid, stepId)
    if (row !== null && isSettled(row.status)) return buildRepeatedAnswer(row, 0)
    if (row?.status !== 'ACCEPTED' && row?.status !== 'DISPATCHED') return null
    if (left <= 0) return null
    await clock.after(Math.min(LIMITS.lockLookMs, left)).elapsed
  }
}
