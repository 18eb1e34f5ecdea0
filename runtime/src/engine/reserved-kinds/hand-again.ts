import { refreshContext } from '../context/refresh.ts'
import type { Context } from '../engine-context.ts'

/** Hands a flow to its agent once more, if nobody has begun with it. */
export async function deliverFlowAgain(context: Context, dfid: string): Promise<void> {
  const flow = await context.store.readFlow(dfid)
  if (flow?.state !== 'ACTIVE' || flow.attempts > 0) return
  const shown = await refreshContext(context, dfid)
  const fresh = await context.store.readFlow(dfid)
  if (shown.ok && fresh !== null) context.opened({ flow: fresh, working: shown.value })
}
