/** Whether the limits of a contract bind at least as hard as those of another. */
import { assertUnreachable } from '../assert.ts'
import { isApplicable } from './applies.ts'
import type { Contract, Limit } from './contract.ts'
import { isAtLeast, isAtMost, isCovered, isSame } from './narrower.ts'

/**
 * Each of the parent's limits stands in the child under its id and is no looser there. A limit for
 * kinds that the child may not propose binds nothing, and may be gone. New limits only bind more.
 */
export function isLimitListInside(child: Contract, parent: Contract): boolean {
  const { policy_kinds, limits } = child.permissions
  return parent.permissions.limits.every((outer) => {
    const kinds = policy_kinds.filter((kind) => isApplicable(outer.applies_to, kind))
    if (kinds.length === 0) return true
    const inner = limits.find(({ id }) => id === outer.id)
    return inner !== undefined && isApplicableToAll(inner, kinds) && limitInside(inner, outer)
  })
}

function isApplicableToAll({ applies_to }: Limit, kinds: readonly string[]): boolean {
  return kinds.every((kind) => isApplicable(applies_to, kind))
}

/** What the parent refuses, the child does not hand to a person. */
function limitInside(child: Limit, parent: Limit): boolean {
  const sameAnswer =
    child.on_breach === parent.on_breach && child.reason_code === parent.reason_code
  return (sameAnswer || child.on_breach === 'reject') && isBoundInside(child, parent)
}

function isBoundInside(child: Limit, parent: Limit): boolean {
  switch (parent.kind) {
    case 'range':
      return (
        child.kind === 'range' &&
        isSameSubject(child, parent) &&
        isAtLeast(child.min, parent.min) &&
        isAtMost(child.max, parent.max)
      )
    case 'set':
      return child.kind === 'set' && isSameSubject(child, parent) && setInside(child, parent)
    case 'state_match':
      return (
        child.kind === 'state_match' &&
        child.field === parent.field &&
        isSame(child.expected, parent.expected)
      )
    case 'ratio':
      return (
        child.kind === 'ratio' &&
        child.measure === parent.measure &&
        child.of === parent.of &&
        isAtMost(child.max, parent.max)
      )
    default:
      return assertUnreachable(parent)
  }
}

type Subject = { readonly measure?: string; readonly field?: string }

function isSameSubject(child: Subject, parent: Subject): boolean {
  return child.measure === parent.measure && child.field === parent.field
}

type SetLimit = Extract<Limit, { readonly kind: 'set' }>

function setInside(child: SetLimit, parent: SetLimit): boolean {
  const allowed =
    parent.allowed === undefined ||
    (child.allowed !== undefined && isCovered(child.allowed, parent.allowed))
  return allowed && isCovered(parent.denied ?? [], child.denied ?? [])
}
