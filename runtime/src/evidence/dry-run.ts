/**
 * What monitors would have done, had they been in force from the first entry on. The samples and the
 * windows are those of the engine, so that a rehearsal and the real thing say the same.
 *
 * After a trip the monitors of the agent start anew, as they do when a person lets it go again. While
 * the record has the agent suspended, nothing trips.
 */
import {
  type Authority,
  findAgentClass,
  hashMonitor,
  type LifecyclePayload,
  type Monitor,
  type MonitorInForce,
  type MonitorVerdict,
  RollingWindow,
  type Sha256,
} from 'rubicon-kernel'
import { readAuthority } from '../engine/authority/authority-cache.ts'
import { judge } from '../engine/monitors/judge.ts'
import { Sampler } from '../engine/monitors/sampler.ts'
import { groupStreams } from '../engine/monitors/streams.ts'
import { readFlowsAt, type Trip } from '../engine/monitors/trip.ts'
import type { Watch } from '../engine/monitors/windows.ts'
import type { LeafEntry, Store } from '../ports/store.ts'
import { readLeafPages } from './pages.ts'

export type RehearsedTrip = Trip & {
  /** The flows behind it, the newest first, and not more than a trip names. */
  readonly flows: readonly string[]
}

export type DryRunReport = {
  /** Nothing would have tripped. */
  readonly ok: boolean
  readonly entries: number
  readonly executions: number
  readonly trips: readonly RehearsedTrip[]
  /** What each says at the end. */
  readonly monitors: readonly {
    readonly agent_id: string
    readonly monitor: string
    readonly verdict: MonitorVerdict
  }[]
}

export type DryRunOptions = {
  /** The first leaf to look at. */
  readonly from?: number
  /** Lets others go first, where the engine runs beside it. */
  readonly pause?: () => Promise<void>
}

export async function rehearseMonitors(
  store: Store,
  sha256: Sha256,
  monitors: readonly Monitor[],
  { from = 0, pause }: DryRunOptions = {},
): Promise<DryRunReport> {
  const authority = await readAuthority(store)
  const { contracts } = authority
  const streams = groupStreams(
    monitors.flatMap((monitor) => listInForce(monitor, contracts, sha256)),
  )
  const watches = new Map<string, Watch[]>()
  for (const stream of streams.values())
    watches.set(
      stream.name,
      stream.monitors.map((one) => startWatch(one, -1)),
    )
  const sampler = new Sampler(store)
  const trips: RehearsedTrip[] = []
  const stopped = new Map<string, boolean>()
  let [entries, executions] = [0, 0]
  for await (const page of readLeafPages(store, await store.countLeaves(), from)) {
    for (const entry of page) {
      await pause?.()
      entries += 1
      const move = parseMove(entry)
      if (move !== null)
        stopped.set(move.agent_id, move.to === 'SUSPENDED' || move.to === 'RETIRED')
      if (move?.from === 'SUSPENDED') restart(watches, authority, move.agent_id, entry.leaf)
      const read = await sampler.read(entry, { authority, streams })
      if (read.length > 0) executions += 1
      for (const found of read) {
        const { name, agent_id } = found.stream
        const isStopped = listAgentAndClass(authority, agent_id).some(
          (agent) => stopped.get(agent) ?? false,
        )
        for (const { watch, ...trip } of judge(found, watches.get(name) ?? [], isStopped)) {
          trips.push({ ...trip, flows: await readFlowsAt({ store }, trip.behind) })
          restart(watches, authority, watch.agent_id, entry.leaf)
        }
      }
    }
  }
  const last = [...watches.values()].flat().map(({ agent_id, monitor, window }) => {
    return { agent_id, monitor: monitor.name, verdict: window.computeVerdict() }
  })
  return { ok: trips.length === 0, entries, executions, trips, monitors: last }
}

/** On everybody who was ever an agent that it names, or an instance of one. */
function listInForce(
  monitor: Monitor,
  contracts: Authority['contracts'],
  sha256: Sha256,
): readonly MonitorInForce[] {
  const hash = hashMonitor(monitor, sha256)
  return [...contracts]
    .filter(([agent, versions]) =>
      versions.some(({ contract: { instance_of = agent } }) =>
        [agent, instance_of].some((name) => monitor.agents.includes(name)),
      ),
    )
    .map(([agent_id]) => ({ agent_id, monitor, hash, origin: 'file', seq: 0 }))
}

function startWatch(
  { agent_id, monitor, hash, origin, seq }: MonitorInForce,
  since: number,
): Watch {
  return { agent_id, monitor, hash, origin, seq, since, window: new RollingWindow(monitor) }
}

/** All monitors of the agent and of its instances, as a lift restarts all of them. */
function restart(
  watches: Map<string, Watch[]>,
  authority: Authority,
  agent: string,
  leaf: number,
): void {
  for (const [stream, held] of watches) {
    const isReached = ({ agent_id }: Watch): boolean =>
      listAgentAndClass(authority, agent_id).includes(agent)
    watches.set(
      stream,
      held.map((watch) => (isReached(watch) ? startWatch(watch, leaf) : watch)),
    )
  }
}

/** Whoever stops the class of an instance stops the instance. */
function listAgentAndClass(authority: Authority, agent: string): readonly string[] {
  return [agent, findAgentClass(authority, agent) ?? agent]
}

function parseMove({ envelope, payload }: LeafEntry): LifecyclePayload['body'] | null {
  return envelope.kind !== 'lifecycle' || payload === null ? null : parseLifecycle(payload).body
}

/** Entries in our own store are what we wrote there. */
function parseLifecycle(payload: string): LifecyclePayload {
  return JSON.parse(payload) as LifecyclePayload
}
