/** What an engine remembers between calls, made once for each of them. */

import { LIMITS } from 'rubicon-kernel'
import type { BackgroundJob } from '../ports/background-job.ts'
import type { Clock } from '../ports/clock.ts'
import type { ManifestSource } from '../ports/manifest-source.ts'
import type { StoredCheckpoint } from '../ports/store.ts'
import { Advisers } from './advice/advisers.ts'
import { Settling } from './arbitrate/settling.ts'
import { AuthorityCache } from './authority/authority-cache.ts'
import { HeldChain } from './authority/held-chain.ts'
import { OwnSignatures } from './authority/own-signatures.ts'
import type { RulesState } from './authority/registry/record-rules.ts'
import { HeldStanding } from './authority/rules/held-standing.ts'
import { createVouchedManifest } from './authority/vouched-manifest.ts'
import { WritCache } from './authority/writ-cache.ts'
import { LayerSweep } from './context/layer-sweep.ts'
import type { Deps } from './deps.ts'
import { InFlight } from './effect/in-flight.ts'
import { Reconciling } from './effect/reconciling.ts'
import { SendTimes } from './effect/send-times.ts'
import type { Context, Executors, FlowHandlers } from './engine-context.ts'
import { CallOrder } from './flow/call-order.ts'
import { Generations } from './generate/generations.ts'
import { Damage } from './ledger/damage.ts'
import { FirstUse } from './ledger/divergence/first-use.ts'
import { Heads } from './ledger/heads.ts'
import type { ScrubProgress } from './ledger/scrub.ts'
import { Scrub } from './ledger/scrub.ts'
import { SnapshotCache } from './ledger/snapshot-cache.ts'
import { MonitorSweep } from './monitors/sweep.ts'
import { RESERVED_HANDS } from './reserved-kinds/hands.ts'
import type { OnOpened } from './rows/opened-flow.ts'
import { watch } from './telemetry/watched-store.ts'

export type EngineOptions = {
  /** People for whom this process vouches, by name. */
  readonly people?: readonly string[]
  readonly proposalsInFlight?: number
  /** False: nothing happens by itself; the caller drives reconciliation and checkpoints. */
  readonly background?: boolean
  readonly executors?: Executors
  /** Gets every flow that a timer or an event opened. */
  readonly opened?: OnOpened
  readonly handlers?: FlowHandlers
}

/** What an engine without agents in its process has. */
const NO_HANDLERS: FlowHandlers = { working: new Set(), hasHandler: () => false }

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

function storeClock({ clock, store }: Deps): Clock {
  return {
    now: () => store.time.getNow(),
    monotonic: () => clock.monotonic(),
    after: (ms, idle) => clock.after(ms, idle),
  }
}

export function createContext(given: Deps, options: EngineOptions): Context {
  // The time that counts is the store's; a process has a clock only to count on from it.
  const deps = { ...given, clock: storeClock(given) }
  const heads = new Heads(deps)
  const createCache = (source: ManifestSource): AuthorityCache =>
    new AuthorityCache(source, deps.clock, new HeldChain(deps.sha256))
  const ownAuthorities = createCache(createVouchedManifest(deps, () => heads.isSigning))
  const authorities = deps.manifest === undefined ? ownAuthorities : createCache(deps.manifest)
  const watched = watch(deps)
  const own = new OwnSignatures()
  const inFlight = new InFlight(options.proposalsInFlight ?? LIMITS.proposalsInFlight)
  const damage = new Damage()
  const tellOf =
    (job: BackgroundJob) =>
    (error: unknown): void => {
      damage.keep(error)
      watched.signals?.recordFailure(job, error)
    }
  return {
    ...deps,
    authorities,
    ownAuthorities,
    heads,
    scrub: new Scrub(deps),
    damage,
    firstUse: new FirstUse(deps),
    standing: new HeldStanding(deps.book),
    own,
    advisers: new Advisers(deps, authorities),
    writs: new WritCache({ ...deps, own }),
    snapshots: new SnapshotCache(deps.store),
    sweep: new LayerSweep(deps.store),
    callOrder: new CallOrder(deps.store, deps.clock),
    generations: new Generations(),
    sends: new SendTimes(deps.clock, deps.store),
    inFlight,
    reconciling: new Reconciling({ clock: deps.clock, inFlight, tell: tellOf('reconcile') }),
    settling: new Settling({ clock: deps.clock, tell: tellOf('arbitration') }),
    executors: options.executors ?? 'inline',
    reservedHands: RESERVED_HANDS,
    opened: options.opened ?? (() => {}),
    handlers: options.handlers ?? NO_HANDLERS,
    monitors: new MonitorSweep({ ...deps, ...watched, authorities }),
    ...watched,
  }
}
