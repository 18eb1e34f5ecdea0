/** The rows of a decision, with the counters of the writ it stands on. */
import type { PolicyProposal, Writ } from 'rubicon-kernel'
import type { DecisionView, FlowRow } from '../ports/store.ts'
import { counterIds } from './budget-counters.ts'
import type { Context } from './context.ts'
import { waitingCounter } from './escalate/pause.ts'
import { rejectionCounter } from './rejection-rate.ts'
import { maintenanceCounter } from './saga/maintenance.ts'
import { writChain } from './writ-chain.ts'

/** Counters that are read whatever the writ. */
const OF_THE_AGENT = 3

export type Loaded = { readonly view: DecisionView; readonly chain: readonly Writ[] }

/** Null: there is no such flow. */
export async function loadDecision(
  context: Context,
  dfid: string,
  { step_id, writ_id }: Pick<PolicyProposal, 'step_id' | 'writ_id'>,
): Promise<Loaded | null> {
  const { store, writs } = context
  const countersOf = (flow: FlowRow): readonly string[] => {
    const leaf = writs.peek(writ_id ?? flow.writs[0]?.id ?? '')
    const { agent_id } = flow
    const own = [
      maintenanceCounter(agent_id),
      waitingCounter(agent_id),
      rejectionCounter(agent_id, context.clock.now()),
    ]
    return leaf === undefined ? own : [...own, ...counterIds(leaf)]
  }
  const view = await store.decision(dfid, step_id, countersOf)
  if (view === null) return null
  const complete = countersOf(view.flow).length > OF_THE_AGENT
  const chain = await writChain(context, view.flow, writ_id)
  if (complete || chain.length === 0) return { view, chain }
  // The writ was not at hand, so its counters were not asked for: now they can be.
  const again = await store.decision(dfid, step_id, countersOf)
  return again === null ? null : { view: again, chain }
}
