/** A monitor has tripped: the agent is stopped, and the record says why and by which flows. */
import {
  type Authority,
  LIMITS,
  MAIN,
  type MonitorBreach,
  type MonitorTripPayload,
  type MonitorVerdict,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import { buildAuthorityWrite, type Registrar } from '../authority/registry/append-authority.ts'
import { endSessionsAfter, signLifecycleEntry } from '../authority/registry/lifecycle.ts'
import { buildSuspensionNotice } from '../authority/registry/suspension-notice.ts'
import { mintSalt } from '../rows/identity.ts'
import type { Watch } from './windows.ts'

/** What a monitor said at one execution. */
export type Trip = {
  /** The agent that is suspended. */
  readonly agent_id: string
  /** Its name. */
  readonly monitor: string
  /** Of the monitor as it was deployed. */
  readonly monitor_hash: string
  /** The execution at which it tripped. */
  readonly leaf: number
  /** The flow of that execution. */
  readonly dfid: string
  /** When it tripped. */
  readonly at: string
  /** What it measured, and which bound that breaks. */
  readonly verdict: MonitorVerdict & { readonly breach: MonitorBreach }
  /** Leaves of the executions behind it, the oldest first. */
  readonly behind: readonly number[]
}

/** The authority entries and what stands beside them; nothing where the agent is stopped already. */
export type TripWrites = { readonly entries: readonly Write[]; readonly beside: readonly Write[] }

const NOTHING: TripWrites = { entries: [], beside: [] }

/** `trips`: all of one agent, at one execution. `seq`: where the suspension will stand. */
export async function buildTripWrites(
  registrar: Registrar,
  authority: Authority,
  trips: readonly (Trip & { readonly watch: Watch })[],
  seq: number,
): Promise<TripWrites> {
  const [first] = trips
  if (first === undefined) return NOTHING
  const { agent_id } = first
  const move = {
    agent_id,
    to: 'SUSPENDED',
    actor: 'runtime',
    justification: trips.map(formatTripReason).join('; '),
    reason_code: 'MONITOR_TRIPPED',
  } as const
  const entry = await signLifecycleEntry(registrar, authority, move)
  if (!entry.ok) return NOTHING
  const evidence: Write[] = []
  for (const trip of trips) evidence.push(await buildTripEvidence(registrar, trip))
  return {
    entries: [buildAuthorityWrite('lifecycle', entry.value.payload)],
    beside: [
      ...evidence,
      ...(await endSessionsAfter(registrar, authority, move)),
      ...buildSuspensionNotice(registrar.clock, move, seq),
    ],
  }
}

/** `MONITOR_TRIPPED: discount_mean is 0.1125, max 0.1, over 20 executions` */
export function formatTripReason({ monitor, verdict }: Trip): string {
  const { value, samples, unreadable, breach } = verdict
  const found =
    breach.bound === 'unreadable'
      ? `${monitor} cannot read ${unreadable} values, at most ${breach.threshold}`
      : `${monitor} is ${value ?? 'beyond every bound'}, ${breach.bound} ${breach.threshold}`
  return `MONITOR_TRIPPED: ${found}, over ${samples} executions`
}

async function buildTripEvidence(
  registrar: Registrar,
  { watch, verdict, behind, agent_id }: Trip & { readonly watch: Watch },
): Promise<Write> {
  const { value, samples, unreadable, breach } = verdict
  const { monitor, hash } = watch
  const payload: MonitorTripPayload = {
    salt: mintSalt(registrar),
    source: 'monitor',
    finding: 'tripped',
    reason_code: 'MONITOR_TRIPPED',
    details: {
      agent_id,
      monitor: monitor.name,
      monitor_hash: hash,
      statistic: monitor.statistic.kind,
      value,
      bound: breach.bound,
      threshold: breach.threshold,
      window: monitor.window,
      samples,
      unreadable,
      executions_behind: behind.length,
      flows: await readFlowsAt(registrar, behind),
    },
  }
  const text = toCanonicalText(payload)
  return { kind: 'append', trajectory: MAIN, entry: 'evidence', payload: text }
}

/** The flows of the newest of these leaves, each once, the newest first. */
export async function readFlowsAt(
  { store }: Pick<Registrar, 'store'>,
  leaves: readonly number[],
): Promise<readonly string[]> {
  const flows = new Set<string>()
  for (const leaf of leaves.toReversed()) {
    if (flows.size >= LIMITS.monitorFlowsNamed) break
    const [entry] = await store.listLeaves(leaf, 1)
    if (entry?.envelope.dfid !== undefined) flows.add(entry.envelope.dfid)
  }
  return [...flows]
}
