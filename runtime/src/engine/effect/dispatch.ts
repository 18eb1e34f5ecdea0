/**
 * T1: the unit that makes a decision durable before anything leaves the process. What the compiler
 * read becomes its guards, so that a revocation, a spent budget or a moved resource stops it here.
 * With executors of their own it is accepted here, and dispatched in `carry-out.ts`.
 */

import {
  assert,
  type ExecutionIntent,
  type Facts,
  type FlowState,
  formatInstant,
  formatIntentWithId,
  formatSignedIntent,
  type JsonObject,
  LIMITS,
  parseInstant,
  reportDrift,
  type SignedIntent,
  toCanonicalText,
  type Verdict,
  type Writ,
} from 'rubicon-kernel'
import type { ExecutionRow, Guard, Unit, UnitOutcome } from '../../ports/store.ts'
import { buildRulesGuards } from '../authority/rules/held-standing.ts'
import { STATE_GROUP } from '../context/observed-state.ts'
import type { Context } from '../engine-context.ts'
import type { Gathered } from '../judge/gathered.ts'
import { buildPauseGuards } from '../judge/pause.ts'
import type { Received } from '../judge/receive.ts'
import { recordMembers } from '../judge/record.ts'
import { buildFlaggedUnit } from '../notices/flagged.ts'
import { reserveWindow } from '../rows/agent-window.ts'
import { buildAtomGuard, endAtom, releaseAtom, replaceReservation } from '../rows/atom-row.ts'
import { reserve } from '../rows/budget-counters.ts'
import { composeCanonicalObject } from '../rows/canonical-object.ts'
import type { ReadyToSend } from '../rows/dispatched.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildMaintenanceGuard } from '../rows/maintenance.ts'
import { buildReleaseGuards } from '../rows/release-counts.ts'
import { signText } from '../rows/sign.ts'
import { takeLocks } from './locks.ts'

type Staged = Extract<Verdict, { kind: 'staged' }>

/** A unit that puts an intent down, and the rows as they stand once it is durable. */
export type IntentUnit = {
  readonly unit: Unit
  /** Before the store has said where the entry stands. */
  readonly ready: ReadyToSend
  placed(outcome: Extract<UnitOutcome, { ok: true }>): ReadyToSend
}

/** Decided and dispatched in one unit: this process acts as soon as it is durable. */
export function dispatchUnit(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Staged,
): Promise<IntentUnit> {
  return buildIntentUnit(context, gathered, received, verdict, {
    entry: 'dispatch',
    status: 'DISPATCHED',
    path: ['VALIDATING', 'ACCEPTED', 'EXECUTING'],
    locksUntil: null,
  })
}

/** Decided and reserved; an executor dispatches it, or its holds run out. */
export function acceptUnit(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Staged,
): Promise<IntentUnit> {
  const hold = formatInstant((parseInstant(gathered.view.now) ?? 0) + LIMITS.lockHoldMs)
  const { dispatch_before } = verdict.intent
  return buildIntentUnit(context, gathered, received, verdict, {
    entry: 'accepted',
    status: 'ACCEPTED',
    path: ['VALIDATING', 'ACCEPTED'],
    locksUntil: hold < dispatch_before ? hold : dispatch_before,
  })
}

type Form = {
  readonly entry: 'dispatch' | 'accepted'
  readonly status: 'DISPATCHED' | 'ACCEPTED'
  readonly path: readonly FlowState[]
  readonly locksUntil: string | null
}

async function buildIntentUnit(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Staged,
  { entry, status, path, locksUntil }: Form,
): Promise<IntentUnit> {
  const { view, input } = gathered
  const { intent, trace_text } = verdict
  const signed = await signIntent(context, verdict)
  // What a person approved as it was is not validated from the start: it is accepted.
  // Nor is what has waited for the others of its event.
  const isBegun = intent.approval?.decision === 'OVERRIDE' || received.stake?.waited === true
  const steps = isBegun ? path.slice(1) : path
  const won = received.stake?.win(intent)
  const flagged = buildFlaggedUnit(view, verdict)
  const attempts = view.flow.attempts + 1
  const flow = moveFlow(view.flow, steps, view.now, { attempts, ...flagged.tags })
  const execution = buildExecution(context, intent, signed.text, view.now, status)
  const writ = input.writs[0]
  assert(writ !== undefined, 'a staged proposal has a writ')
  const reserved = buildReservation(gathered, intent, writ)
  const locks = takeLocks(intent, view.now, locksUntil)
  const payload = composeCanonicalObject({
    ...recordMembers(context, received, flow.attempts, trace_text, input),
    intent: signed.text,
    send: entry === 'dispatch' ? '1' : undefined,
    jit: toCanonicalText(buildJitReport(gathered)),
  })
  const cited = entry === 'dispatch' ? { authority_seq: gathered.authority.seq } : {}
  const { trajectory, dfid } = flow
  const unit: Unit = {
    guards: [
      ...buildDispatchGuards(context, gathered, intent, intent.dispatch_before),
      { kind: 'claim_absent', dfid, step_id: intent.step_id },
      ...reserved.guards,
      ...locks.guards,
      ...buildPauseGuards(gathered, received),
      ...(received.session?.guards ?? []),
      ...(received.release?.unit.guards ?? []),
      ...(won?.guards ?? []),
    ],
    writes: [
      { kind: 'append', trajectory, entry, dfid, ...cited, payload },
      { kind: 'put_flow', flow },
      { kind: 'put_execution', execution, entry: 0 },
      ...reserved.writes,
      ...locks.writes,
      ...flagged.writes,
      ...(received.release?.unit.writes ?? []),
      ...(won?.writes ?? []),
    ],
  }
  const { world } = input.facts.value
  const { justification: rationale = null } = input.proposal
  const ready = { intent: signed.intent, flow, execution, world, rationale }
  return { unit, ready, placed: bindPlacement(ready) }
}

