/**
 * T1: the unit that makes a decision durable before anything leaves the process. What the compiler
 * read becomes its guards, so that a revocation, a spent budget or a moved resource stops it here.
 */
import {
  assert,
  canonicalText,
  type ExecutionIntent,
  intentWithId,
  type JsonObject,
  type JsonValue,
  type SignedIntent,
  signedIntentText,
  type Verdict,
  type Writ,
} from 'rubicon-kernel'
import type { ExecutionRow, FlowRow, Guard, Unit, UnitOutcome } from '../ports/store.ts'
import { reserve } from './budget-counters.ts'
import { canonicalObject } from './canonical-object.ts'
import type { Context } from './context.ts'
import { moveFlow } from './flow-row.ts'
import type { Gathered } from './gather.ts'
import { isPlanted } from './planted-bug.ts'
import type { Received } from './receive.ts'
import { recordMembers } from './record.ts'
import { signText } from './sign.ts'

type Staged = Extract<Verdict, { kind: 'staged' }>

/** An effect on its way, with the rows as they were written when it was dispatched. */
export type Dispatched = {
  readonly intent: SignedIntent
  readonly execution: ExecutionRow
  readonly flow: FlowRow
}

export async function dispatchUnit(
  context: Context,
  gathered: Gathered,
  received: Received,
  verdict: Staged,
): Promise<{
  readonly unit: Unit
  placed(outcome: Extract<UnitOutcome, { ok: true }>): Dispatched
}> {
  const { view, input } = gathered
  const { intent, trace_text } = verdict
  const signed = await signIntent(context, verdict)
  const flow = moveFlow(view.flow, ['VALIDATING', 'ACCEPTED', 'EXECUTING'], view.now, {
    attempts: view.flow.attempts + 1,
  })
  const execution = newExecution(context, intent, signed.text, view.now)
  const writ = input.writs[0]
  assert(writ !== undefined, 'a staged proposal has a writ')
  const reserved = reserve(writ, intent.cost)
  const taken = isPlanted('budget_not_taken') ? [] : reserved.writes
  const payload = canonicalObject({
    ...recordMembers(context, received.received, flow.attempts, trace_text, input),
    intent: signed.text,
    send: '1',
    jit: canonicalText(jitReport(gathered)),
  })
  const unit: Unit = {
    guards: [...guardsOf(context, gathered, intent, writ), ...reserved.guards],
    writes: [
      {
        kind: 'append',
        trajectory: flow.trajectory,
        entry: 'dispatch',
        dfid: flow.dfid,
        authority_seq: gathered.authority.seq,
        payload,
      },
      { kind: 'put_flow', flow },
      { kind: 'put_execution', execution, entry: 0 },
      ...taken,
    ],
  }
  return {
    unit,
    placed: ({ entries }) => {
      const { trajectory, seq = 0 } = entries[0] ?? { trajectory: flow.trajectory }
      const dispatched = { trajectory, seq }
      return { intent: signed.intent, flow, execution: { ...execution, dispatched } }
    },
  }
}

/** What must still hold when the dispatch becomes durable. */
function guardsOf(
  context: Context,
  { view, authority, input, absent }: Gathered,
  intent: ExecutionIntent,
  writ: Writ,
): readonly Guard[] {
  const { dfid, version, trajectory } = view.flow
  const guards: Guard[] = [
    { kind: 'engine_epoch', epoch: context.store.epoch },
    { kind: 'flow_version', dfid, version },
    { kind: 'claim_absent', dfid, step_id: intent.step_id },
    { kind: 'authority_seq', seq: authority.seq },
    { kind: 'before', at: intent.dispatch_before },
  ]
  for (const { kind, id, version: seen } of input.facts.value.world)
    guards.push({ kind: 'world_version', trajectory, resource: { kind, id }, version: seen })
  for (const resource of absent)
    guards.push({ kind: 'world_version', trajectory, resource, version: null })
  assert(writ.id === intent.writ_id, 'the intent stands on the leaf of its writ chain')
  return guards
}

/** Intents in our own store are canonical JSON; whether the kernel signed them is checked apart. */
export function parseIntent(text: string): SignedIntent {
  return JSON.parse(text) as SignedIntent
}

/** What the kernel signed of a stored intent: its text without the signature. Null: not one. */
export function unsignedIntent(text: string, { kernel_signature }: SignedIntent): string | null {
  const parts = text.split(`"kernel_signature":${canonicalText(kernel_signature)},`)
  return parts.length === 2 ? parts.join('') : null
}

/** The kernel's signature covers the intent with its id; the executor checks it first. */
async function signIntent(
  context: Context,
  { intent, intent_text: halves }: Staged,
): Promise<{ readonly intent: SignedIntent; readonly text: string }> {
  const { intent_id } = intent
  const unsigned = intentWithId(halves, intent_id)
  const kernel_signature = await signText(context, 'kernel', 'intent', unsigned)
  const text = signedIntentText(halves, intent_id, kernel_signature)
  return { intent: Object.freeze({ ...intent, kernel_signature }), text }
}

function newExecution(
  context: Context,
  intent: ExecutionIntent,
  text: string,
  now: string,
): ExecutionRow {
  return {
    dfid: intent.dfid,
    step_id: intent.step_id,
    version: 1,
    trajectory: intent.trajectory,
    status: 'DISPATCHED',
    policy_kind: intent.policy_kind,
    params_fingerprint: intent.params_fingerprint,
    idempotency_key: intent.idempotency_key,
    intent: text,
    // The store knows the seq and fills it in.
    dispatched: { trajectory: intent.trajectory, seq: -1 },
    dispatched_at: now,
    last_sent_at: now,
    sends: 1,
    probes: 0,
    epoch: context.store.epoch,
    next_at: null,
    reason_code: null,
    result: null,
    receipt: null,
    settled_at: null,
  }
}

/** What was read just before, and how old it was. */
function jitReport({ view, input }: Gathered): JsonObject {
  const { state, world } = input.facts.value
  return {
    at: view.now,
    state: state.map(({ path, value, observed_at }) => ({ path, value, observed_at })),
    world: world.map(({ kind, id, version }) => ({ kind, id, version })) as unknown as JsonValue,
  }
}
