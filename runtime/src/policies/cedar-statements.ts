/**
 * Cuts a Cedar text into its statements, in their order. The evaluator gives them back in the order of
 * names that it made up, in which the tenth comes before the second.
 */
export type CedarStatement = { readonly text: string; readonly line: number }

/** What stands behind the last semicolon is no statement, if anything does: the evaluator says so. */
export function cutStatements(text: string): readonly CedarStatement[] {
  const statements: CedarStatement[] = []
  let start = -1
  let line = 1
  let firstLine = 1
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (isLineEnd(text, at)) line += 1
    if (text.startsWith('//', at)) at = findCommentEnd(text, at)
    else if (character === '"') at = findStringEnd(text, at)
    else if (start < 0 && character.trim() !== '') {
      start = at
      firstLine = line
    }
    if (character !== ';') continue
    statements.push({ text: text.slice(start, at + 1), line: firstLine })
    start = -1
  }
  return statements
}

/** The same text with a blank for each character of a comment, so that places stay where they are. */
export function stripComments(text: string): string {
  let code = ''
  for (let at = 0; at < text.length; at += 1) {
    const start = at
    const isComment = text.startsWith('//', at)
    if (isComment) at = findCommentEnd(text, at)
    else if (text[at] === '"') at = findStringEnd(text, at)
    code += isComment ? ' '.repeat(at + 1 - start) : text.slice(start, at + 1)
  }
  return code
}

/** Of CR LF the second counts. */
function isLineEnd(text: string, at: number): boolean {
  return text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')
}

/** The last character of the comment, which ends with its line. */
function findCommentEnd(text: string, from: number): number {
  let at = from
  while (at + 1 < text.length && text[at + 1] !== '\n' && text[at + 1] !== '\r') at += 1
  return at
}

/** The quote that ends the text which begins here. A text of several lines is none in Cedar. */
function findStringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length
}
