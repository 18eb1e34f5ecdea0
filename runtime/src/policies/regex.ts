/** Regular expressions that users write, in linear time. */
import { RE2JS } from 're2js'
import { LIMITS, type Regex } from 'rubicon-kernel'

const COMPILED_MAX = 1024
/** Null: it cannot be compiled, or is too large. */
const compiled = new Map<string, RE2JS | null>()

/**
 * The whole value must match. Undefined where the expression cannot be compiled: a contract that holds
 * it was refused at deployment, but a writ that somebody narrowed may; and neither "matches" nor "does
 * not" is safe for allowed and denied.
 */
export const matchesRegex: Regex = Object.assign(
  (expression: string, value: string): boolean | undefined =>
    compileCached(expression)?.matches(value),
  { states: (expression: string): number => compileCached(expression)?.programSize() ?? 1 },
)

function compileCached(expression: string): RE2JS | null {
  const known = compiled.get(expression)
  if (known !== undefined) return known
  const regex = compile(expression)
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  compiled.set(expression, regex)
  return regex
}

function compile(expression: string): RE2JS | null {
  if (expression.length > LIMITS.expressionLength) return null
  try {
    const regex = RE2JS.compile(expression)
    return regex.programSize() > LIMITS.expressionStates ? null : regex
  } catch {
    return null
  }
}
