/**
 * YAML. A document is a tree of keys and items; several documents are several containers. What is written with an anchor, an alias or a
 * merge depends on its place: it is fixed.
 */
import { err, ok } from 'rubicon-kernel'
import { type Document, isAlias, isMap, isPair, isSeq, type Node, type Pair, visit } from 'yaml'
import { ARTIFACT_LIMITS } from '../../limits.ts'
import { type Span, sliceSpan } from '../../text/span.ts'
import { nameSymbols, type UnnamedSymbol } from '../../tree/name-symbols.ts'
import { OwnedLines } from '../../tree/owned-lines.ts'
import type { ParseResult } from '../../tree/parsed.ts'
import type { Container, MemberOrder } from '../../tree/symbol-node.ts'
import type { Tile } from '../../tree/tile.ts'
import type { Format } from '../format.ts'
import { cutYamlTiles } from './cut-yaml-tiles.ts'
import { nameYamlKey, trimNode } from './name-key.ts'
import { readDocument } from './read-document.ts'
import { readYamlAnchors } from './read-yaml-anchors.ts'
import { YAML_VALUES } from './yaml-values.ts'

type Source = {
  readonly text: string
  readonly tiles: readonly Tile[]
  readonly lines: OwnedLines
  readonly order: MemberOrder
  /** Where its dashes, colons, commas and brackets are. */
  readonly marks: readonly number[]
}

type Drawn = { readonly container: Container | null; readonly children: readonly UnnamedSymbol[] }

const PLAIN: Drawn = { container: null, children: [] }

export const YAML_FORMAT: Format = {
  type: 'config',
  media: 'application/yaml',
  endings: ['.yaml', '.yml'],
  indentation: 'syntax',
  parse: parseYaml,
  values: YAML_VALUES,
  readShared: readYamlAnchors,
}

function parseYaml(text: string): ParseResult {
  const tiles = cutYamlTiles(text)
  if (tiles === null)
    return err({ detail: `it has more than ${ARTIFACT_LIMITS.yamlTokens} tokens`, at: null })
  const read = readDocument(text)
  if (!read.ok) return read
  const document = read.value
  if (tiles.map((tile) => sliceSpan(text, tile)).join('') !== text)
    return err({ detail: 'its tokens do not make up its text', at: null })
  const order = isPlaced(document) ? 'fixed' : 'free'
  const marks = tiles.filter(({ kind }) => kind === 'mark').map(({ start }) => start)
  const source = { text, tiles, lines: new OwnedLines(text, tiles), order, marks } as const
  const drawn = drawNode(source, document.contents, 0)
  if (drawn === null)
    return err({ detail: `it is nested deeper than ${ARTIFACT_LIMITS.depth} levels`, at: null })
  const inside = { start: text.startsWith('\uFEFF') ? 1 : 0, end: text.length }
  const symbols = nameSymbols(drawn.children)
  return ok({ text, tiles, symbols, container: drawn.container ?? { inside, separator: '' } })
}

function isPlaced(document: Document): boolean {
  let found = false
  visit(document, {
    Node: (_, node) => {
      if (!isAlias(node) && !('anchor' in node && node.anchor !== undefined)) return undefined
      found = true
      return visit.BREAK
    },
  })
  return found
}

/** Null: it is nested too deeply. */
function drawNode(source: Source, node: Node | null, depth: number): Drawn | null {
  if (depth > ARTIFACT_LIMITS.depth) return null
  if (!isMap(node) && !isSeq(node)) return PLAIN
  const range = node.range ?? [0, 0, 0]
  const isFlow = node.flow === true
  // `[a: 1]` holds a map without brackets: it has no place for a second key.
  const isBare = isFlow && !'[{'.includes(source.text[range[0]] ?? ' ')
  const inside: Span = isBare
    ? { start: range[0], end: range[1] }
    : isFlow
      ? { start: range[0] + 1, end: range[1] - 1 }
      : { start: toLineStart(source.text, range[0]), end: toLineEnd(source.text, range[2]) }
  const children: UnnamedSymbol[] = []
  for (const [index, item] of node.items.entries()) {
    const symbol = drawMember(source, item as Pair<Node, Node | null> | Node, index, {
      inside,
      isFlow,
      depth,
    })
    if (symbol === null) return null
    children.push(symbol)
  }
  return { container: isBare ? null : { inside, separator: isFlow ? ',' : '' }, children }
}

type Place = { readonly inside: Span; readonly isFlow: boolean; readonly depth: number }

function drawMember(
  source: Source,
  item: Pair<Node, Node | null> | Node,
  index: number,
  { inside, isFlow, depth }: Place,
): UnnamedSymbol | null {
  const [key, value] = isPair(item) ? [item.key, item.value] : [null, item]
  const drawn = drawNode(source, value, depth + 1)
  if (drawn === null) return null
  const body = toBody(source.text, value, drawn.children.at(-1))
  const start = key?.range?.[0] ?? findDash(source, value?.range?.[0] ?? inside.start, isFlow)
  const own = {
    start,
    end: Math.max(body?.end ?? 0, key === null ? start + 1 : findColon(source, key)),
  }
  return {
    kind: isPair(item) ? 'key' : 'item',
    name: key === null ? String(index) : nameYamlKey(source.text, key),
    own,
    whole: source.lines.find(own, inside, isFlow ? ',' : ''),
    nameSpan: key === null ? null : trimNode(source.text, key),
    body,
    order: isPair(item) ? source.order : 'fixed',
    ...drawn,
  }
}

/** To the parser, a block reaches over the comments behind its last member; they are no part of what it says. */
function toBody(text: string, value: Node | null, last: UnnamedSymbol | undefined): Span | null {
  const span = trimNode(text, value)
  const isBlock = (isMap(value) || isSeq(value)) && value.flow !== true
  return span === null || !isBlock || last === undefined ? span : { ...span, end: last.own.end }
}

/** Of an item that is written on lines: its dash. */
function findDash({ text, marks }: Source, before: number, isFlow: boolean): number {
  if (isFlow) return before
  for (let i = findFirstFrom(marks, before) - 1; i >= 0; i -= 1) {
    const at = marks[i] ?? 0
    if (text[at] === '-') return at
  }
  return before
}

/** Behind the colon of a key: a key without a value ends there. */
function findColon({ text, marks }: Source, key: Node): number {
  const end = key.range?.[1] ?? 0
  const at = marks[findFirstFrom(marks, end)]
  return at !== undefined && text[at] === ':' ? at + 1 : end
}

/** The index of the first place that is not before this one. */
function findFirstFrom(places: readonly number[], place: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** Behind the break of the line that a place is on, unless it is behind one already. */
function toLineEnd(text: string, place: number): number {
  if (text[place - 1] === '\n') return place
  const at = text.indexOf('\n', place)
  return at < 0 ? text.length : at + 1
}

function toLineStart(text: string, place: number): number {
  return text.lastIndexOf('\n', place - 1) + 1
}
