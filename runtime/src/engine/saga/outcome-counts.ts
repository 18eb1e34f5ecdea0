/**
 * Whether half of a job is done is read from the outcomes of a flow and of those around it, before one more is recorded.
 * Of two that are recorded at once each would miss the other, and nobody would be told. So they are counted.
 *
 * O1 an effect that succeeded is counted for its flow, unless that ends with it, and for every flow above; one that failed and
 *    ended its flow, for that flow and the one above.
 * O2 an outcome that makes no half job of a flow is recorded only where nothing was counted there since before it looked. One
 *    that does guards no count: others that are recorded all the time would keep it from being recorded.
 */
import type { ExecutionStatus } from 'rubicon-kernel'
import type { FlowRow, Guard, Store, Write } from '../../ports/store.ts'

/** A flow that an outcome may make half a job of. */
export type WatchedFlow = {
  readonly flow: FlowRow
  /** Nothing was counted since before the flow was read. */
  readonly unchanged: readonly Guard[]
}

export type WatchedFlows = {
  /** The flow of the effect itself. */
  readonly own: readonly WatchedFlow[]
  /** The nearest first. */
  readonly above: readonly WatchedFlow[]
}

export const NOTHING_WATCHED: WatchedFlows = { own: [], above: [] }

/** Before the other outcomes are read. A failure is looked at by its flow and the one above, a success by all above. */
export async function watchFlows(
  store: Pick<Store, 'readCounter' | 'readFlow'>,
  flow: FlowRow,
  status: ExecutionStatus,
): Promise<WatchedFlows> {
  if (status !== 'FAILED' && status !== 'SUCCESS') return NOTHING_WATCHED
  const toCounter = status === 'FAILED' ? toSuccessCounter : toFailureCounter
  const watch = async (dfid: string): Promise<Guard> => {
    const id = toCounter(dfid)
    return { kind: 'counter', id, by: 0, limit: await store.readCounter(id) }
  }
  const own = status === 'FAILED' ? [{ flow, unchanged: [await watch(flow.dfid)] }] : []
  const above: WatchedFlow[] = []
  for (let dfid = flow.parent_dfid; dfid !== null; ) {
    const uncounted = await watch(dfid)
    const one = await store.readFlow(dfid)
    if (one === null) break
    // With each child that is opened the row of a flow moves, too: where its own success is counted, that is not looked at.
    const isCounted = status === 'SUCCESS' || one.steps === 'many'
    above.push({ flow: one, unchanged: isCounted ? [uncounted] : [uncounted, buildUnmoved(one)] })
    dfid = status === 'FAILED' ? null : one.parent_dfid
  }
  return { own, above }
}

export function buildUnmoved({ dfid, version }: FlowRow): Guard {
  return { kind: 'flow_version', dfid, version }
}

/** `after`: the flow of the effect as it is then. */
export function countOutcome(
  { dfid, state, steps }: FlowRow,
  { above }: WatchedFlows,
  status: ExecutionStatus,
): readonly Write[] {
  const flows = above.map(({ flow }) => flow.dfid)
  if (status === 'SUCCESS')
    return [...(steps === 'many' ? [dfid] : []), ...flows].map((one) =>
      count(toSuccessCounter(one)),
    )
  if (status !== 'FAILED' || state !== 'ABORTED') return []
  return [dfid, ...flows].map((one) => count(toFailureCounter(one)))
}

/** There is no space in the names of budgets. */
function toSuccessCounter(dfid: string): string {
  return `succeeded ${dfid}`
}

function toFailureCounter(dfid: string): string {
  return `failed ${dfid}`
}

function count(id: string): Write {
  return { kind: 'count', id, by: 1 }
}
