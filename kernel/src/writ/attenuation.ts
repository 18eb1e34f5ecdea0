/**
 * The law of delegation: a child lies inside its parent in every dimension.
 *
 * It says nothing about signatures and revocation, which are facts. The parent's id must have been
 * recomputed from its body before; `issuer_key` ties the child to whoever holds the parent.
 */
import { parseInstant } from '../canonical/time.ts'
import { getGrantedUnits } from './budget.ts'
import { CEILING_FLAGS } from './effect-ceiling.ts'
import { isScopeInside } from './scope.ts'
import type { Writ, WritBody } from './writ.ts'

/** Every dimension in which `child` goes beyond `parent`; empty when it is inside. */
export function findWidening(
  child: WritBody,
  { id, body: parent }: Pick<Writ, 'id' | 'body'>,
): readonly string[] {
  return [
    ...(child.tenant === parent.tenant ? [] : ['tenant']),
    ...(child.audience === parent.audience ? [] : ['audience']),
    ...(child.parent === id ? [] : ['parent']),
    ...(child.issuer_key === parent.subject_key ? [] : ['issuer_key']),
    ...findWiderScopes(child, parent),
    ...findWiderCeiling(child, parent),
    ...findWiderBudget(child, parent),
    ...findWiderWindow(child, parent),
    ...findWiderDelegation(child, parent),
  ]
}

function findWiderScopes(child: WritBody, parent: WritBody): readonly string[] {
  return child.scopes.flatMap((scope, index) =>
    isScopeInside(scope, parent.scopes) ? [] : [`scopes.${index}`],
  )
}

function findWiderCeiling(child: WritBody, parent: WritBody): readonly string[] {
  const wider = CEILING_FLAGS.filter(
    (flag) => child.effect_ceiling[flag] && !parent.effect_ceiling[flag],
  )
  return wider.map((flag) => `effect_ceiling.${flag}`)
}

/** An amount that cannot be counted is more than anything. */
function findWiderBudget(child: WritBody, parent: WritBody): readonly string[] {
  const wider = Object.keys(child.budget).filter((measure) => {
    const granted = getGrantedUnits(parent.budget, measure)
    const asked = getGrantedUnits(child.budget, measure)
    return granted === undefined || asked === undefined || asked > granted
  })
  return wider.map((measure) => `budget.${measure}`)
}

function findWiderWindow(child: WritBody, parent: WritBody): readonly string[] {
  const starts = isOrdered(parent.window.not_before, child.window.not_before)
  const ends = isOrdered(child.window.expires_at, parent.window.expires_at)
  return [...(starts ? [] : ['window.not_before']), ...(ends ? [] : ['window.expires_at'])]
}

/** Whether there may be a child at all, and how many levels below it. */
function findWiderDelegation(child: WritBody, parent: WritBody): readonly string[] {
  const { max_depth, may_delegate } = parent.delegation
  const depth = child.delegation.max_depth
  return may_delegate && depth >= 0 && depth < max_depth ? [] : ['delegation']
}

function isOrdered(earlier: string, later: string): boolean {
  const first = parseInstant(earlier)
  const second = parseInstant(later)
  return first !== undefined && second !== undefined && first <= second
}
