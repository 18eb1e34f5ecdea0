/**
 * Does what is done lie inside contract and writ: its kind, how its effect behaves, the resources that it
 * names, and whom it has to be asked of?
 *
 * An expression (`re:`) admits everything here: its language is no part of the format.
 */
import {
  type CapabilityDescription,
  type Contract,
  checkResourceScopes,
  findMissingCeiling,
  hasScopeFor,
  isInForce,
  isListingNeeded,
  isObject,
  parseInstant,
  type SignedIntent,
  type WritBody,
} from 'rubicon-kernel'

export function grantProblems(
  { policy_kind: kind, params, approval }: SignedIntent,
  contract: Contract,
  chain: readonly WritBody[],
  description: CapabilityDescription,
): string[] {
  const { permissions, safety_rules, authority } = contract
  const found: string[] = []
  if (authority === 'OBSERVE') found.push('its contract lets the agent observe only')
  if (permissions.forbidden_kinds.includes(kind)) found.push(`its contract forbids \`${kind}\``)
  if (isListingNeeded(kind)) {
    if (!permissions.policy_kinds.includes(kind))
      found.push(`its contract does not grant \`${kind}\``)
    if (!chain.every(({ scopes }) => hasScopeFor(scopes, kind)))
      found.push(`a writ does not grant \`${kind}\``)
  }
  if (chain.some(({ effect_ceiling }) => findMissingCeiling(effect_ceiling, description) !== null))
    found.push('a writ does not grant such an effect')
  const scopes = { contract, writs: chain, policyKind: kind, params, regex: () => true }
  if (checkResourceScopes({ ...scopes, ...getReadableScopes(description) }).length > 0)
    found.push('it names resources that are not granted')
  const lifted = approval?.lifts ?? []
  if (authority === 'PROPOSE' && !lifted.includes('authority'))
    found.push('its agent may only propose, and nobody approved it')
  if (safety_rules.requires_human_approval.includes(kind) && !lifted.includes('kind'))
    found.push(`\`${kind}\` asks for a person, and nobody approved it`)
  return found
}

/** Of facts only the hash was checked. */
export function findContractWindowProblems(contract: Contract, now: unknown): string[] {
  const ms = typeof now === 'string' ? parseInstant(now) : undefined
  return isInForce(contract, ms) ? [] : ['its contract was not in force']
}

/** Of a description only the hash was checked. */
export function getReadableScopes({
  scopes,
  touches,
}: CapabilityDescription): Pick<CapabilityDescription, 'scopes' | 'touches'> {
  const isReadable =
    isObject(scopes) && Object.values(scopes).every((one) => typeof one === 'string')
  return { scopes: isReadable ? scopes : {}, ...(touches === undefined ? {} : { touches }) }
}
