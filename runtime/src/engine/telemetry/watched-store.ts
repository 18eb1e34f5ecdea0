/**
 * The store as the engine sees it while somebody listens: every unit that has become durable is told.
 * What is told is told after the fact, and cannot fail it.
 */
import type { Store, Unit, UnitOutcome } from '../../ports/store.ts'
import { NO_TELEMETRY, type Telemetry } from '../../ports/telemetry.ts'
import type { Deps } from '../deps.ts'
import { tellCommitted } from './commit-signals.ts'
import { Signals } from './signals.ts'
import type { Teller } from './teller.ts'

export type Watched = {
  readonly telemetry: Telemetry
  readonly signals: Signals | null
  readonly store: Store
}

/** What an engine tells, and to whom; the store itself, when that is nobody. */
export function watch(deps: Deps): Watched {
  const { store, telemetry = NO_TELEMETRY } = deps
  if (!telemetry.enabled) return { telemetry: NO_TELEMETRY, signals: null, store }
  const quiet = wrapTelemetry(telemetry)
  const signals = new Signals(quiet, deps)
  return { telemetry: quiet, signals, store: watchStore(store, signals.teller) }
}

function watchStore(store: Store, teller: Teller): Store {
  const commit = async (unit: Unit): Promise<UnitOutcome> => {
    const began = teller.readMoment()
    const outcome = await store.commit(unit)
    if (outcome.ok) ignoreErrors(() => tellCommitted(teller, unit, teller.measureSince(began)))
    return outcome
  }
  return new Proxy(store, {
    get(target, name) {
      if (name === 'commit') return commit
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** What is durable is durable, whether it can be told or not. */
function ignoreErrors(tell: () => void): void {
  try {
    tell()
  } catch {
    // There is nobody left to tell.
  }
}

/** Whoever listens is not part of the house: what he throws is his own. */
function wrapTelemetry(telemetry: Telemetry): Telemetry {
  return {
    enabled: true,
    count: (name, labels, by) => ignoreErrors(() => telemetry.count(name, labels, by)),
    observe: (name, value, labels) => ignoreErrors(() => telemetry.observe(name, value, labels)),
    span: (span) => ignoreErrors(() => telemetry.span(span)),
    log: (line) => ignoreErrors(() => telemetry.log(line)),
  }
}
