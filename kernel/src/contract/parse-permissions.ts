/** Reads `permissions`: kinds, resource sets and limits, in the full form and in the flat one. */

import { isObject } from '../canonical/json-value.ts'
import { type Accepts, findAcceptsProblem, type WidenedLabel } from '../fact/accept.ts'
import { LIMITS } from '../limits.ts'
import type { Contract, Limit } from './contract.ts'
import {
  ALLOWED_POLICY_TYPES,
  buildNamedLimit,
  isNamedLimit,
  isRuleLikeName,
  toResourceSetName,
} from './flat-form.ts'
import { checkMeant, type NamedKinds, readSomeKinds } from './meant-kinds.ts'
import { limitReader } from './parse-limit.ts'
import {
  createDistinctListReader,
  createMapReader,
  isName,
  kinds,
  listOf,
  patterns,
  readPathPattern,
} from './read-list.ts'
import { readPositiveOrZero } from './read-scalar.ts'
import { describeValue, Fields, type Place, type Read } from './reader.ts'
import { readSubscription } from './subscription.ts'

type Permissions = Contract['permissions']
type ResourceSets = Record<string, Permissions['resources'][string]>

export function createPermissionsReader(domainCodes: ReadonlySet<string>): Read<Permissions> {
  return (value, place) => {
    const fields = new Fields(value, place)
    const policy_kinds = readKinds(fields, place)
    const forbidden_kinds = fields.readDefaulted('forbidden_kinds', kinds, [])
    const listed = fields.readDefaulted('limits', listOf(limitReader(domainCodes)), [])
    const subscriptions = fields.readDefaulted('subscriptions', listOf(readSubscription), [])
    const reads = fields.readDefaulted('reads', createDistinctListReader(readPathPattern), [])
    const accepts = fields.readOptional('accepts', readAccepts, (given) => ({ accepts: given }))
    const named = readNamedLimits(fields)
    const resources = readResources(fields, place)
    fields.end()

    checkKinds(policy_kinds, forbidden_kinds, place)
    const named_kinds = { policy_kinds, forbidden_kinds }
    checkLimits(listed, named_kinds, place.stepInto('limits'))
    for (const [name, set] of Object.entries(resources))
      if ('allow' in set)
        checkMeant(set.applies_to, named_kinds, place.stepInto('resources').stepInto(name))
    checkNamedLimits(named, listed, place)
    const limits = [...listed, ...named]
    return { policy_kinds, forbidden_kinds, resources, limits, subscriptions, reads, ...accepts }
  }
}

/** The paths are patterns and no identifiers; the map has no prototype, as others have none. */
const readAccepts: Read<Accepts> = (value, place) => {
  const accepts: Record<string, WidenedLabel> = Object.create(null)
  const problem = findAcceptsProblem(value)
  if (problem !== undefined) place.refuse(problem)
  else Object.assign(accepts, value)
  return accepts
}

function readKinds(fields: Fields, place: Place): readonly string[] {
  if (fields.has('policy_kinds') && fields.has(ALLOWED_POLICY_TYPES)) {
    place.stepInto(ALLOWED_POLICY_TYPES).refuse('says the same as `policy_kinds`: keep one of them')
  }
  const flat = fields.readDefaulted(ALLOWED_POLICY_TYPES, kinds, [])
  return fields.readDefaulted('policy_kinds', kinds, flat)
}

function readNamedLimits(fields: Fields): readonly Limit[] {
  const names = fields.listUntaken().filter(isNamedLimit)
  return names.map((name) => buildNamedLimit(name, fields.readRequired(name, readPositiveOrZero)))
}

/** The map `resources`, and every remaining name that holds a list. */
function readResources(fields: Fields, place: Place): Readonly<ResourceSets> {
  const sets: ResourceSets = Object.create(null)
  Object.assign(sets, fields.readDefaulted('resources', createMapReader(readResourceSet), {}))
  for (const name of fields.listUntaken()) {
    if (!fields.hasList(name) && !fields.hasMember(name, 'allow')) continue
    const values = fields.readRequired(name, readResourceSet)
    const set = toResourceSetName(name)
    if (isRuleLikeName(name)) {
      place
        .stepInto(name)
        .refuse(
          'is no member of `permissions`, and reads like a rule: correct its name; a resource set of that name belongs below `resources`',
        )
    } else if (Object.hasOwn(sets, set)) {
      place.stepInto(name).refuse(`the resource set ${describeValue(set)} is given twice`)
    } else if (isName(set, place)) {
      sets[set] = values
    }
  }
  return sets
}

/** A list of patterns, or such a list for some kinds; for all kinds it is stored as the list. */
const readResourceSet: Read<Permissions['resources'][string]> = (value, place) => {
  if (!isObject(value)) return patterns(value, place)
  const fields = new Fields(value, place)
  const allow = fields.readRequired('allow', patterns)
  const read = fields.readOptional('applies_to', readSomeKinds, (applies_to) => ({ applies_to }))
  fields.end()
  return read.applies_to === undefined ? allow : { allow, applies_to: read.applies_to }
}

function checkKinds(allowed: readonly string[], forbidden: readonly string[], place: Place): void {
  forbidden.forEach((kind, index) => {
    if (kind !== '' && allowed.includes(kind)) {
      place
        .stepInto('forbidden_kinds')
        .stepInto(index)
        .refuse(`${describeValue(kind)} is both allowed and forbidden`)
    }
  })
}

function checkLimits(limits: readonly Limit[], allowed: NamedKinds, place: Place): void {
  const seen = new Set<string>()
  limits.forEach(({ id, applies_to }, index) => {
    const at = place.stepInto(index)
    if (id !== '' && seen.has(id))
      at.stepInto('id').refuse(`${describeValue(id)} is the id of another limit`)
    seen.add(id)
    checkMeant(applies_to, allowed, at)
  })
}

function checkNamedLimits(named: readonly Limit[], listed: readonly Limit[], place: Place): void {
  for (const { id } of named) {
    if (listed.some((limit) => limit.id === id)) {
      place.stepInto(id).refuse(`${describeValue(id)} is the id of another limit`)
    }
  }
  if (listed.length + named.length > LIMITS.contractLimits) {
    place.refuse(`has more than ${LIMITS.contractLimits} limits`)
  }
}
