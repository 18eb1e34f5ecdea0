/** What an engine is told when it is made and asked, and what it says of itself. */

import type { StoredCheckpoint } from '../ports/store.ts'
import type { InSession } from './authority/registry/in-session.ts'
import type { RulesState } from './authority/registry/record-rules.ts'
import type { OnOpened } from './background.ts'
import type { Executors } from './engine-context.ts'
import type { ScrubProgress } from './ledger/scrub.ts'

export type EngineOptions = {
  /** People for whom this process vouches, by name. */
  readonly people?: readonly string[]
  readonly proposalsInFlight?: number
  /** False: nothing happens by itself; the caller drives reconciliation and checkpoints. */
  readonly background?: boolean
  readonly executors?: Executors
  /** Gets every flow that a timer or an event opened. */
  readonly opened?: OnOpened
}

export type Started = {
  /** Effects of a dead engine that were taken over. */
  readonly recovered: number
  /** A checkpoint that the store had lost; null: none. */
  readonly restored: StoredCheckpoint | null
  readonly rules: RulesState
}

export type EngineStatus = {
  /** The registry does not answer; agents that are known are served for a while. */
  readonly degraded: boolean
  /** The ledger was found damaged: nothing more is decided on it. */
  readonly damaged: boolean
  /** How far the ledger has been read again. */
  readonly scrub: ScrubProgress
  /** What happens by itself does. */
  readonly background: boolean
}

/** How many flows were opened, found silent, and ended because their time is over, and how many requests moved on. */
export type DueRun = {
  readonly opened: number
  readonly silent: number
  readonly expired: number
  /** Instances whose occasion is over. */
  readonly ended: number
  readonly escalations: number
}

export type UsageOptions = InSession & {
  /** The agent's own name for the report: what is sent twice under one name is counted once. */
  readonly report?: string
}

export type RetireOptions = InSession & { readonly reason?: string }
