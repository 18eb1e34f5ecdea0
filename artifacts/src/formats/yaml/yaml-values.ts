/** YAML as a value: how it is read, and how a value takes the place of another. */
import { err, isObject, type JsonValue } from 'rubicon-kernel'
import { detectLineBreak } from '../../text/lines.ts'
import { type Span, sliceSpan } from '../../text/span.ts'
import type { Splice } from '../../text/splice.ts'
import type { ParsedText } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'
import type { Tile } from '../../tree/tile.ts'
import type { ValueNotation, ValuePlace } from '../value-notation.ts'
import { readDocument } from './read-document.ts'
import { readYamlValue } from './read-yaml-value.ts'
import {
  detectYamlStyle,
  toColumn,
  writeFlow,
  writeFlowPair,
  writeYamlItem,
  writeYamlPair,
} from './write-yaml.ts'

export const YAML_VALUES: ValueNotation = {
  opensInLine: true,
  read: ({ text }) => {
    const document = readDocument(text)
    return document.ok ? readYamlValue(text, document.value) : err(document.error)
  },
  isFlow: ({ container }, holder) =>
    (holder === null ? container : holder.container)?.separator === ',',
  replace: replaceValue,
  write: ({ parsed, isFlow }, name, value) => {
    const style = detectYamlStyle(parsed, '')
    if (name === null) return isFlow ? writeFlow(value, style) : writeYamlItem(value, style)
    return isFlow ? writeFlowPair(name, value, style) : writeYamlPair(name, value, style)
  },
}

/** Null: an anchor or a tag stands before the value, and belongs to what it is now. */
function replaceValue(
  { parsed, target, isFlow }: ValuePlace & { readonly target: SymbolNode },
  value: JsonValue,
): readonly Splice[] | null {
  const { text } = parsed
  const { at, isMarked } = findHead(parsed, target)
  const body = target.body ?? { start: at, end: at }
  const between = parsed.tiles.filter(({ start, end }) => start >= at && end <= body.start)
  if (between.some(({ kind }) => kind === 'word')) return null
  const style = detectYamlStyle(parsed, sliceSpan(text, body))
  const wasFlow = target.children.length > 0 && target.container?.separator === ','
  const isInLine = isFlow || wasFlow || isEmpty(value)
  const written = isInLine ? ` ${writeFlow(value, style)}` : writeBlock(parsed, target, value)
  if (isFlow && target.body === null) return [insert(at, `${isMarked ? '' : ':'}${written}`)]
  return placeLines(parsed, { at, body, comments: between.filter(isComment) }, written)
}

type Head = { readonly at: number; readonly body: Span; readonly comments: readonly Tile[] }

/**
 * What is written begins in the line of its key, or on the next one. Comments between a key and its value, and behind a value in its
 * line, stay in the line of the key.
 */
function placeLines(
  parsed: ParsedText,
  { at, body, comments }: Head,
  written: string,
): readonly Splice[] {
  const { text } = parsed
  const put = written.replaceAll('\n', detectLineBreak(text))
  const last = comments.at(-1)
  if (!written.startsWith('\n')) {
    const isInLine = body.end > body.start && !text.slice(at, body.start).includes('\n')
    // Lines that follow are indented from the dash or the key, not from where the value began.
    if (isInLine && !put.includes('\n'))
      return [{ ...body, text: body.start > at ? put.trimStart() : put }]
    return last === undefined
      ? [{ start: at, end: body.end, text: put }]
      : [insert(at, put), { start: last.end, end: body.end, text: '' }]
  }
  const trailing = last === undefined ? findTrailing(parsed, body.end) : null
  return trailing === null
    ? [{ start: last?.end ?? at, end: body.end, text: put }]
    : [{ start: at, end: body.end, text: '' }, insert(trailing.end, put)]
}

/** A comment behind a value, in its last line. */
function findTrailing({ text, tiles }: ParsedText, place: number): Tile | null {
  const found = tiles.find(({ kind, start }) => kind === 'comment' && start >= place)
  return found !== undefined && /^[ \t]*$/u.test(text.slice(place, found.start)) ? found : null
}

function writeBlock(parsed: ParsedText, target: SymbolNode, value: JsonValue): string {
  const { text } = parsed
  const { body, own, nameSpan } = target
  const style = detectYamlStyle(parsed, body === null ? '' : sliceSpan(text, body))
  const isItem = nameSpan === null
  const written = isItem ? writeYamlItem(value, style) : writeYamlPair('k', value, style)
  const indent = ' '.repeat(toColumn(text, own.start))
  const [first = '', ...lines] = written.slice(isItem ? 1 : 2).split('\n')
  return [first, ...lines.map((line) => (line === '' ? '' : `${indent}${line}`))].join('\n')
}

/** Behind the colon of a key, or the dash of an item; `isMarked`: it has one. */
function findHead(
  { text, tiles }: ParsedText,
  { own, nameSpan, body }: SymbolNode,
): { readonly at: number; readonly isMarked: boolean } {
  if (nameSpan === null) {
    const isDash = text[own.start] === '-' && own.start !== body?.start
    return { at: own.start + (isDash ? 1 : 0), isMarked: isDash }
  }
  const most = body?.start ?? own.end
  const colon = tiles.find(
    ({ start, end }) => start >= nameSpan.end && end <= most && text.slice(start, end) === ':',
  )
  return { at: colon?.end ?? nameSpan.end, isMarked: colon !== undefined }
}

function isComment({ kind }: Tile): boolean {
  return kind === 'comment'
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : isObject(value) && Object.keys(value).length === 0
}

function insert(at: number, text: string): Splice {
  return { start: at, end: at, text }
}
