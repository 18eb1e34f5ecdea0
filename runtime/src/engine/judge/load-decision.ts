/** The rows of a decision, with the counters of the writ it stands on. */
import { findAgentClass, type PolicyProposal, type Writ } from 'rubicon-kernel'
import type { DecisionView, FlowRow } from '../../ports/store.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import type { Context } from '../engine-context.ts'
import { listCounterIds } from '../rows/budget-counters.ts'
import { toMaintenanceCounter } from '../rows/maintenance.ts'
import { toWaitingCounter } from './pause.ts'
import { toRejectionCounter } from './rejection-rate.ts'

export type Loaded = { readonly view: DecisionView; readonly chain: readonly Writ[] }

/** Null: there is no such flow. */
export async function loadDecision(
  context: Context,
  dfid: string,
  { step_id, writ_id }: Pick<PolicyProposal, 'step_id' | 'writ_id'>,
): Promise<Loaded | null> {
  const { store, writs, authorities, clock, firstUse } = context
  if (firstUse.isFirst(dfid)) await firstUse.check(dfid)
  const now = clock.now()
  const listCounters = (flow: FlowRow): readonly string[] => {
    const leaf = writs.peek(writ_id ?? flow.writs[0]?.id ?? '')
    const { agent_id } = flow
    const { remembered } = authorities
    return [
      toMaintenanceCounter(agent_id),
      toWaitingCounter(remembered, agent_id),
      toRejectionCounter(findAgentClass(remembered, agent_id) ?? agent_id, now),
      ...(leaf === undefined ? [] : listCounterIds(leaf)),
    ]
  }
  const view = await store.readDecision(dfid, step_id, listCounters)
  if (view === null) return null
  await authorities.loadAtLeast(view.flow.contract_seq)
  const chain = await loadWritChain(context, view.flow, writ_id)
  if (listCounters(view.flow).every((id) => id in view.counters)) return { view, chain }
  // Writ or class were not at hand, so their counters were not asked for: now they can be.
  const again = await store.readDecision(dfid, step_id, listCounters)
  return again === null ? null : { view: again, chain }
}
