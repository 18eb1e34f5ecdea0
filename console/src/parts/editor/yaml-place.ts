/**
 * Where in a YAML document the cursor stands: by indentation and brackets before it, and no more. It is for
 * completion while somebody types, when the text is no YAML yet; what a document says is for the server to read.
 */
export type YamlPlace = {
  /** The members that lead there; `*` is an element of a list. */
  readonly path: readonly string[]
  /** A name of a member is written, or a value. */
  readonly kind: 'name' | 'value'
  /** What stands there already, up to the cursor. */
  readonly typed: string
  /** Names that stand beside it. */
  readonly taken: readonly string[]
}

type Frame = { readonly indent: number; readonly step: string }

/** So far back a parent is looked for. */
const LINES_BACK = 2_000
/** In a longer line nothing is offered: it would be read from its beginning with every key that is pressed. */
const LONGEST_LINE = 1_000
/** A name stands at the beginning of its line. */
const LONGEST_NAME = 200
const KEY = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s#'"[\]{},:&*!|>%@`][^#:[\]{},]*?))\s*:(?=\s|$)/

export function findYamlPlace(text: string, at: number): YamlPlace | null {
  const before = text.slice(0, at).split('\n')
  const line = before.at(-1) ?? ''
  if (line.length > LONGEST_LINE || /(?:^|\s)#/.test(stripTexts(line))) return null
  const lines = before.slice(-LINES_BACK - 1)
  const { indent, dashes, rest } = readIndent(line)
  const frames = findParents(lines.slice(0, -1), dashes > 0 ? indent - 1 : indent, dashes > 0)
  const path = [...frames.map(({ step }) => step), ...(dashes > 0 ? ['*'] : [])]
  const flow = findFlowPlace(rest, path)
  if (flow !== null) return flow
  const key = findKey(rest)
  if (key !== null) {
    const name = getKeyName(key)
    const value = rest.slice(key[0].length)
    const inner = findFlowPlace(value, [...path, name])
    return inner ?? { path: [...path, name], kind: 'value', typed: value.trimStart(), taken: [] }
  }
  if (dashes > 0 && path.length > 0 && !/^[\w]*$/.test(rest))
    return { path, kind: 'value', typed: rest, taken: [] }
  const taken = listSiblings(text.split('\n'), before.length - 1, indent)
  return { path, kind: 'name', typed: rest, taken }
}

function findKey(text: string): RegExpExecArray | null {
  return KEY.exec(text.slice(0, LONGEST_NAME))
}

function getKeyName([, double, single, plain]: RegExpExecArray): string {
  return double ?? single ?? plain ?? ''
}

/** Dashes are part of the indentation: what follows them stands deeper. */
function readIndent(line: string): {
  readonly indent: number
  readonly dashes: number
  readonly rest: string
} {
  const lead = /^(\s*)((?:-\s+)*)/.exec(line)
  const [, blanks = '', dashed = ''] = lead ?? []
  const rest = line.slice(blanks.length + dashed.length)
  const dashes = dashed.split('-').length - 1
  return { indent: blanks.length + dashed.length, dashes, rest }
}

/** The keys above, each less indented than the one below it. */
function findParents(
  lines: readonly string[],
  indent: number,
  isElement: boolean,
): readonly Frame[] {
  const frames: Frame[] = []
  let [deepest, sameLevel] = [indent, isElement]
  for (let at = lines.length - 1; at >= 0 && deepest > 0; at -= 1) {
    const line = lines[at] ?? ''
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    const { indent: found, dashes, rest } = readIndent(line)
    const key = findKey(rest)
    const own = found - (dashes > 0 ? 2 : 0)
    // A list may stand at the indentation of its name.
    const isAbove = found < deepest || (sameLevel && found <= deepest && key !== null)
    if (dashes > 0 && found === deepest && deepest > 0) {
      frames.unshift({ indent: found, step: '*' })
      deepest = own
      sameLevel = true
      continue
    }
    if (!isAbove || key === null) continue
    frames.unshift({ indent: found, step: getKeyName(key) })
    deepest = found
    sameLevel = false
    if (dashes > 0) {
      frames.unshift({ indent: found, step: '*' })
      deepest = own
      sameLevel = true
    }
  }
  if (sameLevel && deepest === 0) appendRoot(lines, frames)
  return frames
}

/** `limits:` at the margin, with its dashes at the margin as well. */
function appendRoot(lines: readonly string[], frames: Frame[]): void {
  const above = lines.findLast((line) => findKey(line) !== null && !line.startsWith('-'))
  const key = above === undefined ? null : findKey(above)
  if (key !== null) frames.unshift({ indent: 0, step: getKeyName(key) })
}

/** Inside of brackets on the same line; null: it stands in none. */
function findFlowPlace(line: string, path: readonly string[]): YamlPlace | null {
  const stack: { readonly open: string; readonly path: readonly string[]; taken: string[] }[] = []
  let own = path
  let start = 0
  let key: string | null = null
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    if (character === '"' || character === "'") {
      at = findTextEnd(line, at, character)
      continue
    }
    const name = stack.length === 0 || stack.at(-1)?.open === '{' ? findKey(line.slice(at)) : null
    if (name !== null && line.slice(start, at).trim() === '') {
      key = getKeyName(name)
      stack.at(-1)?.taken.push(key)
      at += name[0].length - 1
      start = at + 1
    } else if (character === '{' || character === '[') {
      own = [...own, ...(key === null ? [] : [key]), ...(character === '[' ? ['*'] : [])]
      stack.push({ open: character, path: own, taken: [] })
      key = null
      start = at + 1
    } else if (character === '}' || character === ']') {
      stack.pop()
      own = stack.at(-1)?.path ?? path
      key = null
      start = at + 1
    } else if (character === ',') {
      key = null
      start = at + 1
    }
  }
  const top = stack.at(-1)
  if (top === undefined) return null
  const typed = line.slice(start).trimStart()
  if (key !== null) return { path: [...top.path, key], kind: 'value', typed, taken: [] }
  return { path: top.path, kind: top.open === '{' ? 'name' : 'value', typed, taken: top.taken }
}

function findTextEnd(line: string, from: number, quote: string): number {
  for (let at = from + 1; at < line.length; at += 1) {
    if (quote === '"' && line[at] === '\\') at += 1
    else if (line[at] === quote) return at
  }
  return line.length
}

function stripTexts(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"?|'[^']*'?/g, '')
}

/** The names at the same indentation, up and down to where the map ends. */
function listSiblings(lines: readonly string[], own: number, indent: number): readonly string[] {
  const names: string[] = []
  const look = (step: 1 | -1): void => {
    for (
      let at = own + step, seen = 0;
      at >= 0 && at < lines.length && seen < LINES_BACK;
      at += step
    ) {
      seen += 1
      const line = lines[at] ?? ''
      if (line.trim() === '') continue
      const found = readIndent(line)
      if (found.indent < indent) return
      if (found.indent > indent) continue
      if (step === 1 && found.dashes > 0) return
      const key = findKey(found.rest)
      if (key !== null) names.push(getKeyName(key))
      if (step === -1 && found.dashes > 0) return
    }
  }
  look(-1)
  look(1)
  return names
}