/**
 * What it costs, of the writ and of the agent's window, in place of what its atom holds. What was approved uses no atom up,
 * but was judged without what the one that it names still holds: that goes back here, or the guards would never hold.
 */
function buildReservation(
  { atom, input }: Gathered,
  { cost, staged_at, atom_id }: ExecutionIntent,
  writ: Writ,
): Unit {
  const own = reserve(writ, cost)
  const window = reserveWindow(input.contract, staged_at, cost)
  const whole = {
    guards: [...own.guards, ...window.guards],
    writes: [...own.writes, ...window.writes],
  }
  assert(
    atom_id === undefined || atom?.body.atom.atom_id === atom_id,
    'an intent uses the atom that was looked at',
  )
  if (atom === null) return whole
  const { atom: held } = atom.body
  const returned = releaseAtom(writ.body.nonce, held, input.contract ?? undefined)
  const { guards, writes } = replaceReservation(whole, returned)
  const isUsed = atom_id !== undefined
  const end: readonly Guard[] = isUsed ? [{ kind: 'before', at: held.expires_at }] : []
  return {
    guards: [...guards, buildAtomGuard(atom), ...end],
    writes: [...writes, endAtom(held, isUsed ? 'used' : 'returned')],
  }
}

/** The store knows where the entry stands once it is durable. */
export function bindPlacement(ready: ReadyToSend): IntentUnit['placed'] {
  return ({ entries }) => {
    const { trajectory, seq = 0 } = entries[0] ?? { trajectory: ready.flow.trajectory }
    return { ...ready, execution: { ...ready.execution, dispatched: { trajectory, seq } } }
  }
}

/** What must still hold when it becomes durable that the intent is sent before that time. */
export function buildDispatchGuards(
  context: Context,
  { view, authority, input, absent, observed, releases, saga }: Gathered,
  intent: ExecutionIntent,
  before: string,
): readonly Guard[] {
  const { dfid, version, trajectory } = view.flow
  const guards: Guard[] = [
    { kind: 'engine_epoch', epoch: context.store.epoch },
    { kind: 'flow_version', dfid, version },
    { kind: 'authority_seq', seq: authority.seq },
    { kind: 'before', at: before },
    ...endGuards(input.facts.value),
    ...buildRulesGuards(context, authority, intent),
    ...saga,
  ]
  if (!input.facts.value.agent.maintenance) guards.push(buildMaintenanceGuard(view.flow.agent_id))
  for (const { kind, id, version: seen } of input.facts.value.world)
    guards.push({ kind: 'world_version', trajectory, resource: { kind, id }, version: seen })
  for (const resource of absent)
    guards.push({ kind: 'world_version', trajectory, resource, version: null })
  for (const { path: key, version: read } of observed)
    guards.push({
      kind: 'record_version',
      record: 'observation',
      group: STATE_GROUP,
      key,
      version: read,
    })
  if (releases !== null)
    guards.push(...buildReleaseGuards(intent.resources, releases, context.sha256))
  assert(input.writs[0]?.id === intent.writ_id, 'the intent stands on the leaf of its chain')
  return guards
}

/** What was read at the last look may end sooner than what the intent was decided on. */
function endGuards({ state }: Facts): readonly Guard[] {
  return state.flatMap(({ until }): readonly Guard[] =>
    until === undefined ? [] : [{ kind: 'before', at: until }],
  )
}

/** The kernel's signature covers the intent with its id; the executor checks it first. */
export async function signIntent(
  context: Context,
  { intent, intent_text: halves }: Pick<Staged, 'intent' | 'intent_text'>,
): Promise<{ readonly intent: SignedIntent; readonly text: string }> {
  const { intent_id } = intent
  const unsigned = formatIntentWithId(halves, intent_id)
  const kernel_signature = await signText(context, 'kernel', 'intent', unsigned)
  const text = formatSignedIntent(halves, intent_id, kernel_signature)
  return { intent: Object.freeze({ ...intent, kernel_signature }), text }
}

export function buildExecution(
  context: Context,
  intent: ExecutionIntent,
  text: string,
  now: string,
  status: 'DISPATCHED' | 'ACCEPTED',
): ExecutionRow {
  return {
    dfid: intent.dfid,
    step_id: intent.step_id,
    version: 1,
    trajectory: intent.trajectory,
    status,
    policy_kind: intent.policy_kind,
    params_fingerprint: intent.params_fingerprint,
    idempotency_key: intent.idempotency_key,
    intent: text,
    // The store knows the seq and fills it in.
    dispatched: { trajectory: intent.trajectory, seq: -1 },
    dispatched_at: now,
    last_sent_at: now,
    sends: status === 'ACCEPTED' ? 0 : 1,
    probes: 0,
    epoch: context.store.epoch,
    next_at: null,
    reason_code: null,
    details: null,
    result: null,
    receipt: null,
    settled_at: null,
  }
}

/** What was read just before, how old it was, and how far it had moved since the agent saw it. */
export function buildJitReport({ view, input, law }: Gathered): JsonObject {
  const { contract, proposal, facts } = input
  const { state, world } = facts.value
  const moved =
    contract === null || law === undefined
      ? []
      : reportDrift({ facts: facts.value, proposal, contract, law, measures: {} })
  return {
    at: view.now,
    state: state.map(({ path, value, observed_at }) => ({ path, value, observed_at })),
    world: world.map(({ kind, id, version }) => ({ kind, id, version })),
    ...(moved.length === 0 ? {} : { drift: moved }),
  }
}
