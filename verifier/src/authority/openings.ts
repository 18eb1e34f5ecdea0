/**
 * Was everything begun by, and for, agents that nobody had stopped, under what was in force at its place?
 *
 * 1. A flow is opened for an agent that is ACTIVE, below flows of agents that are ACTIVE.
 * 2. It is opened once, and pinned to the version of the agent's contract that is in force there; its writ grants no
 *    more than that, for no longer than a day.
 *    Where an event woke its agent, the event stands before it and names both; below a flow of an event it is of that event.
 * 3. An agent decides what others ask, and has instances made, only while it is ACTIVE, and by a step of its
 *    own that was dispatched before (`asked-steps.ts`).
 * 4. The class of an instance for an occasion is the spawner or an agent below it.
 */
import {
  type AgentStatus,
  type Budget,
  type Contract,
  type ContractBody,
  getFlowBudget,
  hasAncestorOrSelf,
  LIMITS,
  parseInstant,
  type WritBody,
  type WritPayload,
} from 'rubicon-kernel'
import type { ReadEntry } from '../reading/read-entry.ts'
import { isAsked, spawnAsked } from './asked-steps.ts'
import type { AuthorityState } from './authority-state.ts'
import { toBudgetNumber } from './budget-number.ts'
import { listWritHolders } from './delegation.ts'
import { foldWoken } from './events.ts'

export function foldOpening(
  state: AuthorityState,
  { envelope }: ReadEntry,
  { flow, writ }: WritPayload,
): string[] {
  if (flow === undefined) return []
  const { dfid, agent_id: agent, parent_dfid, contract } = flow
  const isOpen = state.flows.has(dfid)
  const { trajectory } = envelope
  const isOneStep = flow.steps === 'one'
  const woken = foldWoken(state, flow)
  const { event, topic } = woken
  state.flows.set(dfid, {
    trajectory,
    agent,
    contract: contract.hash,
    writ: writ.id,
    isOneStep,
    event,
    topic,
  })
  const above = parent_dfid === undefined ? undefined : state.flows.get(parent_dfid)
  const holders = above === undefined ? [] : [above.agent, ...listWritHolders(state, above.writ)]
  const found = [...new Set([agent, ...holders])].flatMap((name) =>
    findInactiveProblems(state, name),
  )
  if (isOpen) found.push('its flow was opened before')
  found.push(...woken.found)
  const deployed = state.contracts.get(agent, contract.hash)
  if (deployed?.isReadable === true && isBeyondContract(writ.body, deployed.contract))
    found.push('its writ grants more than its contract')
  if (dfid !== envelope.dfid) found.push('it opens another flow than it stands in')
  const pinned = state.contracts.inForce(agent, envelope.at, state.whole ? null : contract.hash)
  if (pinned === undefined && !state.whole) return found
  return pinned?.hash === contract.hash
    ? found
    : [...found, 'it is opened under a version that is not in force']
}

/** How much a flow may spend, and for how long, is what its contract says: its writ only says it again. */
function isBeyondContract({ budget, window }: WritBody, { safety_rules }: Contract): boolean {
  const ends = (parseInstant(window.not_before) ?? 0) + LIMITS.flowWritMs
  if ((parseInstant(window.expires_at) ?? Number.POSITIVE_INFINITY) > ends) return true
  const granted = getFlowBudget(safety_rules)
  const count = (measure: string, amounts: Budget): number => {
    const amount: unknown = Object.hasOwn(amounts, measure) ? amounts[measure] : '0'
    return typeof amount === 'string' ? toBudgetNumber(measure, amount) : Number.POSITIVE_INFINITY
  }
  return Object.keys(budget).some((measure) => count(measure, budget) > count(measure, granted))
}

/** A bundle may have left out how the agent came to be active, but for what stopped it. */
export function findInactiveProblems(
  { statuses, contracts, whole }: AuthorityState,
  agent: string,
): string[] {
  const ofClass = statuses.get(contracts.classOf(agent) ?? agent)
  const status = isStopped(ofClass) ? ofClass : statuses.get(agent)
  const isBegun = whole || isStopped(status)
  return status === 'ACTIVE' || !isBegun ? [] : [`agent \`${agent}\` is ${status ?? 'unknown'}`]
}

function isStopped(status: AgentStatus | undefined): boolean {
  return status === 'SUSPENDED' || status === 'RETIRED'
}

/** Before it is taken in. In a bundle neither the step nor the whole hierarchy need be there. */
export function spawnProblems(state: AuthorityState, body: ContractBody, at: string): string[] {
  if (body.action === 'deploy') return []
  const { contract, occasion } = body
  const ofClass = contract.instance_of ?? ''
  const status = state.statuses.get(ofClass)
  const found = isStopped(status) ? [`its class is ${status}`] : []
  if (occasion === undefined) return found
  const { spawner, ends_at } = occasion
  found.push(...findInactiveProblems(state, spawner))
  // A time that cannot be read is found with the form of the entry.
  if ((parseInstant(ends_at) ?? 0) - (parseInstant(at) ?? 0) > LIMITS.instanceMs)
    found.push('it lives for longer than an instance may')
  if (!state.whole) return found
  const findParentAgent = (agent: string): string | undefined =>
    state.contracts.inForce(agent, at)?.contract.parent_agent
  if (!hasAncestorOrSelf(ofClass, spawner, findParentAgent))
    found.push('its class is not below the agent that spawned it')
  if (!isAsked(state, spawnAsked(occasion, ofClass, contract.agent_id)))
    found.push('no step of the agent spawned it')
  return found
}
