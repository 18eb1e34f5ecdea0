/**
 * Executors of their own: what was accepted is looked at once more, dispatched, and sent.
 *
 * A1 nothing is sent unless this engine's own unit made the dispatch durable, with every resource
 *    still held; an engine that slept past the end of its holds finds that out there.
 * A2 an accepted intent that cannot be dispatched gives everything back.
 */
import {
  LIMITS,
  parseInstant,
  type ReasonCode,
  type Refusal,
  toCanonicalText,
} from 'rubicon-kernel'
import type { DecisionView, ExecutionRow, Guard, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { readEventGuards } from '../flow/event-standing.ts'
import { type JudgedAgain, judgeAgain, loadHeld, toGuardRefusal } from '../judge/judge-again.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import { stopIfDeclaredDead } from '../rows/declared-dead.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { mintSalt } from '../rows/identity.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { type Accepted, abandon, readGivenBack } from './abandon.ts'
import { bindPlacement, buildDispatchGuards, buildJitReport, type IntentUnit } from './dispatch.ts'
import { performEffect } from './effect.ts'
import { commitDispatch } from './in-process.ts'
import { buildHeldGuards, holdWrites, takeLocks } from './locks.ts'

/** Authority that ended takes the flow with it; everything else sends the agent back. */
const ENDS_FLOW: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'AGENT_UNKNOWN',
  'AGENT_SUSPENDED',
  'AGENT_RETIRED',
  'CONTRACT_REVOKED',
  'WRIT_REVOKED',
  'FLOW_CANCELLED',
  'EVENT_HALTED',
])

/** Starts on everything that was accepted and that nobody here works on. How many. */
export async function carryOutAccepted(context: Context): Promise<number> {
  const rows = await context.store.listExecutions({
    status: ['ACCEPTED'],
    limit: LIMITS.entriesPerPage,
  })
  const idle = rows.filter(({ dfid, step_id }) => !context.inFlight.findEffect(dfid, step_id))
  for (const row of idle) startCarryingOut(context, row)
  return idle.length
}

/** Resolves with the row as it stands when it is settled, or given back. */
export function startCarryingOut(context: Context, row: ExecutionRow): Promise<ExecutionRow> {
  return context.inFlight.track(row.dfid, row.step_id, carryOut(context, row))
}

async function carryOut(context: Context, row: ExecutionRow): Promise<ExecutionRow> {
  const started = context.clock.monotonic()
  const intent = parseIntent(row.intent)
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const view = await loadHeld(context, intent)
    // Given back meanwhile; the step may have been claimed again, for another intent.
    if (view?.claim?.intent !== row.intent) return readGivenBack(context, row)
    if (view.claim.status !== 'ACCEPTED') return view.claim
    const accepted = { intent, execution: view.claim, flow: view.flow }
    const prepared = await prepare(context, view, accepted)
    // Its rules are in force and ours are not: a process that holds them carries it out.
    if (prepared === 'foreign') return view.claim
    if (!('unit' in prepared)) {
      const given = await abandon(context, accepted, prepared, ENDS_FLOW.has(prepared.code))
      if (given !== null) return given.execution
      continue
    }
    await context.failpoints.reach('dispatch.before_commit')
    context.damage.assertNone()
    const over = context.inFlight.hand(row)
    const { outcome, settled } = await commitDispatch(context, prepared, started).finally(over)
    if (outcome.ok) {
      await context.failpoints.reach('dispatch.after_commit')
      if (settled !== null) return settled
      return performEffect(context, prepared.placed(outcome), { startedMonotonic: started })
    }
    stopIfDeclaredDead(outcome)
    const lost = toGuardRefusal(outcome, intent.dispatch_before)
    if (lost === null) continue
    const given = await abandon(context, accepted, lost, false)
    if (given !== null) return given.execution
  }
  return row
}

async function prepare(
  context: Context,
  view: DecisionView,
  accepted: Accepted,
): Promise<IntentUnit | Refusal | 'foreign'> {
  const { intent, execution } = accepted
  const now = parseInstant(view.now)
  if (now === undefined || now >= (parseInstant(intent.dispatch_before) ?? 0))
    return { code: 'DISPATCH_EXPIRED', details: { before: intent.dispatch_before } }
  const held = await readEventGuards(context, view.flow)
  if ('code' in held) return held
  const judged = await judgeAgain(context, view, intent, execution)
  if (judged === 'foreign' || !('gathered' in judged)) return judged
  return buildDispatchUnit(context, judged, accepted, held)
}

/** The dispatch: everything is still as it was judged, and every resource is still held. */
function buildDispatchUnit(
  context: Context,
  { gathered, checked: { resources } }: JudgedAgain,
  { intent, execution: before }: Accepted,
  held: readonly Guard[],
): IntentUnit {
  const { view, input, authority } = gathered
  const flow = moveFlow(view.flow, ['EXECUTING'], view.now)
  const execution: ExecutionRow = {
    ...before,
    version: before.version + 1,
    status: 'DISPATCHED',
    dispatched_at: view.now,
    last_sent_at: view.now,
    sends: 1,
    epoch: context.store.epoch,
  }
  const payload = composeCanonicalObject({
    salt: toCanonicalText(mintSalt(context)),
    intent_id: `"${intent.intent_id}"`,
    accepted: toCanonicalText(before.dispatched),
    send: '1',
    facts: input.facts.text,
    facts_hash: `"${input.facts.address}"`,
    jit: toCanonicalText(buildJitReport(gathered)),
  })
  const { dfid, step_id, version } = before
  const { trajectory } = flow
  const hold = { taken_at: before.dispatched_at, expires_at: null, quarantined: false }
  const unit: Unit = {
    guards: [
      ...buildDispatchGuards(context, gathered, intent, intent.dispatch_before),
      { kind: 'execution_version', dfid, step_id, version },
      ...held,
      ...buildHeldGuards(intent),
      // What there is of a resource may have become less since it was accepted.
      ...takeLocks({ ...intent, resources }, view.now, null).guards,
    ],
    writes: [
      {
        kind: 'append',
        trajectory,
        entry: 'dispatch',
        dfid,
        authority_seq: authority.seq,
        payload,
      },
      { kind: 'put_flow', flow },
      { kind: 'put_execution', execution, entry: 0 },
      ...holdWrites(intent, hold),
    ],
  }
  const ready = { intent, flow, execution, world: input.facts.value.world }
  return { unit, ready, placed: bindPlacement(ready) }
}
