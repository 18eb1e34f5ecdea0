/**
 * Whether half of a job is done is read from the outcomes of a flow and of those below it, before one more is recorded.
 * Of two that are recorded at once each would miss the other, and nobody would be told. So they are counted: a failure
 * is recorded only where it has seen every success, and a success where it has seen every failure beside it. Successes
 * do not wait for each other.
 */
import { type ExecutionStatus, isReserved, type SignedIntent } from 'rubicon-kernel'
import type { FlowRow, Guard, Store, Unit, Write } from '../../ports/store.ts'

/** Before the other outcomes are read. */
export async function buildOutcomeCountUnit(
  store: Pick<Store, 'readCounter' | 'readFlow'>,
  flow: FlowRow,
  { policy_kind, compensation }: SignedIntent,
  status: ExecutionStatus,
): Promise<Unit> {
  if (compensation !== undefined || isReserved(policy_kind)) return NOTHING
  const buildCounterGuard = async (id: string): Promise<Guard> => {
    return { kind: 'counter', id, by: 0, limit: await store.readCounter(id) }
  }
  const { dfid, parent_dfid, writs } = flow
  if (status === 'FAILED') {
    const guards = [await buildCounterGuard(toSuccessCounter(dfid))]
    if (parent_dfid === null) return { guards, writes: [] }
    const parent = await store.readFlow(parent_dfid)
    guards.push(await buildCounterGuard(toSuccessCounter(parent_dfid)))
    // What the flow above did itself moves its row.
    if (parent !== null)
      guards.push({ kind: 'flow_version', dfid: parent_dfid, version: parent.version })
    return { guards, writes: [count(toFailureCounter(parent_dfid))] }
  }
  if (status !== 'SUCCESS' || parent_dfid === null) return NOTHING
  const above = writs.slice(1).map(({ nonce }) => nonce)
  return {
    guards: [await buildCounterGuard(toFailureCounter(parent_dfid))],
    writes: above.map((one) => count(toSuccessCounter(one))),
  }
}

const NOTHING: Unit = { guards: [], writes: [] }

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
