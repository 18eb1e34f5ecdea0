/** Reads TypeScript as far as style needs it: what is code, what it imports, how long functions are. */

/** Text in which comments, strings and expressions are blanked; lines stay where they were. */
export function extractCode(text: string): string {
  let code = ''
  let at = 0
  const templates: number[] = []
  let depth = 0
  const padUntil = (end: number): void => {
    for (; at < end; at += 1) code += text[at] === '\n' ? '\n' : ' '
  }
  while (at < text.length) {
    const char = text[at] ?? ''
    const two = text.slice(at, at + 2)
    if (two === '//') padUntil(indexOr(text, '\n', at))
    else if (two === '/*') padUntil(indexOr(text, '*/', at) + 2)
    else if (char === "'" || char === '"') padUntil(findStringEnd(text, at, char))
    else if (char === '`' || (char === '}' && templates.at(-1) === depth)) {
      if (char === '}') templates.pop()
      const end = findTemplateEnd(text, at + 1)
      if (text[end - 1] === '{') templates.push(depth)
      padUntil(end)
    } else if (char === '/' && isExpressionStart(code)) padUntil(findExpressionEnd(text, at))
    else {
      if (char === '{') depth += 1
      if (char === '}') depth -= 1
      code += char
      at += 1
    }
  }
  return code
}

export type Import = {
  readonly from: string
  readonly typeOnly: boolean
  readonly dynamic: boolean
}

const STATIC = /(?:^|\n)(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/g
const DYNAMIC = /\bimport\(\s*'([^']+)'/g

export function parseImports(text: string): readonly Import[] {
  const found: Import[] = []
  for (const [, type, from = ''] of text.matchAll(STATIC)) {
    found.push({ from, typeOnly: type !== undefined, dynamic: false })
  }
  for (const [, from = ''] of text.matchAll(DYNAMIC)) {
    found.push({ from, typeOnly: false, dynamic: true })
  }
  return found
}

const MODULE = /['"`](\.{1,2}\/[^'"`\n$]*?)(\.(?:ts|tsx|js)(?:\?[a-z&]+)?['"`]|\$\{)/g

/** Every relative path to a module that a file names: imports, workers, URLs, also with `${ext}`. */
export function listNamedModules(text: string): readonly string[] {
  return [...text.matchAll(MODULE)].map(([, path = '', end = '']) =>
    end.startsWith('.') ? `${path}${end.split(/['"`?]/)[0]}` : `${path}.ts`,
  )
}

export type Block = { readonly line: number; readonly lines: number }

const OPENS_FUNCTION = /(?:=>|\)(?:\s*:[^={}]*)?)\s*\{$/
const CONTROL = /^\s*(?:\}\s*)?(?:if|for|while|switch|else|catch)\b/

/** Function bodies of more than `most` lines, by their first line. */
export function findLongFunctions(text: string, most: number): readonly Block[] {
  const lines = extractCode(text).split('\n')
  const open: number[] = []
  const long: Block[] = []
  for (const [index, line] of lines.entries()) {
    for (const char of line) {
      if (char === '{') open.push(index)
      if (char !== '}') continue
      const start = open.pop() ?? index
      const first = (lines[start] ?? '').trimEnd()
      const isFunction = OPENS_FUNCTION.test(first) && !CONTROL.test(first)
      if (isFunction && index - start + 1 > most) {
        long.push({ line: start + 1, lines: index - start + 1 })
      }
    }
  }
  return long
}

function indexOr(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from)
  return index < 0 ? text.length : index
}

function findStringEnd(text: string, start: number, quote: string): number {
  let at = start + 1
  while (at < text.length && text[at] !== quote && text[at] !== '\n')
    at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** Behind the closing backtick, or behind the `${` that comes first. */
function findTemplateEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '`') return at + 1
    else if (text[at] === '$' && text[at + 1] === '{') return at + 2
  }
  return text.length
}

/** A slash after a value divides; after anything else it begins an expression. */
function isExpressionStart(code: string): boolean {
  const before = code.trimEnd()
  return /(?:^|[(,=:[!&|?{};+>]|\breturn|\bcase)$/.test(before)
}

function findExpressionEnd(text: string, start: number): number {
  let inClass = false
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\\') at += 1
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '\n' || (char === '/' && !inClass)) return at + 1
  }
  return text.length
}
