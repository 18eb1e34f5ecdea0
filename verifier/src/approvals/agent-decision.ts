/** What an agent may decide for another: only what it was asked, and nothing that is for people. */
import type { ApprovalPayload, PayloadOf } from 'rubicon-kernel'
import type { PeopleAtPlace } from '../authority/people-at-place.ts'
import type { Weighed } from './raised-impact.ts'

type Request = PayloadOf['pending_approval']['request']

export const AGENT = 'agent:'
const UNRATED = 'irreversible'

/** It decides by a step of its own, while it is ACTIVE, what it was asked. */
export function findAgentDecisionProblems(
  people: PeopleAtPlace,
  { channel, agent_id }: Request,
  body: ApprovalPayload['body'],
): readonly string[] {
  const { approver } = body
  const agent = approver.slice(AGENT.length)
  const found = [...people.inactive(agent)]
  if (channel !== approver) found.push('an agent decides a request that it was not asked about')
  if (!people.isAbove(agent, agent_id)) found.push('the agent is not above the one that asks')
  if (!people.hasDecided(agent, body)) found.push('no step of the agent decided it')
  return found
}

/** Named approvers are not replaced, and only what nobody rated may be an agent's to allow. */
export function mayAskAgents(request: Request): boolean {
  return request.needs === 1 && request.approvers.length === 0 && isForAgents(request)
}

export function isForAgents({ impact, impact_reasons }: Weighed): boolean {
  const isUnrated = impact_reasons.length > 0 && impact_reasons.every((one) => one === UNRATED)
  return impact === 'LOW_IMPACT' || isUnrated
}
