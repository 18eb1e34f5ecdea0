/** How a text writes its imports: quotes, semicolons, white space in braces, types apart or inline. */
import { sliceSpan } from '../../text/span.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { ImportDeclaration } from './read-imports.ts'

export type ImportStyle = {
  readonly hasInlineTypes: boolean
  brace(names: string): string
  /** A declaration, without the line break behind it. */
  write(clause: string, from: string): string
}

export function readImportStyle(
  parsed: ParsedText,
  imports: readonly ImportDeclaration[],
): ImportStyle {
  const { text } = parsed
  const own = imports.map(({ symbol }) => sliceSpan(text, symbol.own))
  const literal = parsed.tiles.find(
    ({ kind, start }) => kind === 'literal' && (text[start] === '"' || text[start] === "'"),
  )
  const sample = own.at(-1)
  const quote = /['"]/u.exec(sample ?? text.slice(literal?.start ?? text.length))?.[0] ?? "'"
  const last = sample ?? sliceSpan(text, parsed.symbols.findLast(isStatement)?.own ?? EMPTY)
  const end = last.endsWith(';') ? ';' : ''
  const isTight = own.some((one) => /\{[^\s}]/u.test(one))
  return {
    hasInlineTypes: imports.some(({ named }) => named?.names.some(({ isType }) => isType) === true),
    brace: (names) => (isTight ? `{${names}}` : `{ ${names} }`),
    write: (clause, from) => `import ${clause} from ${quote}${from}${quote}${end}`,
  }
}

const EMPTY = { start: 0, end: 0 }

/** What ends with a semicolon where semicolons are written. */
const ENDED: ReadonlySet<string> = new Set(['variable', 'statement', 'directive', 'type', 'export'])

function isStatement({ kind }: { readonly kind: string }): boolean {
  return ENDED.has(kind)
}
