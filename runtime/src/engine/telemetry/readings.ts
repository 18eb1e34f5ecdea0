/**
 * How full the house is, read when somebody asks. What is counted stands in the store, so that every
 * process which shares it says the same; proposals in flight are this process's own.
 */
import {
  type Authority,
  type ExecutionStatus,
  type FlowState,
  LIMITS,
  OPEN_FLOW_STATES,
  parseInstant,
} from 'rubicon-kernel'
import type { Reading } from '../../ports/reading.ts'
import type { Context } from '../engine-context.ts'
import { RegistryUnavailable } from '../rows/registry-unavailable.ts'

/** The gauges of an engine as of now, for `Observability.metrics`. */
export async function readings(context: Context): Promise<readonly Reading[]> {
  const { store, inFlight } = context
  const countFlows = (state: readonly FlowState[]) => store.countRows({ of: 'flows', state })
  const countEffects = (status: ExecutionStatus) =>
    store.countRows({ of: 'executions', status: [status] })
  const held = { labels: { state: 'held' } } as const
  const limit = { labels: { state: 'limit' } } as const
  return [
    { name: 'rubicon_proposals_in_flight', value: inFlight.proposals, ...held },
    { name: 'rubicon_proposals_in_flight', value: inFlight.limit, ...limit },
    {
      name: 'resource_lock_contention',
      value: await store.countRows({ of: 'records', record: 'lock' }),
      ...held,
    },
    {
      name: 'resource_lock_contention',
      value: inFlight.limit * LIMITS.resourcesPerProposal,
      ...limit,
    },
    { name: 'rubicon_flows_open', value: await countFlows(OPEN_FLOW_STATES) },
    { name: 'rubicon_escalations_pending', value: await countFlows(['ESCALATED']) },
    { name: 'rubicon_outcomes_unknown', value: await countEffects('UNKNOWN') },
    { name: 'rubicon_manual_reviews_pending', value: await countEffects('MANUAL_REVIEW') },
    {
      name: 'rubicon_outbox_depth',
      value: await store.countRows({ of: 'records', record: 'notice', group: 'due' }),
    },
    ...(await readCheckpointLag(context)),
    ...(await countAgents(context)),
  ]
}

async function readCheckpointLag({ store, clock }: Context): Promise<readonly Reading[]> {
  const covered = (await store.readCheckpoint())?.size ?? 0
  const lag = (await store.countLeaves()) - covered
  const [oldest] = lag > 0 ? await store.listLeaves(covered, 1) : []
  const since = oldest === undefined ? null : (parseInstant(oldest.envelope.at) ?? null)
  const age = since === null ? 0 : Math.max(0, clock.now() - since) / 1000
  return [
    { name: 'rubicon_checkpoint_lag_entries', value: Math.max(0, lag) },
    { name: 'rubicon_checkpoint_age_seconds', value: age },
  ]
}

async function countAgents({ authorities }: Context): Promise<readonly Reading[]> {
  const found = new Map<string, number>()
  const authority = await loadTold(authorities)
  for (const status of authority.statuses.values()) found.set(status, (found.get(status) ?? 0) + 1)
  return [
    { name: 'rubicon_registry_degraded', value: authorities.degraded ? 1 : 0 },
    ...[...found].map(
      ([state, value]): Reading => ({ name: 'rubicon_agents', value, labels: { state } }),
    ),
  ]
}

/** Where the registry is away for long nothing is decided, and that is when somebody looks at figures. */
async function loadTold(authorities: Context['authorities']): Promise<Authority> {
  try {
    return await authorities.loadLatest()
  } catch (error) {
    if (!(error instanceof RegistryUnavailable)) throw error
    return authorities.remembered
  }
}
