/**
 * What the text that a plan puts in relies on.
 *
 * R1 a name that is put in is a read of what it stands for: its definition, as it was before the change.
 * R2 of a class, a namespace or an object the header is read, and those of its members that the text names: so that others may add
 *    members to what everybody refers to.
 * R3 what the change itself puts in is not read by it.
 */
import type { ReadClaim } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isInside, type Span } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import { type DefinitionRule, hashDefinition, hashHeader } from '../tree/definition-hash.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import { listTokens } from '../tree/list-tokens.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { toSegments } from './symbol-segments.ts'

type Change = {
  readonly before: ParsedText
  readonly splices: readonly Splice[]
  readonly after: ParsedText
}

export function listReads(
  { before, splices, after }: Change,
  format: Format,
  rule: DefinitionRule,
): readonly ReadClaim[] {
  const reads: ReadClaim[] = []
  for (const put of listPutSpans(splices).filter(({ start, end }) => start < end)) {
    const words = new Set(listTokens(after, put).map(toBareWord))
    for (const { to } of format.findReferences?.(after, put) ?? []) {
      if (to.kind === 'import') reads.push({ kind: 'export', from: to.from, name: to.name })
      if (to.kind === 'symbol') reads.push(...readSymbol(before, to.path, words, rule))
    }
    if (format.type === 'code')
      for (const path of listOwnMembers(after, put))
        reads.push(...readSymbol(before, path, words, rule))
  }
  return reads
}

/** R2, R3. */
function readSymbol(
  before: ParsedText,
  path: string,
  words: ReadonlySet<string>,
  rule: DefinitionRule,
): readonly ReadClaim[] {
  const found = findSymbol(before, path)
  if (!found.ok) return []
  const { kind, container, children } = found.value
  const isOpen = container !== null && kind !== 'enum' && kind !== 'interface'
  if (!isOpen) return [readDefinition(before, found.value, rule)]
  const members = children.filter(
    ({ kind: of, name }) => of === 'constructor' || of === 'index' || words.has(name),
  )
  return [
    readHeader(before, found.value, rule),
    ...members.flatMap(({ path: member }) => readSymbol(before, member, words, rule)),
  ]
}

export function readHeader(
  parsed: ParsedText,
  symbol: SymbolNode,
  rule: DefinitionRule,
): ReadClaim {
  const hash = hashHeader(parsed, symbol, rule)
  return { kind: 'symbol', path: toSegments(symbol.path), part: 'header', hash }
}

export function readDefinition(
  parsed: ParsedText,
  symbol: SymbolNode,
  rule: DefinitionRule,
): ReadClaim {
  const hash = hashDefinition(parsed, symbol, rule)
  return { kind: 'symbol', path: toSegments(symbol.path), part: 'definition', hash }
}

/** Members of the class that a text lies in, where it says `this.name`. */
function listOwnMembers(after: ParsedText, put: Span): readonly string[] {
  const holder = findClass(after.symbols, put)
  if (holder === null) return []
  const tokens = listTokens(after, put)
  const named = new Set<string>()
  for (const [i, token] of tokens.entries()) {
    if (token !== 'this') continue
    const behind = tokens.slice(i + 1, i + 4).filter((mark) => mark !== '?' && mark !== '.')
    if (behind[0] !== undefined) named.add(behind[0])
  }
  return holder.children
    .filter(({ name, own }) => named.has(name) && !isInside(own, put))
    .map(({ path }) => path)
}

/** The innermost class that a span lies in. */
function findClass(level: readonly SymbolNode[], span: Span): SymbolNode | null {
  for (const symbol of level) {
    if (!isInside(span, symbol.own)) continue
    const within = findClass(symbol.children, span)
    return within ?? (symbol.kind === 'class' ? symbol : null)
  }
  return null
}

/** A member may be named by a text: `service['login']`. */
function toBareWord(token: string): string {
  return token.replace(/^(['"`])(.*)\1$/su, '$2')
}
