/**
 * Checks that every resource a call names lies in what the contract grants and in what the writ
 * leaves of it.
 *
 * The capability says which parameter names a resource of which set. A set that it does not name is
 * one that it does not touch.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Refusal } from '../compile/verdict.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { resolvePointer } from '../proposal/pointer.ts'
import { scopesFor } from '../writ/scope.ts'
import type { WritBody, WritScope } from '../writ/writ.ts'
import type { Contract } from './contract.ts'
import { own } from './own.ts'
import { matchesPattern, type Regex } from './pattern.ts'

export type ResourceScopeInput = {
  readonly contract: Contract
  /** The whole chain. Its leaf should lie inside the others; here nobody has to rely on it. */
  readonly writs: readonly Pick<WritBody, 'scopes'>[]
  readonly policyKind: string
  readonly params: JsonObject
  /** Of the capability: resource set → the parameter that names a resource of it. */
  readonly scopes: CapabilityDescription['scopes']
  readonly regex?: Regex
}

/** What a call names in one resource set. */
type Named = {
  readonly set: string
  readonly parameter: string
  readonly values: readonly string[]
}

export function checkResourceScopes(input: ResourceScopeInput): readonly Refusal[] {
  const refusals: Refusal[] = []
  const named: Named[] = []
  for (const [set, parameter] of Object.entries(input.scopes)) {
    const values = resourcesAt(input.params, parameter)
    if (values === undefined) {
      refusals.push(refusal('call', { set, parameter, problem: 'names no resource' }))
    } else {
      named.push({ set, parameter, values })
    }
  }
  for (const one of named) {
    const outside = outsideContract(one, input)
    const { set, parameter } = one
    if (outside.length > 0) refusals.push(refusal('contract', { set, parameter, outside }))
  }
  if (refusals.length > 0 || named.length === 0) return refusals
  return input.writs.flatMap((writ) => checkWrit(writ.scopes, named, input))
}

/**
 * At every place a text, or a list of texts. An empty list is refused: to many providers "none
 * named" means all.
 */
function resourcesAt(params: JsonObject, parameter: string): readonly string[] | undefined {
  const texts: string[] = []
  for (const place of resolvePointer(params, parameter)) {
    const given = place.kind === 'found' ? place.value : null
    const values: readonly JsonValue[] = Array.isArray(given) ? given : [given]
    if (values.length === 0 || !values.every((one) => typeof one === 'string')) return undefined
    texts.push(...values)
  }
  return texts.length === 0 ? undefined : texts
}

/** A set that the contract does not grant has no values: everything is outside. */
function outsideContract({ set, values }: Named, input: ResourceScopeInput): readonly string[] {
  const { resources } = input.contract.permissions
  const patterns = own(resources, set) ?? []
  return outsideOf(patterns, values, input.regex)
}

/**
 * One scope must admit the whole call. Taking one resource from one scope and another from the next
 * would join what the issuer kept apart.
 */
function checkWrit(
  granted: readonly WritScope[],
  named: readonly Named[],
  { policyKind, regex }: ResourceScopeInput,
): readonly Refusal[] {
  const scopes = scopesFor(granted, policyKind)
  if (scopes.some((scope) => outsideScope(scope, named, regex).length === 0)) return []
  // That nothing covers the kind is for an earlier stage to say; here it fails closed.
  const [first] = scopes
  if (first === undefined) return [refusal('writ', { policy_kind: policyKind })]
  return outsideScope(first, named, regex)
}

function outsideScope(
  scope: WritScope,
  named: readonly Named[],
  regex: Regex | undefined,
): readonly Refusal[] {
  const sets = scope.resources ?? {}
  const refusals: Refusal[] = []
  for (const { set, parameter, values } of named) {
    const patterns = own(sets, set)
    const outside = patterns === undefined ? [] : outsideOf(patterns, values, regex)
    if (outside.length > 0) refusals.push(refusal('writ', { set, parameter, outside }))
  }
  return refusals
}

function outsideOf(
  patterns: readonly string[],
  values: readonly string[],
  regex: Regex | undefined,
): readonly string[] {
  return values.filter(
    (value) => !patterns.some((pattern) => matchesPattern(pattern, value, regex)),
  )
}

function refusal(by: 'call' | 'contract' | 'writ', details: JsonObject): Refusal {
  return { code: 'RESOURCE_SCOPE', details: { by, ...details } }
}
