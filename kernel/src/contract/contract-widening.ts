/**
 * The law of instances: the contract of an instance lies inside that of its class in every
 * dimension, and is otherwise the same.
 *
 * What cannot be compared must be equal. Every member is classified by its type, so that a new one
 * cannot be forgotten.
 */
import { isAcceptsInside } from '../fact/accept.ts'
import { selectResources } from './applies.ts'
import type { AuthorityLevel, Contract } from './contract.ts'
import { isLimitListInside } from './limit-widening.ts'
import { hasAllMembers, isCovered, isSame, isSubset } from './narrower.ts'
import { getOwn } from './own.ts'
import { isPrefixCovering } from './pattern.ts'
import { type Inside, isDriftInside, JIT_VERIFICATION, SAFETY_RULES } from './safety-widening.ts'

type Permissions = Contract['permissions']
type Nested = 'permissions' | 'safety_rules' | 'jit_verification'

/** Every dimension in which `child` goes beyond `parent`; empty when it is inside. */
export function findContractWidening(child: Contract, parent: Contract): readonly string[] {
  return [
    ...findWiderMembers('', HEAD, child, parent),
    ...findWiderMembers('permissions.', PERMISSIONS, child.permissions, parent.permissions),
    ...(isResourceMapInside(child, parent) ? [] : ['permissions.resources']),
    ...(isLimitListInside(child, parent) ? [] : ['permissions.limits']),
    ...findWiderMembers('safety_rules.', SAFETY_RULES, child.safety_rules, parent.safety_rules),
    ...findWiderMembers(
      'jit_verification.',
      JIT_VERIFICATION,
      child.jit_verification,
      parent.jit_verification,
    ),
    ...(isDriftInside(child, parent) ? [] : ['jit_verification.drift_envelope']),
  ]
}

function findWiderMembers<T>(
  prefix: string,
  dimensions: Readonly<Record<string, Inside<T>>>,
  child: T,
  parent: T,
): readonly string[] {
  const wider = Object.entries(dimensions).filter(([, inside]) => !inside(child, parent))
  return wider.map(([name]) => `${prefix}${name}`)
}

const LEVELS: Readonly<Record<AuthorityLevel, number>> = {
  OBSERVE: 0,
  PROPOSE: 1,
  EXECUTE_LIMITED: 2,
  EXECUTE_FULL: 3,
}

const HEAD: Readonly<Record<Exclude<keyof Contract, Nested>, Inside<Contract>>> = {
  api_version: (child, parent) => child.api_version === parent.api_version,
  kind: (child, parent) => child.kind === parent.kind,
  agent_id: (child, parent) => child.agent_id !== parent.agent_id,
  version: (child, parent) => child.version === parent.version,
  owner: (child, parent) => child.owner === parent.owner,
  // Instants have one spelling, so that the order of texts is the order of times.
  effective_from: (child, parent) => child.effective_from >= parent.effective_from,
  effective_until: ({ effective_until: child }, { effective_until: parent }) =>
    parent === undefined || (child !== undefined && child <= parent),
  role: (child, parent) => child.role === parent.role,
  authority: (child, parent) => LEVELS[child.authority] <= LEVELS[parent.authority],
  // An instance of an instance would have a class that the runtime made.
  instance_of: (child, parent) =>
    child.instance_of === parent.agent_id && parent.instance_of === undefined,
  // A parent approves what its child may not do alone: another one may approve more.
  parent_agent: ({ parent_agent }, parent) =>
    parent_agent === parent.parent_agent || parent_agent === parent.agent_id,
  // The lower number wins, and an instance does not overtake its class.
  priority: (child, parent) => child.priority >= parent.priority,
  mission: (child, parent) => child.mission.startsWith(parent.mission),
  aggregate_thresholds: (child, parent) =>
    hasAllMembers(child.aggregate_thresholds, parent.aggregate_thresholds),
  host: (child, parent) => isSame(child.host, parent.host),
  context_schema: (child, parent) => child.context_schema === parent.context_schema,
  working_context: (child, parent) => isSame(child.working_context, parent.working_context),
  compensation: (child, parent) => isSubset(child.compensation, parent.compensation),
  reason_codes: (child, parent) => hasAllMembers(child.reason_codes, parent.reason_codes),
}

/**
 * For every kind the same sets, each with no more than the class has. One that is left out could let
 * pass what nobody answers; `[]` allows nothing.
 */
function isResourceMapInside(child: Contract, parent: Contract): boolean {
  return child.permissions.policy_kinds.every((kind) => {
    const inner = selectResources(child, kind)
    const outer = selectResources(parent, kind)
    const isKept = Object.keys(outer).every((set) => Object.hasOwn(inner, set))
    return (
      isKept &&
      Object.entries(inner).every(([set, patterns]) =>
        isCovered(patterns, getOwn(outer, set) ?? []),
      )
    )
  })
}

/** Limits and resource sets are apart: which of them bind depends on the kinds. */
const PERMISSIONS: Readonly<
  Record<Exclude<keyof Permissions, 'limits' | 'resources'>, Inside<Permissions>>
> = {
  policy_kinds: (child, parent) => isSubset(child.policy_kinds, parent.policy_kinds),
  forbidden_kinds: (child, parent) => isSubset(parent.forbidden_kinds, child.forbidden_kinds),
  subscriptions: (child, parent) =>
    child.subscriptions.every((one) => parent.subscriptions.some((other) => isSame(one, other))),
  // Whether an empty list means nothing or everything is not for an instance to choose.
  reads: ({ reads: child }, { reads: parent }) =>
    (child.length === 0) === (parent.length === 0) &&
    child.every((path) => parent.some((pattern) => isPrefixCovering(pattern, path))),
  accepts: (child, parent) => isAcceptsInside(child.accepts, parent.accepts),
}
