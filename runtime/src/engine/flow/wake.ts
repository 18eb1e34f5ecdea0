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
  findAgentStatus,
  findCurrentContract,
  isAccepted,
  isPrefixMatch,
  isWakingChange,
  LIMITS,
  listSubscriptions,
  MAIN,
  shorten,
} from 'rubicon-kernel'
import type { SaidFact } from '../../ports/said-fact.ts'
import type { Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildTimerUnit, buildUntouchedTimerGuard, findPendingTimer } from './timers.ts'

/** What stands of a path. */
type Standing = Pick<SaidFact, 'value' | 'label' | 'observed_at'>

/**
 * Guards and writes for the unit in which `after` takes the place of `before`, which is null when
 * nothing stood. The unit must guard that this is still what is stored.
 */
export async function wakeAgents(
  context: Context,
  path: string,
  before: Standing | null,
  after: Standing | null,
): Promise<Unit> {
  if (after === null) return { guards: [], writes: [] }
  const change = { path, before, after }
  const authority = await context.authorities.loadLatest()
  const listening = listListeners(authority, change)
  if (listening.length === 0) return { guards: [], writes: [] }
  const { now: at } = await context.store.readNow(MAIN)
  const woken = listening.filter((agent) => {
    const contract = findCurrentContract(authority, agent, at)?.contract
    return contract !== undefined && isWoken(contract, change)
  })
  // The same words for every agent that the observation wakes.
  const trigger = shorten(`${path} observed at ${after.observed_at}`, LIMITS.triggerLength)
  const units: Unit[] = []
  for (const agent_id of woken) {
    // There is no space in the names of other timers.
    const name = `wake ${agent_id} ${path}`
    const pending = await findPendingTimer(context, name)
    const shown = { state: [path], steps: 'one' } as const
    const timer = { name, at, agent_id, trigger, ...shown, every_ms: null }
    units.push(
      pending === null
        ? buildTimerUnit(timer)
        : { guards: [buildUntouchedTimerGuard(pending)], writes: [] },
    )
  }
  return {
    guards: units.flatMap(({ guards }) => guards),
    writes: units.flatMap(({ writes }) => writes),
  }
}

type Change = {
  readonly path: string
  readonly before: Standing | null
  readonly after: Standing
}

/**
 * Whom some version of their contracts would wake; which version holds is asked only where one does,
 * since most observations wake nobody. Agents that are stopped hear nothing; they are shown how
 * things stand when they work again.
 */
function listListeners(authority: Authority, change: Change): readonly string[] {
  return [...authority.statuses.keys()].flatMap((agent) => {
    const status = findAgentStatus(authority, agent)
    if (status === 'SUSPENDED' || status === 'RETIRED') return []
    const versions = authority.contracts.get(agent) ?? []
    const hears = versions.some(({ contract, revoked }) => !revoked && isWoken(contract, change))
    return hears ? [agent] : []
  })
}

/** What its contract does not accept is absent for an agent, and does not wake it. */
function isWoken(contract: Contract, { path, before, after }: Change): boolean {
  const heard = listSubscriptions(contract).filter(({ topic }) => isPrefixMatch(topic, path))
  if (heard.length === 0) return false
  const { accepts } = contract.permissions
  const isRead = ({ label }: Standing): boolean => isAccepted({ path, label }, [accepts])
  const known = before !== null && isRead(before) ? before.value : undefined
  return isRead(after) && heard.some((one) => isWakingChange(one, known, after.value))
}
