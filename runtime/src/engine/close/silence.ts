/** What the two watchdogs share: when somebody is silent, and how a person is asked about it. */
import {
  type Contract,
  isSilent,
  parseActiveHours,
  parseInstant,
  type SilenceWatchdog,
} from 'rubicon-kernel'
import type { FlowRow, Write } from '../../ports/store.ts'
import type { Zones } from '../../ports/zones.ts'
import type { Context } from '../engine-context.ts'
import { askAboutFlow } from '../escalate/ask-flow.ts'
import { stopMarked } from '../escalate/stop-agents.ts'
import { returnBudget } from '../flow/return-budget.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { buildGovernorEntry } from '../rows/governor-entry.ts'

export function hasFallenSilent(
  zones: Zones,
  { minutes, active }: SilenceWatchdog,
  since: string,
  now: number,
): boolean {
  const read = active === undefined ? undefined : parseActiveHours(active)
  // A zone that this machine does not know: better to ask too early than never.
  const hours = read !== undefined && zones.knows(read.zone) ? read : undefined
  const toLocalTime = (at: number) => zones.localTime(hours?.zone ?? '', at)
  return isSilent({ minutes, hours, since: parseInstant(since) ?? 0, now, local: toLocalTime })
}

/** False: the flow moved meanwhile, which is what was missing. */
export async function askAboutSilence(
  context: Context,
  flow: FlowRow,
  contract: Contract,
  { minutes, scope, since }: SilenceWatchdog & { readonly since: string },
): Promise<boolean> {
  const { store } = context
  const { now } = await store.readNow(flow.trajectory)
  const details = { minutes, since, ...(scope === undefined ? {} : { scope }) }
  const trigger = { id: 'silence', code: 'SILENCE', channel: 'operator', details } as const
  const asked = await askAboutFlow(context, flow, now, contract, { kind: 'silence', trigger })
  const after = moveFlow(flow, [asked.to], now)
  const writes: Write[] = [
    buildGovernorEntry(context, flow, 'SILENCE', details),
    { kind: 'put_flow', flow: after },
    ...asked.writes,
  ]
  const outcome = await store.commit({
    guards: [{ kind: 'flow_version', dfid: flow.dfid, version: flow.version }, ...asked.guards],
    writes: [...writes, ...(await returnBudget(context, flow, after, writes))],
  })
  if (outcome.ok && asked.to === 'ABORTED') await stopMarked(context)
  return outcome.ok
}
