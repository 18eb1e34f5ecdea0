/** A flow as whoever opened it gets it. */
import type { DeployedContract, Snapshot, WorkingContext, Writ } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'

export type OpenedFlow = {
  readonly flow: FlowRow
  readonly snapshot: Snapshot
  /** What the agent is handed: the snapshot, and what its hashes stand for. */
  readonly working: WorkingContext
  readonly contract: DeployedContract
  readonly writ: Writ
}

/** Hands over a flow that nobody asked for. It must not wait for whoever works on it. */
export type OnOpened = (opened: Pick<OpenedFlow, 'flow' | 'working'>) => void
