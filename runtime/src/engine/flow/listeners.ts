/**
 * Whom observations would wake, before anybody asks whether there is room for all of them.
 *
 * An agent hears what its contract in force subscribes to and accepts, and nothing while it is stopped; it is shown
 * how things stand when it works again.
 */
import {
  type Authority,
  type Contract,
  findAgentStatus,
  findCurrentContract,
  isAccepted,
  isPrefixMatch,
  isWakingChange,
  type JsonValue,
  listSubscriptions,
  type Subscription,
} from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import type { StandingFact } from '../context/standing-fact.ts'

/** What stands of a path. */
type Standing = Pick<StandingFact, 'value' | 'label' | 'observed_at' | 'source' | 'until'>

/** What takes the place of what stood of a path, which is null when nothing did. */
export type StateChange = {
  readonly path: string
  /** Of the observation that is taken in. */
  readonly version: number
  readonly before: Standing | null
  readonly after: Standing
}

/** An agent whose condition held, for these paths. */
export type Listener = { readonly contract: Contract; readonly paths: readonly string[] }

/** What paths were when they last woke agents, by `AGENT PATH`. */
export type LastWakes = ReadonlyMap<string, JsonValue>

/** Agents of which some version listens to one of the paths; most observations have none. */
export function listListeningAgents(
  authority: Authority,
  changes: readonly StateChange[],
): readonly string[] {
  return [...authority.statuses.keys()].filter((agent) => {
    const status = findAgentStatus(authority, agent)
    if (status === 'SUSPENDED' || status === 'RETIRED') return false
    return (authority.contracts.get(agent) ?? []).some(
      ({ contract, revoked }) =>
        !revoked && changes.some(({ path }) => listHeard(contract, path).length > 0),
    )
  })
}

/** Of those the ones whose contract in force says that the changes are worth waking them for. */
export function listListeners(
  authority: Authority,
  agents: readonly string[],
  { changes, lastWakes, now }: Heard,
): readonly Listener[] {
  return agents.flatMap((agent) => {
    const contract = findCurrentContract(authority, agent, now)?.contract
    if (contract === undefined) return []
    const woken = changes.filter((change) => isWoken(contract, change, lastWakes))
    return woken.length === 0 ? [] : [{ contract, paths: woken.map(({ path }) => path) }]
  })
}

type Heard = {
  readonly changes: readonly StateChange[]
  readonly lastWakes: LastWakes
  readonly now: string
}

/** Only where a contract measures from there. */
export async function loadLastWakes(
  store: Store,
  authority: Authority,
  agents: readonly string[],
  changes: readonly StateChange[],
): Promise<LastWakes> {
  const found = new Map<string, JsonValue>()
  for (const agent of agents)
    for (const { path } of changes) {
      const versions = authority.contracts.get(agent) ?? []
      if (!versions.some(({ contract }) => isMeasuredFromWake(contract, path))) continue
      const known = await store.readRecord('last_wake', agent, path)
      if (known !== null) found.set(`${agent} ${path}`, known.body.value)
    }
  return found
}

/** Whether what a path was when it last woke the agent has to be kept. */
export function isMeasuredFromWake(contract: Contract, path: string): boolean {
  return listHeard(contract, path).some(isSinceWake)
}

function isSinceWake({ wake_if }: Subscription): boolean {
  return wake_if?.since === 'last_wake'
}

function listHeard(contract: Contract, path: string): readonly Subscription[] {
  return listSubscriptions(contract).filter(({ topic }) => isPrefixMatch(topic, path))
}

/** What its contract does not accept is absent for an agent, and does not wake it. */
function isWoken(
  contract: Contract,
  { path, before, after }: StateChange,
  lastWakes: LastWakes,
): boolean {
  const heard = listHeard(contract, path)
  const { accepts } = contract.permissions
  const isRead = ({ label }: Standing): boolean => isAccepted({ path, label }, [accepts])
  if (heard.length === 0 || !isRead(after)) return false
  const known = before !== null && isRead(before) ? before.value : undefined
  const atWake = lastWakes.get(`${contract.agent_id} ${path}`)
  return heard.some((one) => isWakingChange(one, isSinceWake(one) ? atWake : known, after.value))
}
