/** What an engine remembers between calls, made once for each of them. */
import { LIMITS } from 'rubicon-kernel'
import type { Clock } from '../ports/clock.ts'
import { AuthorityCache } from './authority-cache.ts'
import { Beside } from './beside.ts'
import type { Context } from './context.ts'
import type { Deps } from './deps.ts'
import { FirstUse } from './divergence/first-use.ts'
import type { EngineOptions } from './engine-options.ts'
import { Heads } from './heads.ts'
import { HeldChain } from './held-chain.ts'
import { InFlight } from './in-flight.ts'
import { LayerSweep } from './layers/layer-sweep.ts'
import { MonitorSweep } from './monitors/sweep.ts'
import { OwnSignatures } from './own-signatures.ts'
import { Reconciling } from './reconciling.ts'
import { RESERVED_HANDS } from './reserved/hands.ts'
import { HeldStanding } from './rules/held-standing.ts'
import { Scrub } from './scrub.ts'
import { SendTimes } from './send-times.ts'
import { watch } from './signals/watched-store.ts'
import { SnapshotCache } from './snapshot-cache.ts'
import { createVouchedManifest } from './vouched-manifest.ts'
import { WritCache } from './writ-cache.ts'

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
