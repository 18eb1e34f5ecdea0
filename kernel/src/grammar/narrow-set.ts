/** Narrows a place to patterns: listed values are looked at one by one, and a list of literals becomes a list of values. */
import type { JsonValue } from '../canonical/json-value.ts'
import { isLiteralPattern, type Regex } from '../contract/pattern.ts'
import { createBoundedMatch } from '../contract/pattern-budget.ts'
import { GRAMMAR_LIMITS } from './grammar-limits.ts'
import type { Narrowed } from './narrow-node.ts'
import type { GrammarNode, TextNode } from './node.ts'

/** What a value must match and must not. */
export type AllowedSet = {
  readonly allowed?: readonly string[] | undefined
  readonly denied?: readonly string[] | undefined
  /** Only texts count, not what other values are written as. */
  readonly isText?: boolean
}

export function narrowSet(node: GrammarNode, set: AllowedSet, regex?: Regex): Narrowed {
  switch (node.kind) {
    case 'values':
      return filterValues(node.values, set, regex)
    case 'text':
      return narrowText(node, set, regex)
    case 'integer':
      return set.isText === true ? 'empty' : 'unsaid'
    case 'number':
    case 'decimal':
    case 'list':
    case 'choice':
      return 'unsaid'
    case 'object':
      return 'empty'
  }
}

/** A value of which it cannot be found out whether it matches is not inside. */
function filterValues(values: readonly JsonValue[], set: AllowedSet, regex?: Regex): Narrowed {
  const matches = createBoundedMatch(regex)
  const isAmong = (patterns: readonly string[], text: string): boolean | undefined => {
    const found = patterns.map((pattern) => matches(pattern, text))
    return found.includes(true) ? true : found.includes(undefined) ? undefined : false
  }
  const left = values.filter((value) => {
    const text = toText(value, set)
    if (text === undefined) return false
    const isAllowed = set.allowed === undefined || isAmong(set.allowed, text) === true
    return isAllowed && (set.denied === undefined || isAmong(set.denied, text) === false)
  })
  return left.length === 0 ? 'empty' : { kind: 'values', values: left }
}

function toText(value: JsonValue, { isText }: AllowedSet): string | undefined {
  if (typeof value === 'string') return value
  if (isText === true) return undefined
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A list of patterns that stand for many is nothing that a list of values could say. */
function narrowText(node: TextNode, set: AllowedSet, regex?: Regex): Narrowed {
  const { allowed } = set
  if (allowed === undefined || !allowed.every(isLiteralPattern)) return 'unsaid'
  if (allowed.length > GRAMMAR_LIMITS.values) return 'unsaid'
  const fitting: string[] = []
  for (const value of new Set(allowed)) {
    const isFitting = isTextFitting(node, value, regex)
    if (isFitting === undefined) return 'unsaid'
    if (isFitting) fitting.push(value)
  }
  // A literal is allowed by being one of them: only what is denied is left to ask.
  return filterValues(fitting, { denied: set.denied }, regex)
}

/** Undefined: whether the pattern of the schema takes it cannot be found out here. */
function isTextFitting(
  { min, max, isLengthStated, pattern }: TextNode,
  value: string,
  regex?: Regex,
): boolean | undefined {
  const length = [...value].length
  if (isLengthStated && (length < min || length > max)) return false
  if (pattern === undefined) return true
  const isAnchored = pattern.startsWith('^') && pattern.endsWith('$') && !pattern.includes('|')
  return isAnchored ? regex?.(pattern.slice(1, -1), value) : undefined
}
