/** Whether what an intent stands on stood where, and when, it was sent. */
import { type Address, listCountingHashes, type RecordedHash } from 'rubicon-kernel'
import type { Intent } from '../compact-records/flow-rows.ts'
import type { AuthorityState } from './authority-state.ts'
import { findStoppedDelegation } from './delegation.ts'
import { LONGEST_CHAIN } from './writs.ts'

/** The rules and the capability that it was decided by count at its place, and at its time. */
export function findRuleOrderProblems(
  { ruled }: AuthorityState,
  { ruledBy: by }: Intent,
  at: string,
): string[] {
  if (by === null) return []
  const found: string[] = []
  const isCountingHash = (recorded: RecordedHash | undefined, hash: string): boolean =>
    listCountingHashes(recorded, at).some((one) => one === hash)
  if (!isCountingHash(ruled?.law, by.rules))
    found.push(`its rules \`${by.rules}\` are not in force`)
  if (!isCountingHash(ruled?.hashes.get(by.kind), by.capability))
    found.push(`capability \`${by.kind}\` is recorded with another hash`)
  return found
}

/** The agent, its contract and the whole chain of its writ, at this moment. */
export function findStandingProblems(
  state: AuthorityState,
  { agent, contract, writ, bearer }: Intent,
  at: string,
): string[] {
  const found = findStoppedDelegation(state, { agent, writ, bearer })
  if (isFlowOver(state, bearer)) found.push('the writ of its flow is revoked')
  const flow = state.flows.get(bearer)
  // A bundle without the opening of its flow is found for that.
  if (flow === undefined && state.whole && !state.writs.isErasedOf(bearer))
    found.push('its flow was never opened')
  if (flow !== undefined && (flow.agent !== agent || flow.contract !== contract))
    found.push('its flow was opened for another agent, or under another contract')
  const status = state.statuses.get(agent)
  if (status !== 'ACTIVE') found.push(`agent \`${agent}\` is ${status ?? 'unknown'}`)
  // What stops a class stops its instances; a class that never acted itself is INITIALIZING.
  const ofClass = state.statuses.get(state.contracts.classOf(agent) ?? agent)
  if (ofClass === 'SUSPENDED' || ofClass === 'RETIRED') found.push(`its class is ${ofClass}`)
  const problem = state.contracts.problem(contract, agent)
  if (problem !== undefined) found.push(problem)

  let link: Address | undefined = writ
  for (let links = 0; link !== undefined && links < LONGEST_CHAIN; links += 1) {
    const body = state.writs.get(link)
    if (state.revokedWrits.has(link)) found.push(`writ \`${link}\` is revoked`)
    if (body === undefined) {
      const isErased =
        link === writ ? state.writs.isErasedWritOf(bearer, link) : state.writs.isErased(link)
      if (!isErased) found.push(`writ \`${link}\` is not in the ledger`)
      return found
    }
    if (link === writ && body.subject !== agent) found.push('the writ was issued to another agent')
    const { not_before, expires_at } = body.window
    if (at < not_before || at >= expires_at) found.push(`writ \`${link}\` is not in force at ${at}`)
    link = body.parent
  }
  return found
}

/** Whatever writ an intent names: with its own, or one above it, the flow ended. */
function isFlowOver({ flows, revokedWrits, writs }: AuthorityState, dfid: string): boolean {
  let link = flows.get(dfid)?.writ
  for (let links = 0; link !== undefined && links < LONGEST_CHAIN; links += 1) {
    if (revokedWrits.has(link)) return true
    link = writs.get(link)?.parent
  }
  return false
}
