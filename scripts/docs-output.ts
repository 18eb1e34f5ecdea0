/**
 * What a page shows, held against what was printed. `…` stands for anything: in a line for some
 * characters, on a line of its own for some lines. `rbo_…` is also remembered: whoever types it later
 * means what stood there.
 */
export type SeenOutput = { readonly names: ReadonlyMap<string, string>; readonly rest: string }

const GAP = '…'

/** Null: what is shown is not there, or not there yet. */
export function matchOutput(shown: string, printed: string): SeenOutput | null {
  const marks: string[] = []
  const lines = shown.split('\n').map((line) => toLinePattern(line, marks))
  const match = new RegExp(`^${lines.join('')}`).exec(printed)
  if (match === null) return null
  const names = new Map<string, string>()
  for (const [index, mark] of marks.entries()) {
    const found = match[index + 1]
    if (mark !== GAP && found !== undefined) names.set(mark, found)
  }
  return { names, rest: printed.slice(match[0].length) }
}

function toLinePattern(line: string, marks: string[]): string {
  if (line === GAP) return '(?:.*\\n)*?'
  const parts = line.split(/([\w.:~-]*…)/)
  const text = parts.map((part) => {
    if (!part.endsWith(GAP)) return escapePattern(part)
    marks.push(part)
    return part === GAP ? '(.*?)' : `(${escapePattern(part.slice(0, -1))}[\\w.:~-]+)`
  })
  return `${text.join('')}[ \\t]*\\n`
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** A command with what the reader has seen in place of what the page could not know. */
export function fillCommand(command: string, names: ReadonlyMap<string, string>): string {
  return command.replaceAll(/[\w.:~-]+…/g, (mark) => names.get(mark) ?? mark)
}
