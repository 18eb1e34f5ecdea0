/**
 * Patterns of resource values: a literal, a prefix ending in `*`, or `re:` and an expression.
 *
 * Expressions need an engine that runs in linear time, which the kernel does not have; it is handed
 * in. Without one nothing matches.
 */
const STAR = '*'
const REGEX = 're:'

/** Whether the whole value matches the expression. */
export type Regex = (expression: string, value: string) => boolean

export function matchesPattern(pattern: string, value: string, regex?: Regex): boolean {
  if (!isRegexPattern(pattern)) return matchesPrefix(pattern, value)
  return regex?.(expressionOf(pattern), value) ?? false
}

/**
 * Whether everything that `child` matches is matched by `parent`. Of an expression we know only
 * that it is inside itself and inside everything.
 */
export function patternCovers(parent: string, child: string): boolean {
  if (parent === child || parent === STAR) return true
  return !isRegexPattern(parent) && !isRegexPattern(child) && prefixCovers(parent, child)
}

/** What both match, or undefined where that is nothing, or nothing that a pattern could say. */
export function patternOverlap(a: string, b: string): string | undefined {
  if (patternCovers(a, b)) return b
  return patternCovers(b, a) ? a : undefined
}

/** A literal or a prefix ending in `*`; no expressions. */
export function matchesPrefix(pattern: string, value: string): boolean {
  return isPrefix(pattern) ? value.startsWith(prefixText(pattern)) : value === pattern
}

/** As `patternCovers`, without expressions. */
export function prefixCovers(parent: string, child: string): boolean {
  if (!isPrefix(parent)) return parent === child
  return prefixText(child).startsWith(prefixText(parent))
}

export function isRegexPattern(pattern: string): boolean {
  return pattern.startsWith(REGEX)
}

export function expressionOf(pattern: string): string {
  return pattern.slice(REGEX.length)
}

/** A pattern without the star at its end. */
export function prefixText(pattern: string): string {
  return isPrefix(pattern) ? pattern.slice(0, -STAR.length) : pattern
}

function isPrefix(pattern: string): boolean {
  return pattern.endsWith(STAR)
}
