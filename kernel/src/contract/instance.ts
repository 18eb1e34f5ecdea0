/**
 * The contract of an instance agent: that of its class, narrowed.
 *
 * A narrowing is a merge patch (RFC 7396) on the class contract: members replace, null removes. It
 * is read like any contract, and then held against the class, so that a patch can say anything and
 * still take nothing that the class does not have.
 */
import { assert } from '../assert.ts'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { err, type Result } from '../result.ts'
import { mergePatch } from '../world/merge-patch.ts'
import type { Contract, Limit } from './contract.ts'
import { listContractPatterns } from './contract-patterns.ts'
import { findContractWidening } from './contract-widening.ts'
import { type ContractProblem, parseContract } from './parse-contract.ts'
import { describeValue } from './reader.ts'

export type InstanceRequest = {
  readonly agent_id: string
  readonly narrowing?: JsonObject
  /** To whom it escalates: the parent of its class, which is the default, or the class itself. */
  readonly parent_agent?: string
}

export type InstanceProblem =
  | { readonly code: 'CONTRACT_INVALID'; readonly problems: readonly ContractProblem[] }
  | { readonly code: 'INSTANCE_WIDENS'; readonly dimensions: readonly string[] }

/** What makes it this instance of this class: not for a patch to say. */
const GIVEN: readonly string[] = [
  'api_version',
  'kind',
  'agent_id',
  'version',
  'instance_of',
  'parent_agent',
]

export function buildInstanceContract(
  ofClass: Contract,
  { agent_id, narrowing = {}, parent_agent }: InstanceRequest,
): Result<Contract, InstanceProblem> {
  const given = GIVEN.filter((name) => Object.hasOwn(narrowing, name))
  if (given.length > 0)
    return err({
      code: 'CONTRACT_INVALID',
      problems: given.map((name) => ({ path: [name], detail: 'is not for an instance to say' })),
    })
  const identity = {
    agent_id,
    instance_of: ofClass.agent_id,
    ...(parent_agent === undefined ? {} : { parent_agent }),
  }
  const read = parseContract({ ...mergeNarrowing(ofClass, narrowing), ...identity })
  if (!read.ok) return err({ code: 'CONTRACT_INVALID', problems: read.error })
  const unknown = findNewExpressions(read.value, ofClass)
  if (unknown.length > 0) return err({ code: 'CONTRACT_INVALID', problems: unknown })
  const dimensions = findContractWidening(read.value, ofClass)
  return dimensions.length === 0 ? read : err({ code: 'INSTANCE_WIDENS', dimensions })
}

/** Expressions are compiled when a contract is deployed; nobody compiles those of an instance. */
function findNewExpressions(child: Contract, parent: Contract): readonly ContractProblem[] {
  const admitted = listContractPatterns(parent)
  const added = listContractPatterns(child).filter((expression) => !admitted.includes(expression))
  return added.map((expression) => ({
    path: ['permissions'],
    detail: `${describeValue(`re:${expression}`)} is not an expression of the class`,
  }))
}

function mergeNarrowing(ofClass: Contract, narrowing: JsonObject): JsonObject {
  const { permissions, jit_verification } = ofClass
  const kinds = narrowKinds(permissions.policy_kinds, narrowing)
  const limits = permissions.limits.flatMap((limit) => narrowLimit(limit, kinds))
  const resources = narrowRules(permissions.resources, kinds)
  const drift_envelope = narrowRules(jit_verification.drift_envelope, kinds)
  const narrower = {
    ...ofClass,
    permissions: { ...permissions, limits, resources },
    jit_verification: { ...jit_verification, drift_envelope },
  }
  const patched = mergePatch(narrower, narrowing)
  assert(isObject(patched), 'an object that is patched by an object is one')
  return patched
}

/** The kinds that a patch leaves; what is not a list is left for the parser to refuse. */
function narrowKinds(kinds: readonly string[], { permissions }: JsonObject): readonly unknown[] {
  const patched = isObject(permissions) ? permissions.policy_kinds : undefined
  return Array.isArray(patched) ? patched : kinds
}

/** A contract names no limit for a kind that it does not have. */
function narrowLimit(limit: Limit, kinds: readonly unknown[]): readonly Limit[] {
  if (limit.applies_to === undefined) return [limit]
  const applies_to = limit.applies_to.filter((kind) => kinds.includes(kind))
  return applies_to.length === 0 ? [] : [{ ...limit, applies_to }]
}

/** A contract names no rule for a kind that it does not have. */
function narrowRules<T extends JsonValue>(
  rules: Readonly<Record<string, T>>,
  kinds: readonly unknown[],
): JsonObject {
  const left: Record<string, JsonValue> = {}
  for (const [name, rule] of Object.entries(rules)) {
    if (!isObject(rule) || !Array.isArray(rule.applies_to)) {
      left[name] = rule
      continue
    }
    const applies_to = rule.applies_to.filter((kind: JsonValue) => kinds.includes(kind))
    if (applies_to.length > 0) left[name] = { ...rule, applies_to }
  }
  return left
}
