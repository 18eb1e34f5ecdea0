/**
 * How many lines an edit touched that it had no business with. Lines are compared with their ends, so that another line break is another line.
 * Nothing of the planner is used here: who made the text behind does not matter.
 */
import type { Span } from 'rubicon-artifacts'

/** Lines are counted from 0. */
export type PermittedLines = {
  /** Lines that may be changed or taken out. */
  readonly lines: ReadonlySet<number>
  /** New lines may stand before any line from `from` to `to`. */
  readonly from: number
  readonly to: number
}

export function splitLines(text: string): readonly string[] {
  return text.split(/(?<=\n)/u)
}

/** By places of the text. */
export class LineIndex {
  readonly #starts: number[] = [0]

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
      this.#starts.push(at + 1)
  }

  findLine(place: number): number {
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= place) low = middle + 1
      else high = middle
    }
    return low - 1
  }

  /** From the line of its first character to that of its last. */
  listLines({ start, end }: Span): readonly number[] {
    const first = this.findLine(start)
    const last = this.findLine(Math.max(start, end - 1))
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  }
}

export function countOtherLines(before: string, after: string, permitted: PermittedLines): number {
  const [old, now] = [splitLines(before), splitLines(after)]
  if (isFramed(old, now, permitted) || isInPlace(old, now, permitted)) return 0
  let count = 0
  for (const { start, end, from, to } of compareLines(old, now)) {
    let others = 0
    for (let line = start; line < end; line += 1) if (!permitted.lines.has(line)) others += 1
    const isElsewhere = start === end && (start < permitted.from || start > permitted.to)
    count += others > 0 ? others : isElsewhere ? to - from : 0
  }
  return count
}

/** Everything before the lines that may be changed is there, and everything behind them: which of several equal lines went is not asked. */
function isFramed(
  old: readonly string[],
  now: readonly string[],
  { lines, from, to }: PermittedLines,
): boolean {
  const all = [...lines]
  const first = all.length === 0 ? from : Math.min(...all)
  const behind = all.length === 0 ? from : Math.max(...all) + 1
  if (all.length !== behind - first || (all.length === 0 && from !== to)) return false
  const kept = old.length - behind
  if (now.length < first + kept) return false
  for (let i = 0; i < first; i += 1) if (old[i] !== now[i]) return false
  for (let i = 1; i <= kept; i += 1) if (old.at(-i) !== now.at(-i)) return false
  return true
}

/** Line by line, only those differ that may. */
function isInPlace(
  old: readonly string[],
  now: readonly string[],
  { lines }: PermittedLines,
): boolean {
  return old.length === now.length && old.every((line, i) => line === now[i] || lines.has(i))
}

type LineHunk = {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

/** Beyond so many differences it is only asked which lines are there no more: that makes less of what was touched, never more. */
const MOST_EDITS = 300

/** What differs between the lines that both begin and end with, by the greedy algorithm of Myers. */
export function compareLines(old: readonly string[], now: readonly string[]): readonly LineHunk[] {
  let first = 0
  while (first < old.length && first < now.length && old[first] === now[first]) first += 1
  let last = 0
  const most = Math.min(old.length, now.length) - first
  while (last < most && old.at(-1 - last) === now.at(-1 - last)) last += 1
  const [one, other] = [old.slice(first, old.length - last), now.slice(first, now.length - last)]
  if (one.length === 0 && other.length === 0) return []
  const whole = { start: first, end: first + one.length, from: first, to: first + other.length }
  if (one.length === 0 || other.length === 0) return [whole]
  const pairs = matchLines(one, other)
  if (pairs === null) return listGone(one, other, first)
  const hunks: LineHunk[] = []
  let [start, from] = [0, 0]
  for (const [i, j] of [...pairs, [one.length, other.length] as const]) {
    if (i > start || j > from)
      hunks.push({ start: first + start, end: first + i, from: first + from, to: first + j })
    start = i + 1
    from = j + 1
  }
  return hunks
}

/** Lines of one text that are not in the other, wherever they stand. */
function listGone(
  one: readonly string[],
  other: readonly string[],
  first: number,
): readonly LineHunk[] {
  const left = new Map<string, number>()
  for (const line of other) left.set(line, (left.get(line) ?? 0) + 1)
  return one.flatMap((line, i) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count > 0 ? [] : [{ start: first + i, end: first + i + 1, from: first, to: first }]
  })
}

/** Pairs of equal lines, as many as there can be; null: there are too many differences. */
function matchLines(
  one: readonly string[],
  other: readonly string[],
): readonly (readonly [number, number])[] | null {
  const ends = new Map<number, number>([[1, 0]])
  const steps: ReadonlyMap<number, number>[] = []
  for (let edits = 0; edits <= MOST_EDITS; edits += 1) {
    steps.push(new Map(ends))
    for (let k = -edits; k <= edits; k += 2) {
      const isDown = k === -edits || (k !== edits && readEnd(ends, k - 1) < readEnd(ends, k + 1))
      let x = isDown ? readEnd(ends, k + 1) : readEnd(ends, k - 1) + 1
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) x += 1
      ends.set(k, x)
      if (x >= one.length && x - k >= other.length) return walkBack(steps, one.length, other.length)
    }
  }
  return null
}

function walkBack(
  steps: readonly ReadonlyMap<number, number>[],
  length: number,
  other: number,
): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  let [x, y] = [length, other]
  for (let edits = steps.length - 1; edits >= 0; edits -= 1) {
    const ends = steps[edits] ?? new Map()
    const k = x - y
    const isDown = k === -edits || (k !== edits && readEnd(ends, k - 1) < readEnd(ends, k + 1))
    const previous = isDown ? k + 1 : k - 1
    const fromX = edits === 0 ? 0 : readEnd(ends, previous)
    const fromY = edits === 0 ? 0 : fromX - previous
    while (x > fromX && y > fromY) {
      x -= 1
      y -= 1
      pairs.push([x, y])
    }
    x = fromX
    y = fromY
  }
  return pairs.reverse()
}

function readEnd(ends: ReadonlyMap<number, number>, k: number): number {
  return ends.get(k) ?? -1
}
