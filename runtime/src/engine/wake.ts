/**
 * Events as triggers: what an observation wakes. A wake-up is a timer that is due at once, written in
 * the unit that takes the observation in: no event is lost between the two, and none opens two flows.
 *
 * An agent that is to be woken by the same path already, and has not been yet, is woken once: the
 * flow that opens sees what is there by then.
 */
import {
  type Authority,
  type Contract,
  currentContract,
  type JsonValue,
  LIMITS,
  MAIN,
  matchesPrefix,
  subscriptionsOf,
  wakes,
} from 'rubicon-kernel'
import type { Unit } from '../ports/store.ts'
import type { Context } from './context.ts'
import { newTimer, pendingTimer, untouched } from './timers.ts'

/** What is said about a path. */
export type ObservedValue = {
  readonly path: string
  readonly value: JsonValue
  readonly observed_at: string
}

/**
 * Guards and writes for the unit in which `after` takes the place of the value `before`, which is
 * undefined when the path was never seen. The unit must guard that this is still what is stored.
 */
export async function wakeAgents(
  context: Context,
  before: JsonValue | undefined,
  after: ObservedValue,
): Promise<Unit> {
  const authority = await context.authorities.latest()
  const listening = listeners(authority, before, after)
  if (listening.length === 0) return { guards: [], writes: [] }
  const { now: at } = await context.store.now(MAIN)
  const woken = listening.filter((agent) => {
    const contract = currentContract(authority, agent, at)?.contract
    return contract !== undefined && isWoken(contract, before, after)
  })
  // The same words for every agent that the observation wakes.
  const trigger = `${after.path} observed at ${after.observed_at}`.slice(0, LIMITS.triggerLength)
  const units: Unit[] = []
  for (const agent_id of woken) {
    // There is no space in the names of other timers.
    const name = `wake ${agent_id} ${after.path}`
    const pending = await pendingTimer(context, name)
    const shown = { state: [after.path], steps: 'one' } as const
    const timer = { name, at, agent_id, trigger, ...shown, every_ms: null }
    units.push(pending === null ? newTimer(timer) : { guards: [untouched(pending)], writes: [] })
  }
  return {
    guards: units.flatMap(({ guards }) => guards),
    writes: units.flatMap(({ writes }) => writes),
  }
}

/**
 * Whom some version of their contracts would wake; which version holds is asked only where one does,
 * since most observations wake nobody. Agents that are stopped hear nothing; they are shown how
 * things stand when they work again.
 */
function listeners(
  { statuses, contracts }: Authority,
  before: JsonValue | undefined,
  after: ObservedValue,
): readonly string[] {
  return [...statuses].flatMap(([agent, status]) => {
    if (status === 'SUSPENDED' || status === 'RETIRED') return []
    const versions = contracts.get(agent) ?? []
    const hears = versions.some(
      ({ contract, revoked }) => !revoked && isWoken(contract, before, after),
    )
    return hears ? [agent] : []
  })
}

function isWoken(
  contract: Contract,
  before: JsonValue | undefined,
  { path, value }: ObservedValue,
): boolean {
  const heard = subscriptionsOf(contract).filter(({ topic }) => matchesPrefix(topic, path))
  return heard.some((subscription) => wakes(subscription, before, value))
}
