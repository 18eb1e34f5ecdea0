/**
 * T2: what became of an effect, made durable together with everything that follows from it: the
 * delta, the budget, the state of the flow.
 */

import {
  assert,
  assertUnreachable,
  computeBackoffMs,
  type ExecutionStatus,
  formatInstant,
  LIMITS,
  mayBecome,
  parseInstant,
  type SignedIntent,
} from 'rubicon-kernel'
import type { DeltaFailure, ExecutionRow, FlowRow, Guard, Unit, Write } from '../../ports/store.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import { buildMemory } from '../context/memory.ts'
import { loadWanted } from '../context/rationale.ts'
import type { Context } from '../engine-context.ts'
import { askAfterOutcome } from '../escalate/asked-after.ts'
import { isByPerson, moveSettledFlow } from '../flow/flow-outcome.ts'
import { buildEvidenceWrites, buildOutcomeWrite } from '../flow/outcome-entries.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { countBeginning } from '../judge/pause.ts'
import { releaseWindow } from '../rows/agent-window.ts'
import { loadExecution } from '../rows/all-executions.ts'
import { release } from '../rows/budget-counters.ts'
import type { Dispatched } from '../rows/dispatched.ts'
import { isEffect } from '../saga/effects.ts'
import { countOutcome, NOTHING_WATCHED, watchFlows } from '../saga/outcome-counts.ts'
import { buildResumedSagas } from '../saga/resumed-sagas.ts'
import { buildAftermathUnit } from './aftermath.ts'
import { buildLockWrites } from './locks.ts'
import { convertUndoSettlement } from './of-undo.ts'
import { findResultLabel } from './result-label.ts'
import type { Settlement } from './settlement.ts'

type Rows = { readonly execution: ExecutionRow; readonly flow: FlowRow }

/** Makes the settlement durable and returns the row as it then stands. */
export async function settle(
  context: Context,
  dispatched: Dispatched,
  settlement: Settlement,
): Promise<ExecutionRow> {
  const { store, failpoints } = context
  let rows: Rows = dispatched
  let wanted = convertUndoSettlement(dispatched, settlement)
  await failpoints.reach('settle.before_commit')
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const built = await buildSettlementUnit(context, { ...dispatched, ...rows }, wanted)
    if (built === null) return rows.execution
    const outcome = await store.commit(built.unit)
    if (outcome.ok) {
      await failpoints.reach('settle.after_commit')
      const { execution } = built
      return execution.settled_at === null ? execution : { ...execution, settled_at: outcome.at }
    }
    if (outcome.failed.kind === 'delta') wanted = toConflict(outcome.failed)
    else rows = await reload(context, rows)
    // Another engine has moved it on: what we heard is about a send that is not the last word any more.
    if (rows.execution.version !== dispatched.execution.version) return rows.execution
  }
  throw new Error('an outcome could not be recorded: its rows kept changing')
}

/** It happened, and World cannot take it in. */
export function toConflict({ detail }: DeltaFailure): Settlement {
  return { kind: 'dirty', code: 'DELTA_CONFLICT', details: { detail } }
}

async function reload({ store }: Context, { execution, flow }: Rows): Promise<Rows> {
  const fresh = await loadExecution(store, flow.dfid, execution.step_id)
  const current = await store.readFlow(flow.dfid)
  assert(fresh !== null && current !== null, 'a dispatched step has its rows')
  return { execution: fresh, flow: current }
}

