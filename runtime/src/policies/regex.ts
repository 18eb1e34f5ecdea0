/** Regular expressions that users write, in linear time. */
import { RE2JS } from 're2js'

const COMPILED_MAX = 1024
const compiled = new Map<string, RE2JS>()

/**
 * The whole value must match. A pattern that cannot be compiled throws: the contract that holds it
 * was refused at deployment, and neither "matches" nor "does not" is safe for allowed and denied.
 */
export function matchesRegex(pattern: string, value: string): boolean {
  let regex = compiled.get(pattern)
  if (regex === undefined) {
    regex = RE2JS.compile(pattern)
    if (compiled.size >= COMPILED_MAX) compiled.clear()
    compiled.set(pattern, regex)
  }
  return regex.matches(value)
}
