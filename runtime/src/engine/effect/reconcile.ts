/**
 * Finds out what became of effects whose answer was lost, and carries on where that is safe.
 *
 * The kernel says what to try; this file tries it. Nothing is sent again without being judged again:
 * see `resend.ts`.
 */
import {
  assertUnreachable,
  LIMITS,
  parseInstant,
  type Resolution,
  resolveUncertain,
} from 'rubicon-kernel'
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { loadExecution, readAllExecutions } from '../rows/all-executions.ts'
import type { Dispatched } from '../rows/dispatched.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { toErrorMessage } from './effect.ts'
import { findHands } from './hands-of.ts'
import { probe, toUncertain, waitUntil } from './probe.ts'
import { resend } from './resend.ts'
import { settle } from './settle.ts'
import { findUndone } from './undo-hands.ts'

/** Starts on every uncertain effect that is due, as far as there is room; what was started. */
export async function startReconciling(
  context: Context,
  done: Set<string> = new Set(),
): Promise<readonly Promise<void>[]> {
  const { inFlight, reconciling, sends } = context
  const rows = await readAllExecutions(context.store, { status: ['UNKNOWN', 'NOT_APPLIED'] })
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
  const fresh = await loadExecution(context.store, row.dfid, row.step_id)
  const flow = await context.store.readFlow(row.dfid)
  if (fresh === null || flow === null || fresh.version !== row.version) return
  const details = { detail: `it could not be looked into: ${toErrorMessage(error)}` }
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
  const flow = await context.store.readFlow(execution.dfid)
  if (flow === null) throw new Error(`execution without its flow: ${execution.dfid}`)
  const intent = parseIntent(execution.intent)
  const dispatched: Dispatched = { intent, execution, flow }
  const undone = intent.compensation === undefined ? null : await findUndone(context, intent)
  const capability = findHands(context, intent, undone)
  // Other code than the kernel approved must neither ask nor send on its behalf.
  if (capability === undefined || capability.law.hash !== intent.capability_hash)
    return settle(context, dispatched, {
      kind: 'manual',
      details: { detail: 'the capability that sent it is not registered any more' },
    })
  const began = context.clock.monotonic()
  const { description } = capability.law
  const resolution: Resolution = resolveUncertain(description, toUncertain(context, execution))
  switch (resolution.kind) {
    case 'probe':
      return probe(context, dispatched, capability)
    case 'wait':
      return waitUntil(context, execution, resolution.untilMs)
    case 'resend':
      return resend(context, dispatched, capability, resolution.why, began)
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
      return assertUnreachable(resolution)
  }
}
