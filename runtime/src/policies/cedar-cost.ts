/**
 * What it costs to ask a set of Cedar rules about a proposal, before it is asked. The evaluator has no
 * deadline, and an agent chooses how long its texts are and how many values it sends.
 *
 * A step is about four nanoseconds of one core. What is counted is the most that it can take:
 * - `like` goes through the text once for each character of its pattern;
 * - what compares or collects whole values (`==`, `contains`, sets) may go through all of them;
 * - each value is handed to the evaluator, and one with a decimal point is parsed there.
 */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'

const VALUE_STEPS = 2_000
const DECIMAL_STEPS = 8_000
/** Comparing is faster than matching: characters in a step, and steps for each value. */
const COMPARED_CHARACTERS = 4
const COMPARED_VALUE = 16
/** Parsing is slower, since what cannot be parsed is repeated in an error: as so many comparisons. */
const PARSED = 8

/** What the left side of a `like` can be: a member of the context, a text of the rule, or anything. */
type Source =
  | { readonly kind: 'member'; readonly path: readonly string[] }
  | { readonly kind: 'text'; readonly length: number }
  | { readonly kind: 'any' }

type Like = { readonly pattern: number; readonly source: Source }

export type CedarCost = {
  readonly likes: readonly Like[]
  /** Operators that may go through all values, counted as comparisons. */
  readonly wide: number
}

/** Of rules, as the evaluator writes them in JSON. */
export function computeCedarCost(rules: readonly JsonValue[]): CedarCost {
  const likes: Like[] = []
  let wide = 0
  const visit = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return
    if (isObject(value)) {
      const { like } = value
      if (isObject(like) && Array.isArray(like.pattern))
        likes.push({ pattern: measurePattern(like.pattern), source: findSource(like.left) })
      wide += countWideOperators(value)
    }
    for (const part of Object.values(value)) visit(part)
  }
  for (const rule of rules) visit(rule)
  return { likes, wide }
}

/** What a rule sees of a proposal, in so many steps at most. */
export function countCedarSteps(cost: CedarCost, context: JsonObject): number {
  const { values, decimals, text, longest } = measureContext(context)
  const compared = text / COMPARED_CHARACTERS + values * COMPARED_VALUE
  let steps = values * VALUE_STEPS + decimals * DECIMAL_STEPS + cost.wide * compared
  for (const { pattern, source } of cost.likes)
    steps += pattern * textLength(source, context, longest)
  return Math.ceil(steps)
}

/** A wildcard, or a piece of text. */
function measurePattern(pattern: readonly JsonValue[]): number {
  let length = 0
  for (const part of pattern) {
    const literal = isObject(part) ? part.Literal : undefined
    length += typeof literal === 'string' ? literal.length : 1
  }
  return length
}

function findSource(expression: JsonValue | undefined): Source {
  const path: string[] = []
  let part = expression
  while (isObject(part) && isObject(part['.']) && typeof part['.'].attr === 'string') {
    path.unshift(part['.'].attr)
    part = part['.'].left
  }
  if (isObject(part) && part.Var === 'context' && path.length > 0) return { kind: 'member', path }
  if (isObject(part) && typeof part.Value === 'string' && path.length === 0)
    return { kind: 'text', length: part.Value.length }
  return { kind: 'any' }
}

function textLength(source: Source, context: JsonObject, longest: number): number {
  if (source.kind === 'any') return longest
  if (source.kind === 'text') return source.length
  let value: JsonValue | undefined = context
  for (const name of source.path)
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  // A number may be handed over as text.
  return typeof value === 'string' ? value.length : typeof value === 'number' ? longest : 0
}

/** Compared with what the rule says itself, a value is gone through no further than that. */
const COMPARING = ['==', '!=', 'contains', 'containsAll', 'containsAny']
const PARSING = ['decimal', 'ip', 'datetime', 'duration']

function countWideOperators(expression: JsonObject): number {
  let wide = 0
  for (const name of COMPARING) {
    const operands = expression[name]
    if (isObject(operands) && !isLiteral(operands.left) && !isLiteral(operands.right)) wide += 1
  }
  for (const name of PARSING) {
    const given = expression[name]
    if (Array.isArray(given)) wide += PARSED * given.filter((one) => !isLiteral(one)).length
  }
  const { Set: set } = expression
  if (Array.isArray(set)) wide += set.filter((one) => !isLiteral(one)).length
  return wide
}

/** Also a set of such: what stands in a rule has the length that its author gave it. */
function isLiteral(expression: JsonValue | undefined): boolean {
  if (!isObject(expression)) return false
  if (Array.isArray(expression.Set)) return expression.Set.every(isLiteral)
  return Object.hasOwn(expression, 'Value')
}

type Size = { values: number; decimals: number; text: number; longest: number }

function measureContext(context: JsonObject): Readonly<Size> {
  const size: Size = { values: 0, decimals: 0, text: 0, longest: 0 }
  addSize(context, size)
  return size
}

function addSize(value: JsonValue, size: Size): void {
  size.values += 1
  if (typeof value === 'string') {
    size.text += value.length
    size.longest = Math.max(size.longest, value.length)
  } else if (typeof value === 'number') {
    size.decimals += Number.isSafeInteger(value) ? 0 : 1
    size.longest = Math.max(size.longest, String(value).length)
  } else if (isObject(value)) {
    for (const [name, part] of Object.entries(value)) {
      size.text += name.length
      addSize(part, size)
    }
  } else if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value
    for (const part of items) addSize(part, size)
  }
}
