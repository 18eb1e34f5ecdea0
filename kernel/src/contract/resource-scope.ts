/**
 * Checks that every resource a call names lies in what the contract grants and in what the writ
 * leaves of it.
 *
 * The capability says which parameter names a resource of which set. A set of the contract that it
 * does not name is for `unanswered.ts`; one of the writ refuses here, unless it touches nothing.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Refusal } from '../compile/verdict.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { resolvePointer } from '../proposal/pointer.ts'
import { isReserved } from '../proposal/reserved-kind.ts'
import { selectScopes } from '../writ/scope.ts'
import type { WritBody, WritScope } from '../writ/writ.ts'
import { selectResources } from './applies.ts'
import type { Contract } from './contract.ts'
import { getOwn } from './own.ts'
import type { Regex } from './pattern.ts'
import { type BoundedMatch, createBoundedMatch } from './pattern-budget.ts'

export type ResourceScopeInput = {
  readonly contract: Contract
  /** The whole chain. Its leaf should lie inside the others; here nobody has to rely on it. */
  readonly writs: readonly Pick<WritBody, 'scopes'>[]
  readonly policyKind: string
  readonly params: JsonObject
  /** Of the capability: resource set → the parameter that names a resource of it. */
  readonly scopes: CapabilityDescription['scopes']
  readonly touches?: CapabilityDescription['touches'] | undefined
  readonly regex?: Regex
}

/** What a call names in one resource set. */
type Named = {
  readonly set: string
  readonly parameter: string
  readonly values: readonly string[]
}

type Matched = ResourceScopeInput & { readonly matches: BoundedMatch }

export function checkResourceScopes(given: ResourceScopeInput): readonly Refusal[] {
  const input: Matched = { ...given, matches: createBoundedMatch(given.regex) }
  const refusals: Refusal[] = []
  const named: Named[] = []
  for (const [set, parameter] of Object.entries(input.scopes)) {
    const values = listResourcesAt(input.params, parameter)
    if (values === undefined) {
      refusals.push(buildScopeRefusal('call', { set, parameter, problem: 'names no resource' }))
    } else {
      named.push({ set, parameter, values })
    }
  }
  for (const one of named) {
    const outside = listOutsideContract(one, input)
    const { set, parameter } = one
    if (outside.length > 0)
      refusals.push(buildScopeRefusal('contract', { set, parameter, outside }))
  }
  if (refusals.length > 0) return refusals
  return input.writs.flatMap((writ) => checkWrit(writ.scopes, named, input))
}

/**
 * At every place a text, or a list of texts. An empty list is refused: to many providers "none
 * named" means all.
 */
function listResourcesAt(params: JsonObject, parameter: string): readonly string[] | undefined {
  const texts: string[] = []
  for (const place of resolvePointer(params, parameter)) {
    const given = place.kind === 'found' ? place.value : null
    const values: readonly JsonValue[] = Array.isArray(given) ? given : [given]
    if (values.length === 0 || !values.every((one) => typeof one === 'string')) return undefined
    texts.push(...values)
  }
  return texts.length === 0 ? undefined : texts
}

/** A set that the contract does not grant for this kind has no values: everything is outside. */
function listOutsideContract({ set, values }: Named, input: Matched): readonly string[] {
  const patterns = getOwn(selectResources(input.contract, input.policyKind), set) ?? []
  return selectOutside(patterns, values, input.matches)
}

/**
 * One scope must admit the whole call. Taking one resource from one scope and another from the next
 * would join what the issuer kept apart.
 */
function checkWrit(
  granted: readonly WritScope[],
  named: readonly Named[],
  input: Matched,
): readonly Refusal[] {
  const scopes = selectScopes(granted, input.policyKind)
  if (scopes.some((scope) => findScopeRefusals(scope, named, input).length === 0)) return []
  // That nothing covers the kind is for an earlier stage to say; here it fails closed.
  const [first] = scopes
  if (first !== undefined) return findScopeRefusals(first, named, input)
  return named.length === 0 ? [] : [buildScopeRefusal('writ', { policy_kind: input.policyKind })]
}

function findScopeRefusals(
  scope: WritScope,
  named: readonly Named[],
  { policyKind, touches, matches }: Matched,
): readonly Refusal[] {
  const sets = scope.resources ?? {}
  const refusals: Refusal[] = []
  // As in contracts: a reserved kind is meant only where it is named.
  const isMeant = scope.kind === policyKind || !isReserved(policyKind)
  const unanswered = Object.keys(sets).filter((set) => !named.some((one) => one.set === set))
  if (isMeant && touches !== 'none')
    for (const set of unanswered)
      refusals.push({ code: 'CONTRACT_UNANSWERED', details: { by: 'writ', set } })
  for (const { set, parameter, values } of named) {
    const patterns = getOwn(sets, set)
    const outside = patterns === undefined ? [] : selectOutside(patterns, values, matches)
    if (outside.length > 0) refusals.push(buildScopeRefusal('writ', { set, parameter, outside }))
  }
  return refusals
}

/** Of what could not be found out in time it is not known to be inside. */
function selectOutside(
  patterns: readonly string[],
  values: readonly string[],
  matches: BoundedMatch,
): readonly string[] {
  return values.filter((value) => !patterns.some((pattern) => matches(pattern, value) === true))
}

function buildScopeRefusal(by: 'call' | 'contract' | 'writ', details: JsonObject): Refusal {
  return { code: 'RESOURCE_SCOPE', details: { by, ...details } }
}

export type ScopeTestInput = Omit<ResourceScopeInput, 'params' | 'scopes' | 'touches'> & {
  readonly set: string
}

/**
 * Whether a call of the kind might name a value of the set, one value after another, for whoever answers with names: what an
 * agent may not name it is not told. All values together may cost what a decision may; beyond that nothing is inside.
 */
export function createScopeTest(input: ScopeTestInput): (value: string) => boolean {
  const { contract, writs, policyKind, set, regex } = input
  const matches = createBoundedMatch(regex)
  const isInside = (patterns: readonly string[], value: string): boolean =>
    selectOutside(patterns, [value], matches).length === 0
  if (!contract.permissions.policy_kinds.includes(policyKind)) return () => false
  const granted = getOwn(selectResources(contract, policyKind), set) ?? []
  const left = writs.map((writ) => selectScopes(writ.scopes, policyKind))
  return (value) =>
    isInside(granted, value) &&
    left.every((scopes) =>
      scopes.some(({ resources = {} }) => {
        const patterns = getOwn(resources, set)
        return patterns === undefined || isInside(patterns, value)
      }),
    )
}
