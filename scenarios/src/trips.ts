/** What monitors have left in a ledger, and whether the agent works. */
import type { AgentStatus, MonitorTripPayload } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'

export type TripDetails = MonitorTripPayload['details']

export async function readTrips({ store }: Runtime): Promise<readonly TripDetails[]> {
  const entries = await store.listLeaves(0, await store.countLeaves())
  return entries
    .filter(({ envelope }) => envelope.kind === 'evidence')
    .map(({ payload }) => JSON.parse(payload ?? '{}') as MonitorTripPayload)
    .filter(({ source }) => source === 'monitor')
    .map(({ details }) => details)
}

export async function readAgentStatus(
  { engine }: Runtime,
  agent: string,
): Promise<AgentStatus | null> {
  const { statuses } = await engine.context.authorities.loadLatest()
  return statuses.get(agent) ?? null
}

export function formatTrip({ monitor, value, bound, threshold, samples }: TripDetails): string {
  return `${monitor} is ${value}, ${bound} ${threshold}, over ${samples} executions`
}
