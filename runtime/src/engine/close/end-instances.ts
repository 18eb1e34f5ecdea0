/**
 * Ends instances that agents spawned for an occasion: when their flow has ended, their time is over, or
 * their class is retired.
 *
 * E1 what ends an instance stands in the store from the unit on that made it, so that whichever engine
 *    comes next ends it. By time its contract has ended already: nothing of it passes in between.
 * E2 it is retired first; then its flows end. What is on its way is settled as ever, and its flow ends
 *    with the round after: the record goes when nothing of the instance is open any more.
 * E3 one that is suspended ends like any other: what is over is nothing that an operator could let go.
 */
import { LIMITS, MAIN, OPEN_FLOW_STATES } from 'rubicon-kernel'
import type { RecordBodies } from '../../ports/record.ts'
import { endInstance } from '../authority/registry/instances.ts'
import type { Context } from '../engine-context.ts'
import { processRows } from '../rows/each-row.ts'
import { iterateLiveInstances, LIVE, type LiveInstance } from '../rows/live-instances.ts'
import { cancelFlow } from './end-flow.ts'

/** Returns how many were ended. */
export async function endInstances(context: Context): Promise<number> {
  return processRows(context, 'instances', iterateLiveInstances(context), async (live) => {
    const { now } = await context.store.readNow(MAIN)
    return endWhenOver(context, live, now)
  })
}

async function endWhenOver(context: Context, live: LiveInstance, now: string): Promise<boolean> {
  const { key: agent } = live
  const { statuses } = await context.authorities.loadLatest()
  const before = statuses.get(agent)
  const hasEnded = [before, statuses.get(live.body.class)].includes('RETIRED')
  const why = hasEnded
    ? 'it or its class has ended'
    : await explainOccasionOver(context, live.body, now)
  if (why === null) return false
  const ends = before !== 'RETIRED' && (await endInstance(context, agent, why)).ok
  await endFlows(context, agent, why)
  if (ends || before === 'RETIRED') await forget(context, live)
  return ends
}

/** In words why its occasion is over, or null. */
async function explainOccasionOver(
  { store }: Context,
  { until, ends_at }: RecordBodies['instance'],
  now: string,
): Promise<string | null> {
  if (now >= ends_at) return `its time is over since ${ends_at}`
  if ('at' in until) return null
  const flow = await store.readFlow(until.flow)
  const isOpen = flow !== null && OPEN_FLOW_STATES.includes(flow.state)
  return isOpen ? null : `flow ${until.flow} has ended`
}

async function endFlows(context: Context, agent_id: string, why: string): Promise<void> {
  const limit = LIMITS.entriesPerPage
  const open = await context.store.listFlowSummaries({ agent_id, state: OPEN_FLOW_STATES, limit })
  for (const { dfid } of open) await cancelFlow(context, dfid, why)
}

/** Once nothing of it is open. */
async function forget({ store }: Context, { key, version }: LiveInstance): Promise<void> {
  const state = OPEN_FLOW_STATES
  const open = await store.listFlowSummaries({ agent_id: key, state, limit: 1 })
  if (open.length > 0) return
  const place = { record: 'instance', group: LIVE, key } as const
  await store.commit({
    guards: [{ kind: 'record_version', ...place, version }],
    writes: [{ kind: 'drop_record', ...place }],
  })
}
