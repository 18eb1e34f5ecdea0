/** The lines of a `.gitattributes` file that hand files to the merge driver. Lines of others stay as they are, and count. */

export type AttributeChange = {
  readonly text: string
  readonly changed: readonly string[]
  /** Patterns that somebody has decided about. */
  readonly kept: readonly string[]
}

const ATTRIBUTE = 'merge=rubicon'

/** Adds a line for each pattern whose merge nobody has set. */
export function addAttributeLines(text: string, patterns: readonly string[]): AttributeChange {
  const lines = text.split(/\r?\n/u)
  const decided = new Set(lines.filter(isMergeLine).map(readPattern))
  const isDecided = (pattern: string): boolean => decided.has(pattern) || decided.has('*')
  const changed = patterns
    .filter((pattern) => !isDecided(pattern))
    .map((pattern) => `${pattern} ${ATTRIBUTE}`)
  const kept = patterns.filter(
    (pattern) => isDecided(pattern) && !lines.includes(`${pattern} ${ATTRIBUTE}`),
  )
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return { text: `${text}${gap}${changed.map((line) => `${line}\n`).join('')}`, changed, kept }
}

/** Takes out the lines that an installation adds, and no other. */
export function removeAttributeLines(text: string, patterns: readonly string[]): AttributeChange {
  const ours = new Set(patterns.map((pattern) => `${pattern} ${ATTRIBUTE}`))
  const lines = text.split('\n')
  const changed = lines.filter((line) => ours.has(line))
  return { text: lines.filter((line) => !ours.has(line)).join('\n'), changed, kept: [] }
}

function isMergeLine(line: string): boolean {
  const [pattern, ...attributes] = line.trim().split(/\s+/u)
  if (pattern === undefined || pattern.startsWith('#')) return false
  return attributes.some((one) => /^[-!]?merge(?:=|$)/u.test(one) || one === 'binary')
}

function readPattern(line: string): string {
  return line.trim().split(/\s+/u)[0] ?? ''
}
