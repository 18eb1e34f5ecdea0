/** What an engine remembers between calls, made once for each of them. */
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from '../ports/clock.ts'
import { Beside } from './advice/advisers.ts'
import { AuthorityCache } from './authority/authority-cache.ts'
import { HeldChain } from './authority/held-chain.ts'
import { OwnSignatures } from './authority/own-signatures.ts'
import { HeldStanding } from './authority/rules/held-standing.ts'
import { createVouchedManifest } from './authority/vouched-manifest.ts'
import { WritCache } from './authority/writ-cache.ts'
import { LayerSweep } from './context/layer-sweep.ts'
import type { Deps } from './deps.ts'
import { InFlight } from './effect/in-flight.ts'
import { Reconciling } from './effect/reconciling.ts'
import { SendTimes } from './effect/send-times.ts'
import type { Context } from './engine-context.ts'
import type { EngineOptions } from './engine-options.ts'
import { FirstUse } from './ledger/divergence/first-use.ts'
import { Heads } from './ledger/heads.ts'
import { Scrub } from './ledger/scrub.ts'
import { SnapshotCache } from './ledger/snapshot-cache.ts'
import { MonitorSweep } from './monitors/sweep.ts'
import { RESERVED_HANDS } from './reserved/hands.ts'
import { watch } from './signals/watched-store.ts'

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
  const authorities = new AuthorityCache(
    deps.manifest ?? createVouchedManifest(deps, () => heads.isSigning),
    deps.clock,
    new HeldChain(deps.sha256),
  )
  const watched = watch(deps)
  const own = new OwnSignatures()
  const inFlight = new InFlight(options.proposalsInFlight ?? LIMITS.proposalsInFlight)
  const tell = (error: unknown): void => watched.signals?.recordFailure('reconcile', error)
  return {
    ...deps,
    authorities,
    heads,
    scrub: new Scrub(deps),
    firstUse: new FirstUse(deps),
    standing: new HeldStanding(deps.book),
    own,
    beside: new Beside(deps, authorities),
    writs: new WritCache({ ...deps, own }),
    snapshots: new SnapshotCache(deps.store),
    sweep: new LayerSweep(deps.store),
    sends: new SendTimes(deps.clock, deps.store),
    inFlight,
    reconciling: new Reconciling({ clock: deps.clock, inFlight, tell }),
    executors: options.executors ?? 'inline',
    reservedHands: RESERVED_HANDS,
    opened: options.opened ?? (() => {}),
    monitors: new MonitorSweep({ ...deps, ...watched, authorities }),
    ...watched,
  }
}
