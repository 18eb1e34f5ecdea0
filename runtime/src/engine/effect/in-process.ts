/**
 * An effect of which nothing leaves the process: a tool without code whose executor is World, and a reserved
 * kind that consists of what it writes. What it comes to is worked out before anything is written, and T1 and
 * T2 are one unit.
 *
 * I1 entries, guards and their order are those of the two units, one after the other.
 * I2 a crash leaves nothing of it, or all: no step of it is ever dispatched and not settled.
 * I3 code of others never runs here: a TypeScript `execute`, `worldOnly` or not, may do whatever it likes, and
 *    is called only when its dispatch is durable.
 */
import { assert, isReserved, type SignedIntent } from 'rubicon-kernel'
import { NotApplied } from '../../ports/capability.ts'
import type { ExecutionRow, FlowRow, Guard, Unit, UnitOutcome } from '../../ports/store.ts'
import type { Context, ReservedHands, UnitEffect } from '../engine-context.ts'
import { holdFlow } from '../rows/held-flow.ts'
import { joinUnits } from '../rows/join-units.ts'
import type { IntentUnit } from './dispatch.ts'
import { attempt, toFailedSettlement } from './effect.ts'
import { buildSettlementUnit, toConflict } from './settle.ts'
import type { Settlement } from './settlement.ts'

export type CommittedDispatch = {
  readonly outcome: UnitOutcome
  /** The row as it stands where it was settled in the same unit; null: it is to be sent now. */
  readonly settled: ExecutionRow | null
}

/** Makes a dispatch durable, and what became of it where nothing has to be sent for that. */
export async function commitDispatch(
  context: Context,
  prepared: IntentUnit,
  startedMonotonic: number,
): Promise<CommittedDispatch> {
  if (isInProcess(context, prepared.ready.intent))
    return commitSettled(context, prepared, startedMonotonic)
  return { outcome: await context.store.commit(prepared.unit), settled: null }
}

/** Only what the runtime made of a manifest has one: register refuses other functions beside it. */
function isInProcess(
  { book, reservedHands }: Context,
  { policy_kind, compensation }: SignedIntent,
): boolean {
  if (compensation !== undefined) return false
  if (isReserved(policy_kind)) return reservedHands[policy_kind]?.prepare !== undefined
  const manifest = book.capability(policy_kind)?.hands.manifest
  return manifest !== undefined && 'world' in manifest.executor
}

async function commitSettled(
  context: Context,
  prepared: IntentUnit,
  startedMonotonic: number,
): Promise<CommittedDispatch> {
  const { store, signals } = context
  const began = signals?.readMoment()
  let tried = await tryInProcess(context, prepared, startedMonotonic)
  const interval = began === undefined ? undefined : signals?.measureSince(began)
  for (;;) {
    const joined = tried === null ? null : await joinSettlement(context, prepared, tried)
    if (joined === null || tried === null)
      return { outcome: await store.commit(prepared.unit), settled: null }
    const outcome = await store.commit(joined.unit)
    if (outcome.ok) {
      await tried.wrote?.finish()
      const sent = prepared.placed(outcome)
      if (interval !== undefined) signals?.recordEffect(sent, interval, tried.settlement)
      const { dispatched } = sent.execution
      const settled_at = joined.execution.settled_at === null ? null : outcome.at
      return { outcome, settled: { ...joined.execution, dispatched, settled_at } }
    }
    const settlement = await toRefused(prepared.unit, tried, outcome.failed)
    if (settlement === null) return { outcome, settled: null }
    tried = { settlement, wrote: null }
  }
}

type Tried = {
  readonly settlement: Settlement
  /** Of a reserved kind: what it consists of. */
  readonly wrote: UnitEffect | null
}

/** Null: it has to be done in units of its own. */
async function tryInProcess(
  context: Context,
  { ready }: IntentUnit,
  startedMonotonic: number,
): Promise<Tried | null> {
  const { policy_kind } = ready.intent
  const hands = context.reservedHands[policy_kind]
  if (!isReserved(policy_kind) || hands === undefined)
    return { settlement: await attempt(context, ready, { startedMonotonic }), wrote: null }
  let wrote: UnitEffect | null = null
  const act: ReservedHands['act'] = async (_, intent) => {
    const store = holdFlow(context.store, ready.flow)
    wrote = (await hands.prepare?.({ ...context, store }, intent)) ?? null
    return wrote?.effect ?? {}
  }
  const reservedHands = { ...context.reservedHands, [policy_kind]: { ...hands, act } }
  const settlement = await attempt({ ...context, reservedHands }, ready, { startedMonotonic })
  if (settlement.kind !== 'applied') return { settlement, wrote: null }
  return wrote === null ? null : { settlement, wrote }
}

/** Null: the store has to see the one before it can judge the other. */
async function joinSettlement(
  context: Context,
  { unit, ready }: IntentUnit,
  { settlement, wrote }: Tried,
): Promise<{ readonly unit: Unit; readonly execution: ExecutionRow } | null> {
  const acted = wrote === null ? unit : joinUnits(unit, wrote.unit)
  if (acted === null) return null
  const flow = findFlow(acted, ready.flow)
  const built = await buildSettlementUnit(context, { ...ready, flow }, settlement, acted.writes)
  assert(built !== null, 'what is not written yet was settled by nobody')
  const whole = joinUnits(acted, built.unit)
  return whole === null ? null : { unit: whole, execution: built.execution }
}

/** What a reserved kind writes may move the flow that it stands in. */
function findFlow({ writes }: Unit, flow: FlowRow): FlowRow {
  const moved = writes.find((write) => write.kind === 'put_flow' && write.flow.dfid === flow.dfid)
  return moved?.kind === 'put_flow' ? moved.flow : flow
}

/** What could not be written, as an outcome; null: the world moved, and everything is judged again. */
async function toRefused(
  { guards }: Unit,
  { wrote }: Tried,
  failed: Extract<UnitOutcome, { ok: false }>['failed'],
): Promise<Settlement | null> {
  if (failed.kind === 'delta') return toConflict(failed)
  if (wrote === null || guards.some((guard) => isSameGuard(guard, failed))) return null
  const refused = await wrote.explain(failed)
  return refused instanceof NotApplied ? toFailedSettlement(refused) : null
}

/** A store may answer with a copy. */
function isSameGuard(guard: Guard, failed: Guard): boolean {
  return JSON.stringify(guard) === JSON.stringify(failed)
}
