/**
 * What a writ lets its holder do, found out by trying everything in a small universe.
 *
 * It judges the law of delegation, so it shares nothing with it but the types: own matching, own
 * amounts, own times. Slow and plain on purpose.
 */
import type { Writ, WritBody, WritScope } from 'rubicon-kernel'

export type Link = Pick<Writ, 'id' | 'body'>

export const KINDS: readonly string[] = ['BUY', 'SELL', 'pay.in', 'pay.out', 'WITHDRAW']
export const VALUES: readonly string[] = ['x1', 'x2', 'x10', 'y', 'other']
export const SETS: readonly string[] = ['instruments', 'accounts']
export const MEASURES: readonly string[] = ['calls', 'usd', 'kwh', 'fuel']
export const FLAGS = ['read', 'write', 'external', 'irreversible'] as const

/** A call: its kind, and what it names in each set; null where it does not touch the set. */
type Call = { readonly kind: string; readonly named: readonly (string | null)[] }

const CALLS: readonly Call[] = KINDS.flatMap((kind) =>
  [null, ...VALUES].flatMap((instrument) =>
    [null, ...VALUES].map((account) => ({ kind, named: [instrument, account] })),
  ),
)

/** In how many ways `child` lets its holder do what `ancestor` does not. Empty: it is inside. */
export function findExcesses(child: WritBody, ancestor: WritBody): readonly string[] {
  const found: string[] = []
  if (child.tenant !== ancestor.tenant) found.push('another tenant')
  if (child.audience !== ancestor.audience) found.push('another audience')
  for (const call of CALLS) {
    if (isCallAdmitted(child.scopes, call) && !isCallAdmitted(ancestor.scopes, call)) {
      found.push(`call ${call.kind} ${call.named.join(' ')}`)
    }
  }
  for (const flag of FLAGS) {
    if (child.effect_ceiling[flag] && !ancestor.effect_ceiling[flag]) found.push(`effect ${flag}`)
  }
  for (const measure of MEASURES) {
    const more = parseMillionths(child.budget[measure]) > parseMillionths(ancestor.budget[measure])
    if (more) found.push(`budget ${measure}`)
  }
  const earlier = Date.parse(child.window.not_before) < Date.parse(ancestor.window.not_before)
  const later = Date.parse(child.window.expires_at) > Date.parse(ancestor.window.expires_at)
  if (earlier || later) found.push('time')
  return found
}

/** Who may hand on what: the child hangs on its parent, and the parent had a level to give. */
export function findDelegationProblems(child: WritBody, parent: Link): readonly string[] {
  const found: string[] = []
  const { may_delegate, max_depth } = parent.body.delegation
  if (child.parent !== parent.id) found.push('another parent')
  if (child.issuer_key !== parent.body.subject_key) found.push('another signer')
  if (!may_delegate || max_depth <= 0) found.push('no level to give')
  if (child.delegation.max_depth >= max_depth) found.push('more levels')
  return found
}

function isCallAdmitted(scopes: readonly WritScope[], call: Call): boolean {
  return scopes.some((scope) => {
    if (!isPatternMatch(scope.kind, call.kind)) return false
    return call.named.every((value, index) => {
      const patterns = scope.resources?.[SETS[index] ?? '']
      if (value === null || patterns === undefined) return true
      return patterns.some((pattern) => isPatternMatch(pattern, value))
    })
  })
}

function isPatternMatch(pattern: string, value: string): boolean {
  const expression = pattern.startsWith('re:')
    ? pattern.slice(3)
    : pattern.replace(/[.]/g, '\\.').replace(/[*]$/, '.*')
  return new RegExp(`^(?:${expression})$`).test(value)
}

/** In millionths. What is no amount is more than any. */
function parseMillionths(text: string | undefined): bigint {
  if (text === undefined) return 0n
  const parts = /^(\d+)(?:\.(\d{1,6}))?$/.exec(text)
  if (parts === null) return 2n ** 200n
  return BigInt(`${parts[1]}${(parts[2] ?? '').padEnd(6, '0')}`)
}
