/**
 * A child flow holds a part of its parent's budget. When it has ended, nothing of it can be spent
 * any more, and what is left goes back, with an entry in the parent's trajectory.
 */
import {
  assert,
  budgetText,
  budgetUnits,
  canonicalText,
  type DelegationPayload,
  type JsonValue,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../ports/store.ts'
import { counterId } from './budget-counters.ts'
import type { Context } from './context.ts'
import { mintSalt } from './identity.ts'
import { writChain } from './writ-chain.ts'

/** Writes for the unit in which a flow ends; `writes` are those that it holds already. */
export async function returnBudget(
  context: Context,
  flow: FlowRow,
  writes: readonly Write[],
): Promise<readonly Write[]> {
  const ended = flow.state === 'CLOSED' || flow.state === 'ABORTED'
  if (!ended || flow.parent_dfid === null) return []
  const [own, parent] = await writChain(context, flow, undefined)
  const above = await context.store.flow(flow.parent_dfid)
  assert(own !== undefined && parent !== undefined && above !== null, 'a child has its parent')
  const left = await unused(context, own, writes)
  const measures = Object.entries(left)
  if (measures.length === 0) return []
  const payload: DelegationPayload = {
    salt: mintSalt(context),
    parent_dfid: above.dfid,
    child_dfid: flow.dfid,
    child_agent: flow.agent_id,
    child_trajectory: flow.trajectory,
    writ_id: own.id,
    returned: Object.fromEntries(
      measures.map(([measure, units]) => [measure, budgetText(measure, BigInt(units))]),
    ),
  }
  return [
    ...measures.map(([measure, units]): Write => {
      return { kind: 'count', id: counterId(parent.body.nonce, measure), by: -units }
    }),
    {
      kind: 'append',
      trajectory: above.trajectory,
      entry: 'delegation',
      dfid: above.dfid,
      payload: canonicalText(payload as unknown as JsonValue),
    },
  ]
}

/** Minor units that are left of each measure once `writes` are applied. */
async function unused(
  { store }: Context,
  { body }: Writ,
  writes: readonly Write[],
): Promise<Readonly<Record<string, number>>> {
  const left: Record<string, number> = {}
  for (const [measure, granted] of Object.entries(body.budget)) {
    const id = counterId(body.nonce, measure)
    let units = Number(budgetUnits(measure, granted) ?? 0n) - (await store.counter(id))
    for (const write of writes) if (write.kind === 'count' && write.id === id) units -= write.by
    if (units > 0) left[measure] = units
  }
  return left
}
