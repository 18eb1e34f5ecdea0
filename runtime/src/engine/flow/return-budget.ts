/**
 * A child flow holds a part of its parent's budget. When it has ended, nothing of it can be spent
 * any more, and what is left goes back, with an entry in the parent's trajectory.
 */
import {
  assert,
  type DelegationPayload,
  formatBudgetUnits,
  toBudgetUnits,
  toCanonicalText,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import type { Context } from '../engine-context.ts'
import { toCounterId } from '../rows/budget-counters.ts'
import { mintSalt } from '../rows/identity.ts'

/**
 * Writes for the unit in which a flow ends; `writes` are those that it holds already. A flow that
 * had ended before, and is only written to once more, has given back already.
 */
export async function returnBudget(
  context: Context,
  before: FlowRow,
  flow: FlowRow,
  writes: readonly Write[],
): Promise<readonly Write[]> {
  if (flow.parent_dfid === null || hasEnded(before) || !hasEnded(flow)) return []
  const [own, parent] = await loadWritChain(context, flow, undefined)
  const above = await context.store.readFlow(flow.parent_dfid)
  assert(own !== undefined && parent !== undefined && above !== null, 'a child has its parent')
  const left = await readUnusedUnits(context, own, writes)
  if (Object.keys(left).length === 0) return []
  const payload: DelegationPayload = {
    salt: mintSalt(context),
    parent_dfid: above.dfid,
    child_dfid: flow.dfid,
    child_agent: flow.agent_id,
    child_trajectory: flow.trajectory,
    writ_id: own.id,
    returned: formatUnits(left),
  }
  return [
    ...returnWrites(parent, left),
    {
      kind: 'append',
      trajectory: above.trajectory,
      entry: 'delegation',
      dfid: above.dfid,
      payload: toCanonicalText(payload),
    },
  ]
}

function hasEnded({ state }: FlowRow): boolean {
  return state === 'CLOSED' || state === 'ABORTED'
}

/** Minor units by measure. */
export type Units = Readonly<Record<string, number>>

export function formatUnits(left: Units): Readonly<Record<string, string>> {
  const amounts = Object.entries(left)
  return Object.fromEntries(
    amounts.map(([measure, units]) => [measure, formatBudgetUnits(measure, BigInt(units))]),
  )
}

export function returnWrites(parent: Writ, left: Units): readonly Write[] {
  return Object.entries(left).map(([measure, units]) => ({
    kind: 'count',
    id: toCounterId(parent.body.nonce, measure),
    by: -units,
  }))
}

/** What is left of each measure once `writes` are applied. */
export async function readUnusedUnits(
  { store }: Context,
  { body }: Writ,
  writes: readonly Write[],
): Promise<Units> {
  const left: Record<string, number> = {}
  for (const [measure, granted] of Object.entries(body.budget)) {
    const id = toCounterId(body.nonce, measure)
    let units = Number(toBudgetUnits(measure, granted) ?? 0n) - (await store.readCounter(id))
    for (const write of writes) if (write.kind === 'count' && write.id === id) units -= write.by
    if (units > 0) left[measure] = units
  }
  return left
}
