import { getAllowedPatterns } from './applies.ts'
import type { Contract, Limit } from './contract.ts'
import { isRegexPattern, toExpression } from './pattern.ts'

/**
 * The regular expressions of a contract, without `re:`, each once. Whoever admits the contract
 * compiles them with an engine that runs in linear time, and refuses the contract if it cannot.
 */
export function listContractPatterns(contract: Contract): readonly string[] {
  const { resources, limits } = contract.permissions
  const patterns = [
    ...Object.values(resources).flatMap(getAllowedPatterns),
    ...limits.flatMap(listLimitPatterns),
  ]
  return [...new Set(patterns.filter(isRegexPattern).map(toExpression))]
}

function listLimitPatterns(limit: Limit): readonly string[] {
  return limit.kind === 'set' ? [...(limit.allowed ?? []), ...(limit.denied ?? [])] : []
}
