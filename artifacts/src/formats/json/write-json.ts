/** Writes values as the JSON around them is written. */
import { isObject, type JsonValue } from 'rubicon-kernel'
import { detectIndentUnit, detectLineBreak, readIndentAt } from '../../text/lines.ts'
import { sliceSpan } from '../../text/span.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'

export type JsonStyle = {
  /** Of one level more; null: everything stands in one line. */
  readonly unit: string | null
  /** What stands between a key and its value, and between two members in one line. */
  readonly colon: string
  readonly comma: string
  /** Within the braces of an object in one line. */
  readonly padding: string
}

/** Of what is written anew in the text. */
export function detectJsonStyle(parsed: ParsedText, isFlow: boolean): JsonStyle {
  const { text, symbols } = parsed
  const colon = findFirst(symbols, (symbol) => readColon(text, symbol)) ?? ': '
  const isTight = colon === ':'
  return {
    unit: isFlow || !text.trim().includes('\n') ? null : detectIndentUnit(text),
    colon,
    comma: findFirst(symbols, (symbol) => readComma(text, symbol)) ?? (isTight ? ',' : ', '),
    padding: /\{ +"/u.test(text) || !isTight ? (/\{"/u.test(text) ? '' : ' ') : '',
  }
}

/** Lines behind the first begin with `indent`. */
export function writeJson(value: JsonValue, style: JsonStyle, indent = ''): string {
  const isList = Array.isArray(value)
  if (!isList && !isObject(value)) return JSON.stringify(value)
  const within = `${indent}${style.unit ?? ''}`
  const members = isList
    ? value.map((item: JsonValue) => writeJson(item, style, within))
    : Object.entries(value).map(([name, member]) => writeJsonMember(name, member, style, within))
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (members.length === 0) return `${open}${close}`
  const padding = isList ? '' : style.padding
  return style.unit === null
    ? `${open}${padding}${members.join(style.comma)}${padding}${close}`
    : `${open}\n${members.map((member) => `${within}${member}`).join(',\n')}\n${indent}${close}`
}

export function writeJsonMember(
  name: string,
  value: JsonValue,
  style: JsonStyle,
  indent = '',
): string {
  return `${JSON.stringify(name)}${style.colon}${writeJson(value, style, indent)}`
}

/** As it stands at a place of the text. */
export function writeJsonAt(
  parsed: ParsedText,
  place: number,
  value: JsonValue,
  isFlow: boolean,
): string {
  const { text } = parsed
  const written = writeJson(value, detectJsonStyle(parsed, isFlow), readIndentAt(text, place))
  return written.replaceAll('\n', detectLineBreak(text))
}

function readColon(text: string, { nameSpan, body }: SymbolNode): string | null {
  if (nameSpan === null || body === null) return null
  const between = sliceSpan(text, { start: nameSpan.end, end: body.start })
  return /^ ?: ?$/u.test(between) ? between : null
}

function readComma(text: string, { children: [one, other] }: SymbolNode): string | null {
  if (one === undefined || other === undefined) return null
  const between = sliceSpan(text, { start: one.own.end, end: other.own.start })
  return /^, ?$/u.test(between) ? between : null
}

function findFirst(
  symbols: readonly SymbolNode[],
  read: (symbol: SymbolNode) => string | null,
): string | null {
  for (const symbol of symbols) {
    const found = read(symbol) ?? findFirst(symbol.children, read)
    if (found !== null) return found
  }
  return null
}
