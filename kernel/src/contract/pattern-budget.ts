/**
 * Holds values against patterns, up to what a decision may cost. An agent chooses how many values it
 * names and how long they are, and an expression goes through all its states for each character.
 *
 * Undefined: nobody knows, since it was not found out. That is neither inside nor outside, so whoever
 * asks refuses, for what is allowed as for what is denied.
 */
import { LIMITS } from '../limits.ts'
import { isRegexPattern, matchPattern, type Regex, toExpression } from './pattern.ts'

export type BoundedMatch = (pattern: string, value: string) => boolean | undefined

/** What compiling an expression costs for each of its characters, once in a decision. */
const COMPILED = 64

export function createBoundedMatch(regex: Regex | undefined): BoundedMatch {
  let left: number = LIMITS.patternSteps
  const compiled = new Set<string>()
  const countSteps = (pattern: string, value: string): number => {
    if (!isRegexPattern(pattern)) return 1
    const expression = toExpression(pattern)
    if (compiled.has(expression)) return countStates(regex, expression) * (value.length + 1)
    compiled.add(expression)
    const steps = COMPILED * expression.length
    // What is too long to be compiled is not compiled to find out how long it is.
    return steps > left ? steps : steps + countStates(regex, expression) * (value.length + 1)
  }
  return (pattern, value) => {
    if (left < 0) return undefined
    left -= countSteps(pattern, value)
    return left < 0 ? undefined : matchPattern(pattern, value, regex)
  }
}

function countStates(regex: Regex | undefined, expression: string): number {
  return regex?.states?.(expression) ?? 1
}
