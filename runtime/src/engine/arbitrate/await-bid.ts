/** What the agent of a bid hears: what became of it, or that it is under way. */
import { type Answer, LIMITS } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { awaitFlowOutcome } from '../flow/settled.ts'

export async function awaitBid(
  context: Context,
  dfid: string,
  attempt: number,
  waitMs: number,
): Promise<Answer> {
  const { store, clock } = context
  const until = clock.monotonic() + waitMs
  const pending: Answer = {
    dfid,
    attempt,
    outcome: 'ACCEPTED',
    trace_id: '',
    execution: { status: 'PENDING' },
  }
  for (;;) {
    const left = until - clock.monotonic()
    const flow = await store.readFlow(dfid)
    if (flow?.state !== 'VALIDATING') {
      const found = await awaitFlowOutcome(context, dfid, { waitMs: Math.max(0, left) })
      return found.ok ? (found.value.answer ?? pending) : pending
    }
    if (left <= 0) return pending
    await clock.after(Math.min(LIMITS.lockLookMs, left)).elapsed
  }
}
