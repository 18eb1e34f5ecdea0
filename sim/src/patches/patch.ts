/**
 * A mistake made on purpose, as data: which text of which function becomes which other text. It is
 * applied to the source when a module is loaded (`hook.ts`), never to a file, so that production code
 * knows nothing of it.
 *
 * P1 an edit applies exactly once, or throws with file, function and text: a patch whose text is gone
 *    would otherwise show that a mistake is noticed which nobody made.
 */

export type Edit = {
  /** From the root of the repository. */
  readonly file: string
  /** A function, a constant, or a method or getter (with `#` where it is private). */
  readonly function: string
  /** Occurs exactly once in that function. */
  readonly before: string
  readonly after: string
}

export type NamedTest = {
  /** From the root of the repository. */
  readonly file: string
  readonly title: string
}

export type Patch = {
  readonly name: string
  /** Findings whose tests must fail under it, such as `1a`. */
  readonly findings?: readonly string[]
  /** The test that fails under it, where it belongs to no finding. */
  readonly test?: NamedTest
  readonly edits: readonly Edit[]
}

export class PatchNotApplied extends Error {
  constructor({ file, function: name, before }: Edit, why: string) {
    super(`patch not applied: ${why}: \`${before}\` in \`${name}\` of ${file}`)
    this.name = 'PatchNotApplied'
  }
}

export function applyEdit(source: string, edit: Edit): string {
  const { function: name, before, after } = edit
  const extents = findDeclarations(source, name)
  if (extents.length === 0) throw new PatchNotApplied(edit, 'the function is gone')
  const places = findOccurrences(source, before).filter((at) =>
    extents.some(({ start, end }) => start <= at && at + before.length <= end),
  )
  const [place] = places
  if (place === undefined) throw new PatchNotApplied(edit, 'the text is gone')
  if (places.length > 1) throw new PatchNotApplied(edit, `the text occurs ${places.length} times`)
  return source.slice(0, place) + after + source.slice(place + before.length)
}

function findOccurrences(source: string, text: string): readonly number[] {
  const places: number[] = []
  if (text === '') return places
  for (let at = source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1)) places.push(at)
  return places
}

type Extent = { readonly start: number; readonly end: number }

/** Where what bears the name begins and ends. Methods of several classes may share one. */
function findDeclarations(source: string, name: string): readonly Extent[] {
  const lines = source.split('\n')
  const starts: number[] = []
  let offset = 0
  for (const line of lines) {
    starts.push(offset)
    offset += line.length + 1
  }
  return lines.flatMap((line, first) => {
    if (!isDeclaration(line, name)) return []
    const last = findLastLine(lines, first)
    const isCall = isMethod(line, name) && !hasBody(lines.slice(first, last + 1))
    const end = (starts[last] ?? 0) + (lines[last] ?? '').length
    return isCall ? [] : [{ start: starts[first] ?? 0, end }]
  })
}

function isDeclaration(line: string, name: string): boolean {
  const words = line.trimStart().replace(/^export /, '')
  const rest = words.replace(/^(async )?function\*? |^(const|let) /, '')
  if (rest !== words) return rest.startsWith(name) && !isWordAt(rest, name.length)
  return isMethod(line, name)
}

/** A method, a getter, or a member that holds a function. */
function isMethod(line: string, name: string): boolean {
  const words = line
    .trimStart()
    .replace(/^((static|async|readonly|get|set|override|private) )*\*?/, '')
  if (!words.startsWith(name)) return false
  return /^(<[^(]*>)?\(|^\??(: [^=]+)?(:| =) (async )?(\(|\w+ =>)/.test(words.slice(name.length))
}

function isWordAt(text: string, at: number): boolean {
  return /[\w$]/.test(text[at] ?? '')
}

/** A method has a body behind its parameters; a call on a line of its own has none. */
function hasBody(lines: readonly string[]): boolean {
  const depth = measureIndentation(lines[0] ?? '')
  return lines.some((line) => measureIndentation(line) === depth && /\{$|=>/.test(line))
}

/**
 * The formatter indents what belongs to a declaration, and closes it with a bracket at its depth; the
 * next line at that depth, or above it, is something else.
 */
function findLastLine(lines: readonly string[], first: number): number {
  const depth = measureIndentation(lines[first] ?? '')
  let last = first
  for (let at = first + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '') continue
    const own = measureIndentation(line)
    if (own < depth || (own === depth && !/^\s*[)}\]>]/.test(line))) return last
    last = at
    if (own === depth && /^\s*\}[,;]?$/.test(line)) return last
  }
  return last
}

function measureIndentation(line: string): number {
  return line.length - line.trimStart().length
}
