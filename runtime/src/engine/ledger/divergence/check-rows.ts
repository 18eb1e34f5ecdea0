/** Whether the rows of a store are what its ledger says, as a start asks before anything is decided. */
import type { Context } from '../../engine-context.ts'
import { checkAgentCounters } from './agent-counters.ts'
import { checkConfirmedClock } from './confirmed-clock.ts'
import { checkHidden } from './hidden-entries.ts'
import { checkInstances } from './live-instances.ts'
import { checkOpenFlows } from './open-flows.ts'
import { checkTrajectories } from './trajectories.ts'

/** Throws a `StoreDiverged` or a `HeadMismatch` at the first that is not. Which flows were looked at. */
export async function checkRows(context: Context): Promise<readonly string[]> {
  const { exposed } = context.store
  if (exposed) await checkTrajectories(context)
  await checkConfirmedClock(context)
  const flows = await checkOpenFlows(context)
  if (exposed) await checkHidden(context, flows)
  await checkAgentCounters(context)
  await checkInstances(context)
  return flows
}
