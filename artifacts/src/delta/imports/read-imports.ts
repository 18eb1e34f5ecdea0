/** The import declarations of an ECMAScript module, read from its tokens. */
import { type Span, sliceSpan } from '../../text/span.ts'
import { listTilesIn } from '../../tree/find-tiles.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'
import type { Tile } from '../../tree/tile.ts'

/** One name in it. `imported` is `default`, `*`, or what the module calls it. */
export type ImportedName = Span & {
  readonly imported: string
  readonly local: string
  /** By a word of its own: `{ type a }`. */
  readonly isType: boolean
}

export type ImportDeclaration = {
  readonly symbol: SymbolNode
  readonly from: string
  /** `import type`. */
  readonly isType: boolean
  readonly standard: ImportedName | null
  readonly namespace: ImportedName | null
  /** What stands in braces, and where the braces are; null: there are none. */
  readonly named: (Span & { readonly names: readonly ImportedName[] }) | null
  /** The place of the word `type`. */
  readonly typeWord: Span | null
  /** `with { … }` says how the module is loaded: what is imported otherwise is another import. */
  readonly hasAttributes: boolean
}

type Token = Span & { readonly kind: Tile['kind']; readonly text: string }

export function readImports(parsed: ParsedText): readonly ImportDeclaration[] {
  return parsed.symbols.flatMap((symbol) => {
    const read = symbol.kind === 'import' ? readImport(parsed, symbol) : null
    return read === null ? [] : [read]
  })
}

/** Null: one in a form that nobody here knows. */
export function readImport(parsed: ParsedText, symbol: SymbolNode): ImportDeclaration | null {
  const tokens = listOwnTokens(parsed, symbol.own)
  const source = tokens.findIndex(({ kind }, i) => kind === 'literal' && isBeforeSource(tokens, i))
  if (tokens[0]?.text !== 'import' || source < 0) return null
  const clause = tokens.slice(1, Math.max(1, source - 1))
  const typeWord = hasTypeWord(clause) ? (clause[0] ?? null) : null
  const names = readClause(typeWord === null ? clause : clause.slice(1))
  if (names === null) return null
  const more = tokens.slice(source + 1).filter(({ text }) => text !== ';')
  const hasAttributes = more.length > 0
  return {
    symbol,
    from: symbol.name,
    isType: typeWord !== null,
    typeWord,
    hasAttributes,
    ...names,
  }
}

function isBeforeSource(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text
  return before === 'from' || before === 'import'
}

/** `import type from 'a'` imports what is called `type`. */
function hasTypeWord(clause: readonly Token[]): boolean {
  return clause[0]?.text === 'type' && clause.length > 1 && clause[1]?.text !== ','
}

type Clause = Pick<ImportDeclaration, 'standard' | 'namespace' | 'named'>

function readClause(tokens: readonly Token[]): Clause | null {
  let rest = tokens
  let standard: ImportedName | null = null
  const [first] = rest
  if (first?.kind === 'word') {
    standard = { ...toSpan(first), imported: 'default', local: first.text, isType: false }
    // A word before another one says how a module is loaded: `import defer * as a`.
    if (rest.length > 1 && rest[1]?.text !== ',') return null
    rest = rest.slice(2)
  }
  if (rest.length === 0) return { standard, namespace: null, named: null }
  const [open, as, name] = rest
  if (open?.text === '*' && as?.text === 'as' && name !== undefined && rest.length === 3) {
    const span = { start: open.start, end: name.end }
    const namespace = { ...span, imported: '*', local: name.text, isType: false }
    return { standard, namespace, named: null }
  }
  const close = rest.at(-1)
  if (open?.text !== '{' || close?.text !== '}') return null
  const names = readNames(rest.slice(1, -1))
  const braces = { start: open.start, end: close.end }
  return names === null ? null : { standard, namespace: null, named: { ...braces, names } }
}

function readNames(tokens: readonly Token[]): readonly ImportedName[] | null {
  const names: ImportedName[] = []
  let part: Token[] = []
  for (const token of [...tokens, null]) {
    if (token !== null && token.text !== ',') {
      part.push(token)
      continue
    }
    const name = part.length === 0 ? undefined : readName(part)
    if (name === null) return null
    if (name !== undefined) names.push(name)
    part = []
  }
  return names
}

/** `a`, `a as b`, `type a`, `type a as b`; and `type`, `type as b`, `type as as b`, which name something that is called so. */
function readName(part: readonly Token[]): ImportedName | null {
  const isType = part[0]?.text === 'type' && (part.length === 2 || part.length === 4)
  const [imported, as, local, ...more] = isType ? part.slice(1) : part
  const last = part.at(-1)
  if (imported === undefined || last === undefined || more.length > 0) return null
  if (as !== undefined && (as.text !== 'as' || local === undefined)) return null
  const start = part[0]?.start ?? imported.start
  return {
    start,
    end: last.end,
    imported: imported.text,
    local: (local ?? imported).text,
    isType,
  }
}

function listOwnTokens(parsed: ParsedText, own: Span): readonly Token[] {
  return listTilesIn(parsed, own)
    .filter(({ kind }) => kind !== 'space' && kind !== 'comment')
    .map((tile) => ({ ...tile, text: sliceSpan(parsed.text, tile) }))
}

function toSpan({ start, end }: Span): Span {
  return { start, end }
}

/** Every name that it brings. */
export function listImported({
  standard,
  namespace,
  named,
  isType,
}: ImportDeclaration): readonly ImportedName[] {
  return [standard, namespace, ...(named?.names ?? [])].flatMap((name) =>
    name === null ? [] : [{ ...name, isType: name.isType || isType }],
  )
}
