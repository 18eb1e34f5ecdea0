/**
 * What a flow already says need not be said again: an absent `dfid`, `agent_id`, `context_ref` or
 * `mission_context_hash` is the flow's own. A member that is there stays as it is, right or wrong.
 *
 * A signed proposal is never completed: its signature would then cover less than what is judged.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'
import { sortKeys } from '../canonical/sort-keys.ts'

/** In the order of the alphabet, which is that of the record. */
export const FLOW_MEMBERS = ['agent_id', 'context_ref', 'dfid', 'mission_context_hash'] as const

export type FlowMember = (typeof FLOW_MEMBERS)[number]

export type FlowMembers = Readonly<Record<FlowMember, string>>

/** Which members would be filled in. */
export function listMissingMembers(document: JsonValue): readonly FlowMember[] {
  if (!isObject(document) || document.signature !== undefined) return []
  return FLOW_MEMBERS.filter((name) => document[name] === undefined)
}

export function completeProposal(
  document: JsonObject,
  lacked: readonly FlowMember[],
  flow: FlowMembers,
): JsonObject {
  const whole: Record<string, JsonValue> = Object.create(null)
  for (const name of sortKeys([...Object.keys(document), ...lacked]))
    whole[name] = document[name] ?? flow[name as FlowMember]
  return whole
}
