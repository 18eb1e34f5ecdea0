/**
 * Hashes of what others see of a symbol. Two texts that differ in comments and white space alone have the same ones.
 *
 * D1 of code, what a declaration does counts for nobody else: its body is left out. What has no other definition than its content is
 *    all of it: an enum, a type, a value whose type nobody wrote down.
 * D2 what has members is its header and their definitions; members that mean the same in any place have no order in it.
 * D3 what declares one name in several places has one definition.
 * D4 a symbol is described once, and whatever holds it has that description in its own: a text in a text would be twice as long with each
 *    level, so that of one hundred characters nobody came to an end.
 */
import { type Address, computeAddress, type JsonValue, type Sha256 } from 'rubicon-kernel'
import type { Format } from '../formats/format.ts'
import { listHolders, listNamesakes } from './list-lineage.ts'
import { listTokens } from './list-tokens.ts'
import type { ParsedText } from './parsed.ts'
import type { SymbolNode } from './symbol-node.ts'

/** In which way a text is read: only code has bodies that nobody else sees. */
export type DefinitionRule = { readonly type: Format['type']; readonly sha256: Sha256 }

export function hashDefinition(
  parsed: ParsedText,
  symbol: SymbolNode,
  { type, sha256 }: DefinitionRule,
): Address {
  return computeAddress('definition', writeDefinition(parsed, symbol, type), sha256)
}

/** Of a symbol without its members: what is put into it relies on this and on nothing else of it. */
export function hashHeader(
  parsed: ParsedText,
  symbol: SymbolNode,
  { type, sha256 }: DefinitionRule,
): Address {
  return computeAddress('definition_header', writeHeader(parsed, symbol, type), sha256)
}

/** Of a symbol with everything in it. */
export function hashContent(parsed: ParsedText, symbol: SymbolNode, sha256: Sha256): Address {
  const { kind, name, own } = symbol
  return computeAddress('symbol_content', [kind, name, ...listTokens(parsed, own)], sha256)
}

export function writeDefinition(
  parsed: ParsedText,
  symbol: SymbolNode,
  type: Format['type'],
): JsonValue {
  if (type !== 'code') return describe(parsed, symbol, type)
  // The number of one depends on those before it.
  const holder = listHolders(parsed, symbol).at(-1)
  if (holder?.kind === 'enum') return [symbol.name, describe(parsed, holder, type)]
  return listNamesakes(parsed, symbol).map((one) => describe(parsed, one, type))
}

export function writeHeader(
  parsed: ParsedText,
  symbol: SymbolNode,
  type: Format['type'],
): JsonValue {
  const { kind, name, own, container } = symbol
  if (container === null) return writeDefinition(parsed, symbol, type)
  return [kind, name, ...listTokens(parsed, own, container.inside)]
}

/** D4. */
const described = new WeakMap<ParsedText, Map<SymbolNode, JsonValue>>()

function describe(parsed: ParsedText, symbol: SymbolNode, type: Format['type']): JsonValue {
  const known = described.get(parsed) ?? new Map<SymbolNode, JsonValue>()
  described.set(parsed, known)
  const value = known.get(symbol) ?? describeAnew(parsed, symbol, type)
  known.set(symbol, value)
  return value
}

function describeAnew(parsed: ParsedText, symbol: SymbolNode, type: Format['type']): JsonValue {
  const { kind, name, own, container, body, children } = symbol
  if (container !== null && kind !== 'enum') {
    const listOf = (order: SymbolNode['order']): JsonValue[] =>
      children.filter((one) => one.order === order).map((one) => describe(parsed, one, type))
    const header = listTokens(parsed, own, container.inside)
    return [kind, name, [...header], listOf('fixed'), sortDescriptions(listOf('free'))]
  }
  const isAll = type !== 'code' || isOwnDefinition(parsed, symbol)
  return [kind, name, [...listTokens(parsed, own, isAll ? null : body)]]
}

/** D2. One alone is not written: it is as long as all that lies in it. */
function sortDescriptions(values: JsonValue[]): JsonValue[] {
  if (values.length < 2) return values
  return values
    .map((value) => ({ value, text: JSON.stringify(value) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ value }) => value)
}

/** D1: its content is the only thing that says what it is. */
function isOwnDefinition(parsed: ParsedText, symbol: SymbolNode): boolean {
  const { kind, own, body, nameSpan } = symbol
  if (body === null || kind === 'enum' || kind === 'type' || kind === 'default') return true
  if (kind === 'variable' && nameSpan === null) return true
  const header = listTokens(parsed, { start: nameSpan?.end ?? own.start, end: own.end }, body)
  const sign = header.findLastIndex((token) => token === '=' || token === ':')
  // Behind the sign of a function's are its parameters; of any other value there is nothing left.
  const isValue = sign >= 0 && header.slice(sign + 1).every((token) => token === ';')
  return isValue && !header.slice(0, sign).includes(':')
}
