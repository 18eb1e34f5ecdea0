/**
 * What the fold knows at an entry: what was granted, asked for, begun, spent and ended before it.
 * Nothing is judged here; `fold.ts` says what an entry makes of it.
 */
import type { Contract, Sha256 } from 'rubicon-kernel'
import type { AuthorityState } from '../authority/authority-state.ts'
import type { Kept } from '../compact-records/parts.ts'
import { ArbitratedEvents } from './arbitration.ts'
import { type Atoms, createAtoms } from './atoms.ts'
import { type Budgets, createBudgets } from './budgets.ts'
import { type Capabilities, createCapabilities } from './capabilities.ts'
import { createMaintenance, type Maintenance } from './maintenance.ts'
import { createRequests, type Requests } from './requests.ts'
import { createSteps, type Steps } from './steps.ts'
import { createWindows, type Windows } from './windows.ts'

export type FoldState = {
  readonly sha256: Sha256
  readonly authority: AuthorityState
  readonly capabilities: Capabilities
  readonly steps: Steps
  readonly atoms: Atoms
  readonly budgets: Budgets
  readonly windows: Windows
  readonly maintenance: Maintenance
  /** Flows of which something was erased: what is missing may have been there. */
  readonly erased: Set<string>
  readonly requests: Requests
  readonly events: ArbitratedEvents
  /** Flows that have ended: nothing is begun in them any more. */
  readonly ended: Set<string>
}

export function createFoldState(sha256: Sha256, authority: AuthorityState, kept: Kept): FoldState {
  const erased = new Set<string>()
  const capabilities = createCapabilities()
  return {
    sha256,
    authority,
    capabilities,
    requests: createRequests(capabilities),
    steps: createSteps(kept),
    atoms: createAtoms(sha256),
    budgets: createBudgets(kept),
    windows: createWindows(),
    maintenance: createMaintenance(),
    erased,
    events: new ArbitratedEvents(authority.whole, erased, (dfid) => findRank(authority, dfid)),
    ended: new Set(),
  }
}

/** By the contract that its flow is pinned to. */
function findRank({ flows, contracts }: AuthorityState, dfid: string): Contract | undefined {
  const flow = flows.get(dfid)
  const deployed = flow === undefined ? undefined : contracts.get(flow.agent, flow.contract)
  return deployed?.isReadable === true ? deployed.contract : undefined
}

export function findReadableContract(
  { authority }: FoldState,
  agent: string,
  hash: string,
): Contract | undefined {
  const deployed = authority.contracts.get(agent, hash)
  return deployed?.isReadable === true ? deployed.contract : undefined
}
