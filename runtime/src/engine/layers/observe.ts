/**
 * Observations: what somebody says about the outside. The newest that was said about a path is
 * State, wherever no configured source knows the path (`observed-state.ts`).
 *
 * O1 a list is taken whole or not at all.
 * O2 of two observations of a path the later one stands, in whatever order they arrive.
 * O3 nobody gives a label above his own, and what comes from outside is sanitised first.
 * O4 what looks like an order is on the record in the same unit.
 * O5 and so is the wake-up of every agent that listens (`../wake.ts`).
 */
import {
  err,
  type FactLabel,
  type Failure,
  formatInstant,
  type JsonValue,
  LIMITS,
  MAIN,
  ok,
  parseInstant,
  type Result,
} from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { Guard, Write } from '../../ports/store.ts'
import type { Context } from '../context.ts'
import { type ObservedValue, wakeAgents } from '../wake.ts'
import { STATE_GROUP } from './observed-state.ts'
import { type Parsed, parseObservations } from './parse-observation.ts'
import { securityEvents } from './security-event.ts'

export type Observation = {
  /** An identifier, such as `market.price.ETH-USD`. */
  readonly path: string
  readonly value: JsonValue
  /** Who saw it: an identifier. */
  readonly source: string
  readonly label?: FactLabel
  /** Now, when it is left out. */
  readonly observed_at?: string
}

export type ObserveOptions = {
  /** Whose word it is. */
  readonly by?: FactLabel
}

/** What was stored, and what was known before. */
export type Observed = {
  readonly path: string
  readonly version: number
  readonly value: JsonValue
  readonly before?: JsonValue
  readonly label: FactLabel
  readonly flags: readonly string[]
}

export async function observe(
  context: Context,
  input: Observation | readonly Observation[],
  by: FactLabel,
): Promise<Result<readonly Observed[], Failure>> {
  const parsed = parseObservations(input, by)
  if (!parsed.ok) return parsed
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const { now } = await context.store.now(MAIN)
    const guards: Guard[] = []
    const writes: Write[] = []
    const observed: Observed[] = []
    for (const one of parsed.value) {
      const known = await context.store.record('observation', STATE_GROUP, one.path)
      const problem = timeProblem(one, known, now)
      if (problem !== null) return err(problem)
      guards.push(guardOf(one, known))
      writes.push(writeOf(one, now), ...securityEvents(context, { ...one, where: 'observation' }))
      observed.push(observedOf(one, known))
      const woken = await wakeAgents(context, known?.body.value, saidOf(one, now))
      guards.push(...woken.guards)
      writes.push(...woken.writes)
    }
    const outcome = await context.store.commit({ guards, writes })
    if (outcome.ok) return ok(observed)
  }
  return err({ code: 'STORE_CONTENTION', summary: 'the paths kept changing', fix: 'try again' })
}

type Known = StoredRecord<'observation'> | null

function timeProblem(one: Parsed, known: Known, now: string): Failure | null {
  const nowMs = parseInstant(now) ?? 0
  const at = one.observedMs ?? nowMs
  if (at > nowMs + LIMITS.clockSkewMs)
    return {
      code: 'OBSERVATION_FUTURE',
      summary: `\`${one.path}\` was observed at ${formatInstant(at)}, and it is ${now}`,
      fix: 'set the clock of whoever observes, or leave `observed_at` out',
    }
  if (known === null || at >= (parseInstant(known.body.observed_at) ?? 0)) return null
  return {
    code: 'OBSERVATION_STALE',
    summary: `\`${one.path}\` was observed at ${formatInstant(at)}, and is known as of ${known.body.observed_at}`,
    fix: 'drop it; what is known is newer',
  }
}

function guardOf({ path }: Parsed, known: Known): Guard {
  const version = known?.version ?? null
  return { kind: 'record_version', record: 'observation', group: STATE_GROUP, key: path, version }
}

function saidOf({ path, value, observedMs }: Parsed, now: string): ObservedValue {
  return { path, value, observed_at: observedMs === undefined ? now : formatInstant(observedMs) }
}

function writeOf(one: Parsed, now: string): Write {
  const { path, value, source, label, flags } = one
  const { observed_at } = saidOf(one, now)
  return {
    kind: 'put_record',
    record: 'observation',
    group: STATE_GROUP,
    key: path,
    body: { value, source, label, observed_at, flags },
  }
}

function observedOf({ path, value, label, flags }: Parsed, known: Known): Observed {
  const before = known === null ? {} : { before: known.body.value }
  return { path, version: (known?.version ?? 0) + 1, value, ...before, label, flags }
}
