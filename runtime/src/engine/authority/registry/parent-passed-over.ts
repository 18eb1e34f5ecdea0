import { type Authority, type Contract, findCurrentContract, isReserved } from 'rubicon-kernel'

/**
 * For people: why the agent above is not asked about what this one does; null: it is. It is no problem
 * of the agent, since the next above or a person is asked instead.
 */
export function explainParentPassedOver(
  authority: Authority,
  { agent_id, parent_agent, permissions }: Contract,
  now: string,
): string | null {
  if (parent_agent === undefined) return null
  const above = findCurrentContract(authority, parent_agent, now)?.contract
  if (above === undefined) return null
  const kinds = permissions.policy_kinds.filter((kind) => !isReserved(kind))
  const lacking = ['RESOLVE_ESCALATION', ...kinds].filter(
    (kind) => !above.permissions.policy_kinds.includes(kind),
  )
  if (lacking.length === 0) return null
  const which = lacking.includes('RESOLVE_ESCALATION') ? 'what' : 'some of what'
  return `${which} \`${agent_id}\` asks passes \`${parent_agent}\` over, whose contract does not list ${lacking.join(', ')}`
}
