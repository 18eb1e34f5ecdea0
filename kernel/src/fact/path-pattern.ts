import { isIdentifier } from '../canonical/identifier.ts'
import { stripStar } from '../contract/pattern.ts'

/** A path of State, or a prefix ending in `*`, which may be empty. */
export function isPathPattern(text: string): boolean {
  return text === '*' || isIdentifier(stripStar(text))
}
