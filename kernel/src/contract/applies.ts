/**
 * Which rules of a contract are about which kinds. A rule without `applies_to` is about every kind
 * that the contract grants; the reserved kinds, which change nothing outside, it must name.
 */
import { isReserved } from '../proposal/reserved-kind.ts'
import type { Contract } from './contract.ts'

export function isApplicable(kinds: readonly string[] | undefined, policyKind: string): boolean {
  return kinds?.includes(policyKind) ?? !isReserved(policyKind)
}

type Patterns = readonly string[]
type ResourceSet = Contract['permissions']['resources'][string]
type EnvelopeEntry = Contract['jit_verification']['drift_envelope'][string]

/** What a resource set allows, to whomever it is about. */
export function getAllowedPatterns(set: ResourceSet): Patterns {
  return 'allow' in set ? set.allow : set
}

/** The resource sets that are about a kind. */
export function selectResources(
  { permissions }: Pick<Contract, 'permissions'>,
  policyKind: string,
): Readonly<Record<string, Patterns>> {
  const sets: Record<string, Patterns> = Object.create(null)
  for (const [name, set] of Object.entries(permissions.resources))
    if (isApplicable('allow' in set ? set.applies_to : undefined, policyKind))
      sets[name] = getAllowedPatterns(set)
  return sets
}

/** What a bound on movement says, to whatever it is about. */
export function getBound(entry: EnvelopeEntry): string {
  return typeof entry === 'string' ? entry : entry.max
}

/** The bounds on movement that are about a kind. */
export function selectEnvelope(
  { jit_verification }: Pick<Contract, 'jit_verification'>,
  policyKind: string,
): Readonly<Record<string, string>> {
  const envelope: Record<string, string> = Object.create(null)
  for (const [name, entry] of Object.entries(jit_verification.drift_envelope))
    if (isApplicable(typeof entry === 'string' ? undefined : entry.applies_to, policyKind))
      envelope[name] = getBound(entry)
  return envelope
}
