/** Patterns, and whether a child writ lies inside its parent: the second opinion. */
import type { Writ, WritBody } from 'rubicon-kernel'
import { parseTime, toMinorUnits } from './exact.ts'

export type Regex = ((expression: string, value: string) => boolean | undefined) | undefined

const isRegex = (pattern: string): boolean => pattern.startsWith('re:')

/** A literal, or a prefix and a star. */
export function isKindMatch(pattern: string, kind: string): boolean {
  return pattern.endsWith('*') ? kind.startsWith(pattern.slice(0, -1)) : kind === pattern
}

/** The same, or an expression; undefined where there is no engine for it. */
export function isMatch(pattern: string, value: string, regex: Regex): boolean | undefined {
  if (!isRegex(pattern)) return isKindMatch(pattern, value)
  return regex?.(pattern.slice(3), value)
}

function isKindCovered(outer: string, inner: string): boolean {
  if (!outer.endsWith('*')) return outer === inner
  const text = inner.endsWith('*') ? inner.slice(0, -1) : inner
  return text.startsWith(outer.slice(0, -1))
}

function isCovered(outer: string, inner: string): boolean {
  if (outer === inner || outer === '*') return true
  return !isRegex(outer) && !isRegex(inner) && isKindCovered(outer, inner)
}

type Scope = WritBody['scopes'][number]

function isScopeInside(inner: Scope, outer: Scope): boolean {
  if (!isKindCovered(outer.kind, inner.kind)) return false
  return Object.entries(outer.resources ?? {}).every(([set, allowed]) => {
    const asked = inner.resources?.[set]
    return asked?.every((one) => allowed.some((pattern) => isCovered(pattern, one))) === true
  })
}

function isBudgetInside(inner: WritBody, outer: WritBody): boolean {
  return Object.entries(inner.budget).every(([measure, amount]) => {
    const granted = toMinorUnits(measure, outer.budget[measure] ?? '0')
    const asked = toMinorUnits(measure, amount)
    return granted !== null && asked !== null && asked <= granted
  })
}

function isNotAfter(earlier: string, later: string): boolean {
  const [first, second] = [parseTime(earlier), parseTime(later)]
  return first !== null && second !== null && first <= second
}

/** Whether the parent lets anyone hang below it, and this deep. */
export function isDepthAllowed(child: WritBody, { body: parent }: Writ): boolean {
  const depth = child.delegation.max_depth
  return parent.delegation.may_delegate && depth >= 0 && depth < parent.delegation.max_depth
}

export function isInside(child: WritBody, { id, body: parent }: Writ): boolean {
  const ceiling = child.effect_ceiling
  const above = parent.effect_ceiling
  return (
    child.tenant === parent.tenant &&
    child.audience === parent.audience &&
    child.parent === id &&
    child.issuer_key === parent.subject_key &&
    child.scopes.every((scope) => parent.scopes.some((outer) => isScopeInside(scope, outer))) &&
    (!ceiling.read || above.read) &&
    (!ceiling.write || above.write) &&
    (!ceiling.external || above.external) &&
    (!ceiling.irreversible || above.irreversible) &&
    isBudgetInside(child, parent) &&
    isNotAfter(parent.window.not_before, child.window.not_before) &&
    isNotAfter(child.window.expires_at, parent.window.expires_at)
  )
}
