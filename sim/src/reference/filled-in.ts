/**
 * What a proposal need not say, a second time: members that its flow says already. Null: it is signed,
 * and lacks one of them.
 */
import type { Facts, JsonObject } from 'rubicon-kernel'

export function fillProposal(
  sent: JsonObject,
  facts: Facts,
): Readonly<Record<string, string>> | null {
  const said: readonly (readonly [string, string])[] = [
    ['dfid', facts.flow.dfid],
    ['agent_id', facts.flow.agent_id],
    ['context_ref', facts.flow.snapshot_id],
    ['mission_context_hash', facts.contract?.mission_hash ?? 'none'],
  ]
  const lacking = said.filter(([name]) => !Object.hasOwn(sent, name))
  if (lacking.length > 0 && Object.hasOwn(sent, 'signature')) return null
  return Object.fromEntries(lacking)
}
