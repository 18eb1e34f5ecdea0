/** Writes values as the YAML around them is written. */
import { isObject, type JsonValue } from 'rubicon-kernel'
import { Document, Scalar, type ToStringOptions } from 'yaml'
import { detectIndentUnit } from '../../text/lines.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'

export type YamlStyle = Required<
  Pick<ToStringOptions, 'indent' | 'indentSeq' | 'singleQuote' | 'defaultStringType'>
> & { readonly padding: string }

/** `replaced`: the text that stands in its place; quotes around it are kept. */
export function detectYamlStyle(parsed: ParsedText, replaced: string): YamlStyle {
  const { text, tiles, symbols } = parsed
  const count = (quote: string): number =>
    tiles.filter(({ kind, start }) => kind === 'literal' && text[start] === quote).length
  return {
    indent: Math.max(2, detectIndentUnit(text).replaceAll('\t', '').length),
    indentSeq: findListIndent(text, symbols) !== 0,
    singleQuote: replaced.startsWith(`'`) || (!replaced.startsWith('"') && count(`'`) > count('"')),
    defaultStringType: replaced.startsWith(`'`)
      ? 'QUOTE_SINGLE'
      : replaced.startsWith('"')
        ? 'QUOTE_DOUBLE'
        : 'PLAIN',
    padding: /\{\S/u.test(text) ? '' : ' ',
  }
}

/** A key with its value on lines of their own. Without a line break behind it. */
export function writeYamlPair(name: string, value: JsonValue, style: YamlStyle): string {
  return print(new Map([[toScalar(name), toPlainObject(value)]]), style)
}

/** An item with its dash. */
export function writeYamlItem(value: JsonValue, style: YamlStyle): string {
  return print([toPlainObject(value)], style)
}

/** In one line, as it may stand between brackets. */
export function writeFlow(value: JsonValue, style: YamlStyle): string {
  if (Array.isArray(value))
    return `[${value.map((item: JsonValue) => writeFlow(item, style)).join(', ')}]`
  if (!isObject(value)) return writeFlowPlain(value, style)
  const members = Object.entries(value).map(([name, one]) => writeFlowPair(name, one, style))
  return members.length === 0 ? '{}' : `{${style.padding}${members.join(', ')}${style.padding}}`
}

export function writeFlowPair(name: string, value: JsonValue, style: YamlStyle): string {
  const key = writeFlowPlain(name, { ...style, defaultStringType: 'PLAIN' })
  return `${key}: ${writeFlow(value, style)}`
}

/** A list in brackets quotes whatever could end it. */
function writeFlowPlain(value: JsonValue, style: YamlStyle): string {
  // The library would break the line; every text of JSON is one of YAML.
  if (typeof value === 'string' && /[\r\n]/u.test(value)) return JSON.stringify(value)
  const document = toDocument([])
  document.contents = document.createNode([toScalar(value)], { flow: true })
  const text = document.toString({ ...toOptions(style), flowCollectionPadding: false })
  return text
    .trim()
    .replace(/^\[\s*/u, '')
    .replace(/\s*\]$/u, '')
}

function print(value: unknown, style: YamlStyle): string {
  return toDocument(value).toString(toOptions(style)).replace(/\n$/u, '')
}

/** Words that an older YAML reads as true or as a number are quoted too: nobody knows who reads the file. */
function toDocument(value: unknown): Document {
  return new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false })
}

function toOptions({ padding: _, ...style }: YamlStyle): ToStringOptions {
  return { ...style, defaultKeyType: 'PLAIN', lineWidth: 0, minContentWidth: 0 }
}

/** The library asks objects for what they inherit. */
function toPlainObject(value: JsonValue): unknown {
  if (Array.isArray(value)) return value.map(toPlainObject)
  if (!isObject(value)) return toScalar(value)
  return new Map(Object.entries(value).map(([name, one]) => [toScalar(name), toPlainObject(one)]))
}

/** White space at an end, or of another kind than a blank, is nothing that a reader would see, or keep. */
function toScalar(value: JsonValue): unknown {
  if (typeof value !== 'string' || !/^\s|\s$|[^\S \n]|\uFEFF/u.test(value)) return value
  const scalar = new Scalar(value)
  scalar.type = Scalar.QUOTE_DOUBLE
  return scalar
}

/** Of the first list below a key: how much further right its dashes are. Undefined: there is none. */
function findListIndent(text: string, symbols: readonly SymbolNode[]): number | undefined {
  for (const { kind, own, children, container } of symbols) {
    const [first] = children
    const isBlock = container?.separator === '' && first?.kind === 'item'
    if (kind === 'key' && isBlock)
      return toColumn(text, first.own.start) - toColumn(text, own.start)
    const found = findListIndent(text, children)
    if (found !== undefined) return found
  }
  return undefined
}

export function toColumn(text: string, place: number): number {
  return place - (text.lastIndexOf('\n', place - 1) + 1)
}