/** Null: somebody else settled it already. `held`: what is written before it, in the same unit. */
export async function buildSettlementUnit(
  context: Context,
  dispatched: Dispatched,
  settlement: Settlement,
  held: readonly Write[] = [],
): Promise<{ readonly unit: Unit; readonly execution: ExecutionRow } | null> {
  const { execution, flow, intent } = dispatched
  const to = toExecutionStatus(settlement)
  if (!mayBecome(execution.status, to)) return null
  const now = pickLaterInstant(context.clock.now(), execution.last_sent_at)
  const after = applySettlement(execution, settlement, to, { now, clockMs: context.clock.now() })
  const watched = (await isEffect(context, intent))
    ? await watchFlows(context.store, flow, to)
    : NOTHING_WATCHED
  const asked = await askAfterOutcome(context, flow, intent, after, now)
  const moved = await moveSettledFlow(context, flow, intent, settlement, { status: to, now, asked })
  const memory = await buildMemory(context, {
    agent_id: flow.agent_id,
    at: now,
    dfid: flow.dfid,
    attempt: intent.attempt,
    policy_kind: intent.policy_kind,
    outcome: to,
    code: after.reason_code,
    wanted: await loadWanted(context, dispatched),
    ...(settlement.kind === 'applied'
      ? { result: after.result, result_label: findResultLabel(context, intent, settlement) }
      : { details: settlement.details }),
  })
  const guards: Guard[] = [
    {
      kind: 'execution_version',
      dfid: flow.dfid,
      step_id: execution.step_id,
      version: execution.version,
    },
    { kind: 'flow_version', dfid: flow.dfid, version: flow.version },
  ]
  const writes: Write[] = [
    ...buildEvidenceWrites(context, intent, settlement),
    buildOutcomeWrite(context, intent, settlement, to, after),
    { kind: 'put_execution', execution: after, settles: after.settled_at !== null },
    { kind: 'put_flow', flow: moved },
    ...(await countBeginning(context, flow, moved)),
    ...(await buildBudgetWrites(context, flow, intent, settlement, to)),
    ...buildLockWrites(intent, to, execution.dispatched_at, context.sha256),
    memory.write,
    ...countOutcome(moved, watched, to),
  ]
  writes.push(...(await returnBudget(context, flow, moved, [...held, ...writes])))
  const beside = await buildAftermathUnit(context, {
    intent,
    execution: after,
    before: flow,
    after: moved,
    watched,
  })
  const resumed = isByPerson(settlement) ? await buildResumedSagas(context, flow.dfid) : null
  // What ends a saga in the same unit comes after what lets it go on.
  for (const unit of [resumed, beside, asked]) {
    guards.push(...(unit?.guards ?? []))
    writes.push(...(unit?.writes ?? []))
  }
  return { unit: { guards, writes }, execution: after }
}

function toExecutionStatus(settlement: Settlement): ExecutionStatus {
  switch (settlement.kind) {
    case 'applied':
      return 'SUCCESS'
    case 'failed':
      return settlement.transient ? 'NOT_APPLIED' : 'FAILED'
    case 'unknown':
      return 'UNKNOWN'
    case 'dirty':
    case 'manual':
      return 'MANUAL_REVIEW'
    case 'abandoned':
      return 'ABANDONED'
    default:
      return assertUnreachable(settlement)
  }
}

function pickLaterInstant(clockMs: number, at: string): string {
  return formatInstant(Math.max(clockMs, parseInstant(at) ?? 0))
}

function applySettlement(
  before: ExecutionRow,
  settlement: Settlement,
  status: ExecutionStatus,
  // By the clock, not by the ledger: its time stands still while a clock that was set back catches up.
  { now, clockMs }: { readonly now: string; readonly clockMs: number },
): ExecutionRow {
  const open = status === 'UNKNOWN' || status === 'NOT_APPLIED'
  const common = {
    ...before,
    version: before.version + 1,
    status,
    next_at: open ? formatInstant(clockMs + computeBackoffMs(before.sends)) : null,
    settled_at: open || status === 'MANUAL_REVIEW' ? null : now,
  }
  if (settlement.kind === 'applied') {
    const { result = null, receipt = null } = settlement.effect
    return { ...common, reason_code: null, details: null, result, receipt }
  }
  const reason_code = 'code' in settlement ? settlement.code : 'MANUAL_REVIEW_REQUIRED'
  return { ...common, reason_code, details: settlement.details }
}

/** Spent on success, given back when nothing was applied, held while nobody knows. */
async function buildBudgetWrites(
  context: Context,
  flow: FlowRow,
  intent: SignedIntent,
  settlement: Settlement,
  status: ExecutionStatus,
): Promise<readonly Write[]> {
  // Taking back is free; it stands on the writ of another flow.
  if (intent.compensation !== undefined) return []
  const [writ] = await loadWritChain(context, flow, intent.writ_id)
  assert(writ !== undefined, 'a dispatched intent stands on a writ in the ledger')
  const { nonce } = writ.body
  if (settlement.kind !== 'applied' && status !== 'FAILED') return []
  const spent = settlement.kind === 'applied' ? (settlement.effect.cost ?? intent.cost) : {}
  const ofWindow = await releaseWindow(context, flow, intent, spent)
  return [...release(nonce, intent.cost, spent), ...ofWindow]
}
