/**
 * What goes with a symbol when it is removed: the comments directly above it, its separator, a comment behind it on its last line, and
 * its lines where nothing else stands on them. Blank lines belong to nobody.
 */
import type { Span } from '../text/span.ts'
import type { Tile } from './tile.ts'

export class OwnedLines {
  readonly #text: string
  readonly #tiles: readonly Tile[]
  /** Starts of tiles, to find one by its place. */
  readonly #starts: readonly number[]

  constructor(text: string, tiles: readonly Tile[]) {
    this.#text = text
    this.#tiles = tiles
    this.#starts = tiles.map(({ start }) => start)
  }

  /** Of what lies at `own` in a container that reaches from one end of `inside` to the other. */
  find(own: Span, inside: Span, separators: string): Span {
    const start = this.#findStart(own.start, inside.start)
    const end = this.#findEnd(own.end, inside.end, separators)
    return this.#widenToLines({ start, end }, inside)
  }

  #findStart(from: number, least: number): number {
    let start = from
    for (let i = this.#findIndexAt(from) - 1; i >= 0; i -= 1) {
      const tile = this.#tiles[i]
      if (tile === undefined || tile.start < least) break
      if (tile.kind === 'space') {
        if (countBreaks(this.#text, tile) > 1) break
        continue
      }
      if (tile.kind !== 'comment' || !this.#isFirstOfLine(i, least)) break
      start = tile.start
    }
    return start
  }

  #findEnd(from: number, most: number, separators: string): number {
    let end = from
    let hasSeparator = false
    for (let i = this.#findIndexAt(from); i < this.#tiles.length; i += 1) {
      const tile = this.#tiles[i]
      if (tile === undefined || tile.end > most) break
      const text = this.#text.slice(tile.start, tile.end)
      if (tile.kind === 'space') {
        if (hasBreak(text)) break
        continue
      }
      const isSeparator: boolean =
        !hasSeparator && tile.kind === 'mark' && separators.includes(text)
      if (!isSeparator && !(tile.kind === 'comment' && this.#isLastOfLine(i, most))) break
      hasSeparator ||= isSeparator
      end = tile.end
    }
    return end
  }

  /** With the white space before it and the line break behind it, where it has its lines for itself. */
  #widenToLines({ start, end }: Span, inside: Span): Span {
    let [from, to] = [start, end]
    while (from > inside.start && isBlank(this.#text[from - 1])) from -= 1
    while (to < inside.end && isBlank(this.#text[to])) to += 1
    const begins = from === 0 || isBreak(this.#text[from - 1])
    const ends = to === this.#text.length || isBreak(this.#text[to])
    if (!begins || !ends) return { start, end: ends ? end : to }
    if (to < inside.end) to += this.#text.startsWith('\r\n', to) ? 2 : 1
    return { start: from, end: to }
  }

  #isFirstOfLine(index: number, least: number): boolean {
    const before = this.#tiles[index - 1]
    if (before === undefined || before.end <= least) return true
    return before.kind === 'space' && (hasBreak(this.#slice(before)) || before.start === 0)
  }

  #isLastOfLine(index: number, most: number): boolean {
    if (hasBreak(this.#slice(this.#tiles[index]))) return false
    const after = this.#tiles[index + 1]
    return after === undefined || after.start >= most || hasBreak(this.#slice(after))
  }

  #slice(tile: Tile | undefined): string {
    return tile === undefined ? '' : this.#text.slice(tile.start, tile.end)
  }

  /** The first tile that begins at this place or behind it. */
  #findIndexAt(place: number): number {
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) < place) low = middle + 1
      else high = middle
    }
    return low
  }
}

function countBreaks(text: string, { start, end }: Span): number {
  let breaks = 0
  for (let at = start; at < end; at += 1) if (text[at] === '\n') breaks += 1
  return breaks
}

function hasBreak(text: string): boolean {
  return text.includes('\n') || text.includes('\r')
}

function isBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r'
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
