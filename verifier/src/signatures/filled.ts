/**
 * What a runtime filled into a proposal is what the flow said: nothing else may be put into the mouth
 * of an agent, and nothing at all into what an agent has signed.
 */
import {
  type DecisionRecord,
  type FlowMember,
  isObject,
  type JsonObject,
  type JsonValue,
} from 'rubicon-kernel'

export function findFilledProblems({
  filled,
  proposal,
  facts,
}: Pick<DecisionRecord, 'filled' | 'proposal' | 'facts'>): string[] {
  if (filled === undefined) return []
  const isOrdered = filled.every((name, at) => at === 0 || (filled[at - 1] ?? name) < name)
  if (filled.length === 0 || !isOrdered) return ['`filled` is not a list of members in order']
  if (!isObject(proposal) || proposal.signature !== undefined)
    return ['a proposal that is signed was filled in']
  const said = isObject(facts) ? readFlowMembers(facts) : {}
  return filled
    .filter((name) => said[name] !== undefined && said[name] !== proposal[name])
    .map((name) => `\`${name}\` was filled in, and is not what the flow says`)
}

/** A refusal by the parser has no facts; a flow whose contract is gone has no mission. */
function readFlowMembers({ flow, contract }: JsonObject): Partial<Record<FlowMember, JsonValue>> {
  if (!isObject(flow)) return {}
  const { agent_id, dfid, snapshot_id: context_ref } = flow
  const mission = isObject(contract) ? contract.mission_hash : undefined
  return {
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(dfid === undefined ? {} : { dfid }),
    ...(context_ref === undefined ? {} : { context_ref }),
    ...(mission === undefined ? {} : { mission_context_hash: mission }),
  }
}
