/**
 * Finds out what became of effects whose answer was lost, and carries on where that is safe.
 *
 * The kernel says what to try; this file tries it. Nothing is sent again without a `dispatch` entry
 * of its own, under authority that still stands, with the same key and the same bytes.
 */
import {
  canonicalText,
  type JsonValue,
  LIMITS,
  parseInstant,
  type RedispatchPayload,
  type Resolution,
  resolveUncertain,
  unreachable,
} from 'rubicon-kernel'
import type { ExecutionRow } from '../ports/store.ts'
import { allExecutions, executionOf } from './all-executions.ts'
import type { Context } from './context.ts'
import { type Dispatched, parseIntent } from './dispatch.ts'
import { messageOf, performEffect } from './effect.ts'
import { bearerOf, earliestEnd, endedAuthority } from './ended-authority.ts'
import { handsOf } from './hands-of.ts'
import { mintSalt } from './identity.ts'
import { probe, uncertain, versionGuard, waitUntil } from './probe.ts'
import { standingChoice } from './saga/standing-choice.ts'
import { settle } from './settle.ts'
import { writChain } from './writ-chain.ts'

/** Starts on every uncertain effect that is due, as far as there is room; what was started. */
export async function startReconciling(
  context: Context,
  done: Set<string> = new Set(),
): Promise<readonly Promise<void>[]> {
  const { inFlight, reconciling, sends } = context
  const rows = await allExecutions(context.store, { status: ['UNKNOWN', 'NOT_APPLIED'] })
  sends.look(rows)
  reconciling.keep(rows)
  const now = context.clock.now()
  const started: Promise<void>[] = []
  for (const row of rows) {
    const name = `${row.dfid} ${row.step_id}`
    if (done.has(name) || !isDue(context, row, now) || !reconciling.mayStart(row)) continue
    done.add(name)
    const work = (): Promise<ExecutionRow> =>
      inFlight.track(row.dfid, row.step_id, reconcile(context, row))
    started.push(reconciling.run(row, work, (error) => giveUp(context, row, error)))
  }
  return started
}

/** Looks once at every uncertain effect that is due, and waits for what is found. How many. */
export async function reconcileDue(context: Context): Promise<number> {
  const done = new Set<string>()
  for (;;) {
    const started = await startReconciling(context, done)
    if (started.length === 0) return done.size
    await Promise.all(started)
  }
}

/** Looking into it has failed again and again: it goes to a person, with what is known. */
async function giveUp(context: Context, row: ExecutionRow, error: unknown): Promise<void> {
  const fresh = await executionOf(context.store, row.dfid, row.step_id)
  const flow = await context.store.flow(row.dfid)
  if (fresh === null || flow === null || fresh.version !== row.version) return
  const details = { detail: `it could not be looked into: ${messageOf(error)}` }
  const dispatched = { intent: parseIntent(fresh.intent), execution: fresh, flow }
  await settle(context, dispatched, { kind: 'manual', details })
}

/** Nothing waits longer than what it may arrive late, or than any other does: a clock was set back. */
function isDue({ book }: Context, row: ExecutionRow, now: number): boolean {
  if (row.next_at === null) return true
  const wait = (parseInstant(row.next_at) ?? 0) - now
  const { probe } = book.capability(row.policy_kind)?.law.description ?? {}
  const lateMs = (probe?.max_late_arrival_s ?? 0) * 1000 + LIMITS.lateSendMs
  return wait <= 0 || wait > Math.max(LIMITS.backoffMaxMs, lateMs) + LIMITS.clockSkewMs
}

async function reconcile(context: Context, execution: ExecutionRow): Promise<ExecutionRow> {
  const flow = await context.store.flow(execution.dfid)
  if (flow === null) throw new Error(`execution without its flow: ${execution.dfid}`)
  const intent = parseIntent(execution.intent)
  const dispatched: Dispatched = { intent, execution, flow }
  const capability = handsOf(context, intent)
  // Other code than the kernel approved must neither ask nor send on its behalf.
  if (capability === undefined || capability.law.hash !== intent.capability_hash)
    return settle(context, dispatched, {
      kind: 'manual',
      details: { detail: 'the capability that sent it is not registered any more' },
    })
  const began = context.clock.monotonic()
  const { description } = capability.law
  const resolution: Resolution = resolveUncertain(description, uncertain(context, execution))
  switch (resolution.kind) {
    case 'probe':
      return probe(context, dispatched, capability)
    case 'wait':
      return waitUntil(context, execution, resolution.untilMs)
    case 'resend':
      return resend(context, dispatched, resolution.why, began)
    case 'give_up':
      return resolution.status === 'FAILED'
        ? settle(context, dispatched, {
            kind: 'failed',
            code: 'EFFECT_FAILED',
            transient: false,
            details: { detail: 'it was sent as often as allowed' },
          })
        : settle(context, dispatched, {
            kind: 'manual',
            details: { detail: 'no probe or resend can settle it safely' },
          })
    default:
      return unreachable(resolution)
  }
}

/** Sends the same bytes under the same key again, if authority for it still stands. */
async function resend(
  context: Context,
  dispatched: Dispatched,
  why: RedispatchPayload['why'],
  startedMonotonic: number,
): Promise<ExecutionRow> {
  const { intent, execution, flow } = dispatched
  const authority = await context.authorities.latest()
  const bearer = await bearerOf(context, intent, flow)
  const chain = await writChain(context, bearer, intent.writ_id)
  const { now } = await context.store.now(flow.trajectory)
  const choice = await standingChoice(context, intent)
  const ended =
    choice === null
      ? 'the choice to take it back does not stand any more'
      : endedAuthority(authority, bearer, chain, now)
  if (ended !== null)
    return why === 'not_applied'
      ? settle(context, dispatched, {
          kind: 'failed',
          code: 'EFFECT_FAILED',
          transient: false,
          details: { detail: ended },
        })
      : settle(context, dispatched, { kind: 'manual', details: { detail: ended } })

  const sent: ExecutionRow = {
    ...execution,
    version: execution.version + 1,
    status: 'DISPATCHED',
    sends: execution.sends + 1,
    last_sent_at: now,
    epoch: context.store.epoch,
    next_at: null,
  }
  const payload: RedispatchPayload = {
    salt: mintSalt(context),
    intent_id: intent.intent_id,
    first: execution.dispatched,
    send: sent.sends,
    why,
  }
  await context.failpoints.reach('resend.before_commit')
  const outcome = await context.store.commit({
    guards: [
      versionGuard(execution),
      { kind: 'engine_epoch', epoch: context.store.epoch },
      { kind: 'authority_seq', seq: authority.seq },
      { kind: 'before', at: earliestEnd(chain) },
      ...(choice ?? []),
    ],
    writes: [
      {
        kind: 'append',
        trajectory: flow.trajectory,
        entry: 'dispatch',
        dfid: flow.dfid,
        authority_seq: authority.seq,
        payload: canonicalText(payload as unknown as JsonValue),
      },
      { kind: 'put_execution', execution: sent },
    ],
  })
  if (!outcome.ok) return execution
  await context.failpoints.reach('resend.after_commit')
  return performEffect(
    context,
    { intent, execution: sent, flow },
    { startedMonotonic, earlierUnknown: why === 'same_key' },
  )
}
