/**
 * The auditor's own reading of a text: classes, their methods, and functions, by their indentation alone. It is enough for the
 * texts of the storm, and shares nothing with the parsers that it judges.
 */

/** By path; what belongs to no symbol is the text of the empty one. */
export function listSymbols(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let [holder, member] = ['', '']
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, classed] = /^(?:export )?class (\w+) \{\}?$/.exec(line) ?? []
    const [, called] = /^(?:export )?function (\w+)\(/.exec(line) ?? []
    const [, from] = /^import .* from '(.+)'$/.exec(line) ?? []
    const [, method] = /^ {2}(\w+)\(.*\{$/.exec(line) ?? []
    if (classed !== undefined) holder = `class:${classed}`
    if (called !== undefined) holder = `function:${called}`
    if (method !== undefined && holder.startsWith('class:')) member = `${holder}/method:${method}`
    const at = from === undefined ? (member === '' ? holder : member) : `import:${from}`
    // An empty class has its brackets side by side: where they stand is no part of it.
    const said = at === holder ? line.replace(/\{?\}?$/, '').trimEnd() : line
    found.set(at, `${found.get(at) ?? ''}${said}\n`.replace(/\n+$/, '\n'))
    if (line === '  }') member = ''
    if (line === '}' || line.endsWith('{}')) holder = ''
  }
  return found
}

/** Paths whose texts are not the same in both. */
export function listDifferent(before: string, after: string): readonly string[] {
  const [was, is] = [listSymbols(before), listSymbols(after)]
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => was.get(path) !== is.get(path),
  )
}
