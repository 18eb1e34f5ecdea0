/**
 * Patterns of resource values: a literal, a prefix ending in `*`, or `re:` and an expression.
 *
 * Expressions need an engine that runs in linear time, which the kernel does not have; it is handed
 * in. Without one nobody knows whether anything matches.
 */
const STAR = '*'
const REGEX = 're:'

/** Whether the whole value matches the expression; undefined: it is none that can be evaluated. */
export type Regex = {
  (expression: string, value: string): boolean | undefined
  /** Of its program: each is gone through for every character of the value. */
  readonly states?: (expression: string) => number
}

/** Undefined: an expression that cannot be evaluated. */
export function matchPattern(pattern: string, value: string, regex?: Regex): boolean | undefined {
  if (!isRegexPattern(pattern)) return isPrefixMatch(pattern, value)
  return regex?.(toExpression(pattern), value)
}

/**
 * Whether everything that `child` matches is matched by `parent`. Of an expression we know only
 * that it is inside itself and inside everything.
 */
export function isPatternCovering(parent: string, child: string): boolean {
  if (parent === child || parent === STAR) return true
  return !isRegexPattern(parent) && !isRegexPattern(child) && isPrefixCovering(parent, child)
}

type Cover = {
  readonly patterns: ReadonlySet<string>
  readonly prefixes: ReadonlySet<string>
  /** Lengths of the prefixes. */
  readonly lengths: readonly number[]
}

/** Lists of documents, which are never changed. */
const covers = new WeakMap<readonly string[], Cover>()
/** Shorter ones are gone through. */
const FEW = 16

/** Whether each of them is covered by one of the parents. Both lists may be as long as a document. */
export function isEachCovered(parents: readonly string[], children: readonly string[]): boolean {
  if (parents.length <= FEW || children.length <= FEW)
    return children.every((child) => parents.some((parent) => isPatternCovering(parent, child)))
  const cover = covers.get(parents) ?? buildCover(parents)
  covers.set(parents, cover)
  return children.every((child) => isCovered(cover, child))
}

function buildCover(parents: readonly string[]): Cover {
  const stems = parents.filter((one) => isPrefix(one) && !isRegexPattern(one)).map(stripStar)
  const prefixes = new Set(stems)
  const lengths = [...new Set(stems.map(({ length }) => length))]
  return { patterns: new Set(parents), prefixes, lengths }
}

function isCovered({ patterns, prefixes, lengths }: Cover, child: string): boolean {
  if (patterns.has(child) || patterns.has(STAR)) return true
  if (isRegexPattern(child)) return false
  const text = stripStar(child)
  return lengths.some((length) => prefixes.has(text.slice(0, length)))
}

/** What both match, or undefined where that is nothing, or nothing that a pattern could say. */
export function intersectPatterns(a: string, b: string): string | undefined {
  if (isPatternCovering(a, b)) return b
  return isPatternCovering(b, a) ? a : undefined
}

/** Whether it matches itself and nothing else. */
export function isLiteralPattern(pattern: string): boolean {
  return !isPrefix(pattern) && !isRegexPattern(pattern)
}

/** A literal or a prefix ending in `*`; no expressions. */
export function isPrefixMatch(pattern: string, value: string): boolean {
  return isPrefix(pattern) ? value.startsWith(stripStar(pattern)) : value === pattern
}

/** As `patternCovers`, without expressions. */
export function isPrefixCovering(parent: string, child: string): boolean {
  if (!isPrefix(parent)) return parent === child
  return stripStar(child).startsWith(stripStar(parent))
}

export function isRegexPattern(pattern: string): boolean {
  return pattern.startsWith(REGEX)
}

export function toExpression(pattern: string): string {
  return pattern.slice(REGEX.length)
}

/** A pattern without the star at its end. */
export function stripStar(pattern: string): string {
  return isPrefix(pattern) ? pattern.slice(0, -STAR.length) : pattern
}

function isPrefix(pattern: string): boolean {
  return pattern.endsWith(STAR)
}
