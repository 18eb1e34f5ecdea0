/** Which monitors watch which agents, as of a position of the authority trajectory. */
import { type Address, computeAddress } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { type Authority, type DeployedContract, findShownContract } from '../ledger/authority.ts'
import type { Monitor } from './monitor.ts'
import { buildThresholdMonitor } from './threshold-name.ts'

/** A monitor that watches an agent now. */
export type MonitorInForce = {
  /** The agent. */
  readonly agent_id: string
  /** The monitor. */
  readonly monitor: Monitor
  /** Its address. */
  readonly hash: Address
  /** Whether a contract brought it, or a file. */
  readonly origin: 'contract' | 'file'
  /** The authority entry from which on it is in force, unchanged. */
  readonly seq: number
}

export function hashMonitor(monitor: Monitor, sha256: Sha256): Address {
  return computeAddress('monitor', monitor, sha256)
}

/** In the order of agents, each with those of its contract first; nobody comes back from RETIRED. */
export function listMonitorsInForce(
  authority: Authority,
  now: string,
  sha256: Sha256,
): readonly MonitorInForce[] {
  const found: MonitorInForce[] = []
  for (const [agent_id, versions] of authority.contracts) {
    // What was carried out before all versions were revoked is watched too: a new one may follow.
    const current = findShownContract(authority, agent_id, now) ?? versions.at(-1)
    if (current === undefined || authority.statuses.get(agent_id) === 'RETIRED') continue
    for (const [name, bound] of Object.entries(current.contract.aggregate_thresholds)) {
      const monitor = buildThresholdMonitor(agent_id, name, bound)
      // Contracts are read strictly; one from before that says what nobody understands.
      if (monitor === undefined) continue
      const seq = findStatedSince(versions, current, name)
      found.push({ agent_id, monitor, hash: hashMonitor(monitor, sha256), origin: 'contract', seq })
    }
    for (const { monitor, hash, seq } of authority.monitors.values()) {
      const named = [agent_id, current.contract.instance_of ?? agent_id]
      if (named.some((name) => monitor.agents.includes(name)))
        found.push({ agent_id, monitor, hash, origin: 'file', seq })
    }
  }
  return found
}

/** A new version that says the same does not make a monitor forget. */
function findStatedSince(
  versions: readonly DeployedContract[],
  current: DeployedContract,
  name: string,
): number {
  const bound = current.contract.aggregate_thresholds[name]
  let since = current.seq
  for (const { contract, seq } of versions.toReversed()) {
    if (seq > current.seq) continue
    if (contract.aggregate_thresholds[name] !== bound) break
    since = seq
  }
  return since
}
