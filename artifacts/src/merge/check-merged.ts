/**
 * Whether a merged text is what it was put together from: it is parsed by itself and compared with all three.
 *
 * K1 every token that comes from a text is that token in the result, and there is none between them.
 * K2 a container has as many members of each name as both sides together leave there.
 * K3 a name that one side wrote means what it means there.
 * K4 nothing stands between the declarations of one function.
 * K5 a configuration has, key by key, the value that both sides made of the base.
 */
import type { Format } from '../formats/format.ts'
import type { ValueNotation } from '../formats/value-notation.ts'
import { sliceSpan } from '../text/span.ts'
import { findTileAt, listTilesIn } from '../tree/find-tiles.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { countTorn } from './count-torn.ts'
import { findOtherMeaning } from './find-other-meaning.ts'
import { findOtherValue } from './find-other-value.ts'
import type { Segment, SideName } from './merge.ts'
import { readWriters } from './read-writers.ts'

export type ParsedSides = Readonly<Record<SideName, ParsedText>>

export function renderSegments(segments: readonly Segment[], sides: ParsedSides): string {
  return segments
    .map((one) => (one.from === 'made' ? one.text : sliceSpan(sides[one.from].text, one)))
    .join('')
}

/** Null: it is. */
export function findMergeProblem(
  text: string,
  segments: readonly Segment[] | null,
  sides: ParsedSides,
  format: Format,
): string | null {
  const parsed = format.parse(text)
  if (!parsed.ok) return `the merged text does not parse: ${parsed.error.detail}`
  if (segments !== null && !isMadeOf(parsed.value, segments, sides))
    return 'parts of the merged text are read otherwise than where they come from'
  const miscount = findMiscount(
    sides.base.symbols,
    sides.ours.symbols,
    sides.theirs.symbols,
    parsed.value.symbols,
  )
  if (miscount !== null) return miscount
  if (format.values !== undefined) return findOtherKey(parsed.value, sides, format.values)
  if (format.names === undefined) return null
  const torn = Math.max(...[sides.ours, sides.theirs].map(({ symbols }) => countTorn(symbols)))
  if (countTorn(parsed.value.symbols) > torn)
    return 'something would stand between the declarations of one function'
  const writers = readWriters(parsed.value, sides)
  return findOtherMeaning(parsed.value, writers, format.names, { areApart: false })
}

/** K5. What cannot be read as a value is not compared. */
function findOtherKey(
  merged: ParsedText,
  sides: ParsedSides,
  notation: ValueNotation,
): string | null {
  const values = [sides.base, sides.ours, sides.theirs, merged].map((one) => notation.read(one))
  const [base, ours, theirs, now] = values.map((one) => (one.ok ? one.value : undefined))
  if (!values.every(({ ok }) => ok)) return null
  const path = findOtherValue({ base, ours, theirs, merged: now })
  return path === null ? null : `\`${path.join('.')}\` would have a value that neither side gave it`
}

/** K1. */
function isMadeOf(merged: ParsedText, segments: readonly Segment[], sides: ParsedSides): boolean {
  const expected: string[] = []
  const made: { start: number; end: number }[] = []
  let at = 0
  for (const segment of joinSegments(segments)) {
    if (segment.from === 'made') {
      made.push({ start: at, end: at + segment.text.length })
      at += segment.text.length
      continue
    }
    const { start, end } = segment
    if (isWithinTile(sides[segment.from], start)) return false
    for (const tile of listTilesIn(sides[segment.from], segment)) {
      if (tile.kind === 'space') continue
      if (tile.end > end) return false
      expected.push(`${tile.kind} ${tile.start - start + at} ${tile.end - start + at}`)
    }
    at += end - start
  }
  let next = 0
  const found = merged.tiles.filter((tile) => {
    if (tile.kind === 'space') return false
    while (next < made.length && (made[next]?.end ?? 0) <= tile.start) next += 1
    const part = made[next]
    return part === undefined || tile.start < part.start || tile.end > part.end
  })
  return (
    found.length === expected.length &&
    found.every(({ kind, start, end }, i) => expected[i] === `${kind} ${start} ${end}`)
  )
}

/** Whether a place is in the midst of a token. */
function isWithinTile({ tiles }: ParsedText, place: number): boolean {
  const before = tiles[findTileAt(tiles, place) - 1]
  return before !== undefined && before.kind !== 'space' && before.end > place
}

/** What lies side by side in one text is one part. */
function joinSegments(segments: readonly Segment[]): readonly Segment[] {
  const joined: Segment[] = []
  for (const segment of segments) {
    const last = joined.at(-1)
    const isNext =
      segment.from !== 'made' && last?.from === segment.from && last.end === segment.start
    if (isNext) joined[joined.length - 1] = { ...last, end: segment.end }
    else joined.push(segment)
  }
  return joined
}

/** K2. */
function findMiscount(
  base: readonly SymbolNode[],
  ours: readonly SymbolNode[],
  theirs: readonly SymbolNode[],
  merged: readonly SymbolNode[],
): string | null {
  const [b, o, t, m] = [base, ours, theirs, merged].map(countLabels)
  if (b === undefined || o === undefined || t === undefined || m === undefined) return null
  for (const label of new Set([...b.keys(), ...o.keys(), ...t.keys(), ...m.keys()])) {
    const [old, mine, yours] = [b.get(label) ?? 0, o.get(label) ?? 0, t.get(label) ?? 0]
    const sum = mine + yours - old
    const now = m.get(label) ?? 0
    // Both may have added, or taken out, the same or another of one name.
    const isRight = now === sum || (mine === yours && now === mine)
    // An import that one takes out stays where the other needs it.
    const isKeptImport = label.startsWith('import ') && now === old
    if (!isRight && !isKeptImport) return `\`${label}\` is there ${now} times, and not ${sum}`
  }
  for (const node of base) {
    const same = [ours, theirs, merged].map((all) => all.find(({ path }) => path === node.path))
    const [one, other, result] = same
    if (one === undefined || other === undefined || result === undefined) continue
    const within = findMiscount(node.children, one.children, other.children, result.children)
    if (within !== null) return `${within} in \`${node.path}\``
  }
  return null
}

function countLabels(symbols: readonly SymbolNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, name } of symbols) {
    const label = kind === 'item' ? kind : `${kind} ${name}`
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  return counts
}
