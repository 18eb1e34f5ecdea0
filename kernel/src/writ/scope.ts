/** Which policy kinds, on which resources. Scopes of one writ add up; each alone is whole. */
import { getOwn } from '../contract/own.ts'
import {
  intersectPatterns,
  isEachCovered,
  isPrefixCovering,
  isPrefixMatch,
} from '../contract/pattern.ts'
import type { WritScope } from './writ.ts'

type ResourceSets = Readonly<Record<string, readonly string[]>>

export function hasScopeFor(scopes: readonly WritScope[], kind: string): boolean {
  return selectScopes(scopes, kind).length > 0
}

export function selectScopes(scopes: readonly WritScope[], kind: string): readonly WritScope[] {
  return scopes.filter((scope) => isPrefixMatch(scope.kind, kind))
}

/**
 * Whether `child` lies inside one of the parent's scopes. Inside two of them together is not
 * enough: deciding that needs more than anyone can check by eye, and refusing it takes nothing away.
 */
export function isScopeInside(child: WritScope, parents: readonly WritScope[]): boolean {
  return parents.some(
    (parent) =>
      isPrefixCovering(parent.kind, child.kind) &&
      isResourceMapInside(child.resources ?? {}, parent.resources ?? {}),
  )
}

/** A set that the parent narrows must be narrowed by the child too, at least as far. */
function isResourceMapInside(child: ResourceSets, parent: ResourceSets): boolean {
  return Object.entries(parent).every(([set, outer]) => {
    const inner = getOwn(child, set)
    return inner !== undefined && isEachCovered(outer, inner)
  })
}

/** What both admit, or undefined where they share no kind. */
export function intersectScopes(a: WritScope, b: WritScope): WritScope | undefined {
  const kind = intersectKinds(a.kind, b.kind)
  if (kind === undefined) return undefined
  const resources = intersectResourceSets(a.resources ?? {}, b.resources ?? {})
  return Object.keys(resources).length === 0 ? { kind } : { kind, resources }
}

function intersectKinds(a: string, b: string): string | undefined {
  if (isPrefixCovering(a, b)) return b
  return isPrefixCovering(b, a) ? a : undefined
}

function intersectResourceSets(a: ResourceSets, b: ResourceSets): ResourceSets {
  const sets: Record<string, readonly string[]> = Object.create(null)
  for (const [set, left] of Object.entries(a)) {
    const right = getOwn(b, set)
    sets[set] = right === undefined ? left : intersectPatternLists(left, right)
  }
  for (const [set, right] of Object.entries(b)) {
    if (!Object.hasOwn(a, set)) sets[set] = right
  }
  return sets
}

function intersectPatternLists(a: readonly string[], b: readonly string[]): readonly string[] {
  const shared = a.flatMap((one) => b.map((other) => intersectPatterns(one, other)))
  return [...new Set(shared.filter((pattern) => pattern !== undefined))]
}
