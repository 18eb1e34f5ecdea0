/** What monitors leave in the ledger: that they are in force, and that they tripped. */
import type { Address } from '../canonical/address.ts'
import type { Monitor, MonitorWindow, Statistic } from '../monitor/monitor.ts'
import type { MonitorBreach } from '../monitor/window.ts'

/** By an operator: what is watched from here on. One of the same name takes its place. */
export type MonitorBody =
  | { readonly action: 'watch'; readonly monitor: Monitor; readonly monitor_hash: Address }
  | { readonly action: 'unwatch'; readonly name: string; readonly reason: string }

/** Why a monitor suspended an agent; it stands in the unit of the suspension. */
export type MonitorTripPayload = {
  readonly salt: string
  readonly source: 'monitor'
  readonly finding: 'tripped'
  readonly reason_code: 'MONITOR_TRIPPED'
  readonly details: {
    readonly agent_id: string
    readonly monitor: string
    readonly monitor_hash: Address
    readonly statistic: Statistic['kind']
    readonly value: string | null
    readonly bound: MonitorBreach['bound']
    readonly threshold: string
    readonly window: MonitorWindow
    readonly samples: number
    readonly unreadable: number
    /** How many flows are behind it, and the newest of them by name. */
    readonly executions_behind: number
    readonly flows: readonly string[]
  }
}
