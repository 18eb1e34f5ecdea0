/** What every part of the engine works with: what it needs from outside, and what it remembers. */
import type { SignedIntent } from 'rubicon-kernel'
import type { Effect, NotApplied, ProbeAnswer } from '../ports/capability.ts'
import type { Guard, Unit } from '../ports/store.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import type { Advisers } from './advice/advisers.ts'
import type { Settling } from './arbitrate/settling.ts'
import type { AuthorityCache } from './authority/authority-cache.ts'
import type { OwnSignatures } from './authority/own-signatures.ts'
import type { HeldStanding } from './authority/rules/held-standing.ts'
import type { WritCache } from './authority/writ-cache.ts'
import type { LayerSweep } from './context/layer-sweep.ts'
import type { Deps } from './deps.ts'
import type { InFlight } from './effect/in-flight.ts'
import type { Reconciling } from './effect/reconciling.ts'
import type { SendTimes } from './effect/send-times.ts'
import type { CallOrder } from './flow/call-order.ts'
import type { Generations } from './generate/generations.ts'
import type { Damage } from './ledger/damage.ts'
import type { FirstUse } from './ledger/divergence/first-use.ts'
import type { Heads } from './ledger/heads.ts'
import type { Scrub } from './ledger/scrub.ts'
import type { SnapshotCache } from './ledger/snapshot-cache.ts'
import type { MonitorSweep } from './monitors/sweep.ts'
import type { OnOpened } from './rows/opened-flow.ts'
import type { ProposalWatch } from './telemetry/proposal-watch.ts'
import type { Signals } from './telemetry/signals.ts'

/**
 * Who carries out what was decided: whoever decided it, in the same unit (`inline`); this process, in
 * units of their own (`separate`); or another process that shares the store (`elsewhere`).
 */
export type Executors = 'inline' | 'separate' | 'elsewhere'

/** What the engine does when a reserved kind is carried out, and how it finds out whether it did. */
export type ReservedHands = {
  readonly act: (context: Context, intent: SignedIntent) => Promise<Effect>
  readonly ask: (context: Context, intent: SignedIntent) => Promise<ProbeAnswer>
  /**
   * Of a kind that consists of what it writes: that, unwritten, to be part of the unit that dispatches and
   * settles it. The flow of the intent is read as that unit leaves it. Null: this time it takes units of its own.
   */
  readonly prepare?: (context: Context, intent: SignedIntent) => Promise<UnitEffect | null>
}

export type UnitEffect = {
  readonly effect: Effect
  readonly unit: Unit
  /** It is durable. */
  finish(): Promise<void> | void
  /** A guard of the unit did not hold: why it cannot be done; null: look again. */
  explain(failed: Guard): Promise<NotApplied | null> | null
}

/** Whether somebody in this process works on the flows of an agent, and on which of them now. */
export type FlowHandlers = {
  readonly working: ReadonlySet<string>
  hasHandler(agent: string): boolean
}

export type Context = Deps & {
  readonly authorities: AuthorityCache
  /** Of the own store, also where authority is read elsewhere: what others are told. */
  readonly ownAuthorities: AuthorityCache
  readonly heads: Heads
  readonly scrub: Scrub
  readonly damage: Damage
  /** Flows that were not written here are held against the ledger once. */
  readonly firstUse: FirstUse
  /** Whether the rules that this process holds are in force. */
  readonly standing: HeldStanding
  readonly writs: WritCache
  readonly own: OwnSignatures
  readonly snapshots: SnapshotCache
  readonly sweep: LayerSweep
  readonly inFlight: InFlight
  readonly sends: SendTimes
  readonly reconciling: Reconciling
  /** Events whose windows are being closed. */
  readonly settling: Settling
  /** Whether a call came before an act was over. */
  readonly callOrder: CallOrder
  /** Requests to models that are under way here. */
  readonly generations: Generations
  readonly executors: Executors
  /** By their kind. */
  readonly reservedHands: Readonly<Record<string, ReservedHands>>
  /** Hands over a flow that nobody asked for. */
  readonly opened: OnOpened
  readonly handlers: FlowHandlers
  readonly advisers: Advisers
  readonly monitors: MonitorSweep
  readonly telemetry: Telemetry
  /** What is told of the work; null when nobody listens. */
  readonly signals: Signals | null
  /** Of the proposal that is being judged, when somebody listens. */
  readonly watch?: ProposalWatch
}
