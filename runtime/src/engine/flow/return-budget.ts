/**
 * A child flow holds a part of its parent's budget. When it has ended, nothing of it can be spent
 * any more, and what is left goes back, with an entry in the parent's trajectory.
 */
import {
  assert,
  type DelegationPayload,
  findPinnedContract,
  formatBudgetUnits,
  toBudgetUnits,
  toCanonicalText,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import type { Context } from '../engine-context.ts'
import { endAtom, releaseAtom } from '../rows/atom-row.ts'
import { toCounterId } from '../rows/budget-counters.ts'
import { mintSalt } from '../rows/identity.ts'
import { listOpenAtoms } from '../rows/open-atoms.ts'

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
  const atoms = await returnOpenAtoms(context, flow, own, writes)
  const left = await readUnusedUnits(context, own, [...writes, ...atoms])
  if (Object.keys(left).length === 0) return atoms
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
    ...atoms,
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

/** No decision can use them any more; `writes`: of the same unit, in which one of them may just be used. */
async function returnOpenAtoms(
  context: Context,
  flow: FlowRow,
  { body }: Writ,
  writes: readonly Write[],
): Promise<readonly Write[]> {
  const used = writes.flatMap((one) =>
    one.kind === 'put_record' && one.record === 'atom' ? [one.key] : [],
  )
  const open = (await listOpenAtoms(context.store, flow.dfid)).filter(
    ({ key }) => !used.includes(key),
  )
  if (open.length === 0) return []
  const authority = await context.authorities.loadAtLeast(flow.contract_seq)
  const contract = findPinnedContract(authority, flow.agent_id, flow.contract_hash)?.contract
  return open.flatMap(({ body: { atom } }) => [
    ...releaseAtom(body.nonce, atom, contract),
    endAtom(atom, 'returned'),
  ])
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
