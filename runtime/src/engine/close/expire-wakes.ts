/**
 * Flows that were woken and that nobody takes up. What an event was worth deciding is not worth deciding whenever
 * somebody comes back: the flow ends, and the next event wakes again.
 *
 * 1. Only a flow in which nothing was proposed, which waits for longer than `EVENT_LIMITS.wakeMs`, and which nobody has
 *    claimed, or claimed and left.
 * 2. What this process works on stays claimed.
 */
import { EVENT_LIMITS, formatInstant, MAIN, parseInstant } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import { dropSharedStates } from '../context/shared-state.ts'
import type { Context } from '../engine-context.ts'
import { buildClaimDrop, claimFlow, iterateClaims, toEngineName } from '../flow/flow-claim.ts'
import { processRows } from '../rows/each-row.ts'
import { isCancellable } from './end-flow.ts'
import { endFlowByRule, isBusy } from './expire-flows.ts'

/** Ends every flow that was woken in vain; returns how many. */
export async function expireWakes(context: Context): Promise<number> {
  const { now } = await context.store.readNow(MAIN)
  const nowMs = parseInstant(now) ?? 0
  let ended = 0
  await processRows(context, 'expiry', iterateClaims(context), async (row) => {
    const { claim, since } = row.body
    if (context.handlers.working.has(row.key)) {
      await claimFlow(context, row.key, toEngineName(context))
      return false
    }
    if (nowMs - (parseInstant(since) ?? 0) < EVENT_LIMITS.wakeMs) return false
    if (claim !== null && now < claim.until) return false
    const isEnded = await endWake(context, row)
    if (isEnded) ended += 1
    return isEnded
  })
  // Flows that see the reading of an event have opened by now, or read for themselves.
  await dropSharedStates(context, formatInstant(Math.max(0, nowMs - 2 * EVENT_LIMITS.wakeMs)))
  return ended
}

/** The claim goes whatever has become of the flow: it is over, or somebody has begun. */
async function endWake(context: Context, row: StoredRecord<'flow_claim'>): Promise<boolean> {
  const { store } = context
  const flow = await store.readFlow(row.key)
  const drop = buildClaimDrop(row)
  const guard = { kind: 'record_version', record: 'flow_claim', group: row.group } as const
  const same = { ...guard, key: row.key, version: row.version }
  const isWaiting = flow?.state === 'ACTIVE' && flow.attempts === 0 && isCancellable(flow)
  if (!isWaiting || (await isBusy(context, flow.dfid))) {
    await store.commit({ guards: [same], writes: [drop] })
    return false
  }
  const details = { opened_at: flow.opened_at, event_id: flow.event?.event_id ?? null }
  return endFlowByRule(context, flow, 'WAKE_EXPIRED', details, { guards: [same], writes: [drop] })
}
