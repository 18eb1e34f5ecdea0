/**
 * Puts the changes of two sides to one sequence together, or says that they do not go together.
 *
 * C1 what neither side changed stays where it is.
 * C2 the result does not depend on which side is called ours.
 * C3 two insertions at one place go together only where the order of what they insert means nothing.
 */
import { type Hunk, moveEarly } from './compare-sequences.ts'
import type { ChangingSide, SideName } from './merge.ts'

/** What a side puts in at one place of the base: units of that side, by their index. */
export type Run = { readonly side: ChangingSide; readonly units: readonly number[] }

export type Composition = {
  /** Of the units of the base. */
  readonly isTakenOut: readonly boolean[]
  /** By place in the base; what is at one place stands in this order. */
  readonly runs: ReadonlyMap<number, readonly Run[]>
}

/** What the composition has to know of what is put in. */
export interface RunReader {
  /** The same for two runs that put in the same. */
  readKey(run: Run): string
  /** By which two runs at one place are ordered; null: it holds nothing but blank lines. */
  readName(run: Run): string | null
  /** Whether the place of something in it is part of its meaning. */
  isFixed(run: Run): boolean
  /** Whether it is a comment that belongs to nobody. */
  isLoose(run: Run): boolean
  /** Its members one by one; null: something stands between them, or their order means something. */
  split(run: Run): readonly Run[] | null
}

type SidedHunk = Hunk & Run

/** Units of all three, as they are compared. */
export type Sequences = Readonly<Record<SideName, readonly string[]>>

export function composeHunks(
  sequences: Sequences,
  ours: readonly Hunk[],
  theirs: readonly Hunk[],
  reader: RunReader,
): Composition | null {
  const { length } = sequences.base
  const mine = toSided(readBeforeDeletions(sequences, 'ours', ours, theirs), 'ours')
  const yours = toSided(readBeforeDeletions(sequences, 'theirs', theirs, ours), 'theirs')
  const same = new Set<SidedHunk>()
  const singles: SidedHunk[] = []
  for (const one of mine)
    for (const other of yours) {
      if (one.start > other.end || other.start > one.end) continue
      if (isSame(one, other, reader)) same.add(other)
      else {
        const parts = splitShared(one, other, reader)
        if (parts !== null) {
          same.add(one).add(other)
          singles.push(...parts)
        } else if (!isCompatible(one, other, reader)) return null
      }
    }
  const isTakenOut = Array.from({ length }, () => false)
  const runs = new Map<number, Run[]>()
  const hunks = [...[...mine, ...yours].filter((hunk) => !same.has(hunk)), ...singles]
  for (const { start, end, side, units } of hunks.sort(compareHunks(reader))) {
    isTakenOut.fill(true, start, end)
    if (units.length > 0) runs.set(start, [...(runs.get(start) ?? []), { side, units }])
  }
  return { isTakenOut, runs }
}

/** An insertion in the midst of what the other side takes out, and a deletion that reaches into it, are read before it, where they can be. */
function readBeforeDeletions(
  sequences: Sequences,
  side: ChangingSide,
  hunks: readonly Hunk[],
  others: readonly Hunk[],
): readonly Hunk[] {
  return hunks.map((hunk, at) => {
    const overlap = others.map((other) => measureOverlap(hunk, other)).find((units) => units > 0)
    const least = hunks[at - 1]?.end ?? -1
    if (overlap === undefined || hunk.start - overlap <= least) return hunk
    return moveEarly(hunk, overlap, sequences.base, sequences[side]) ?? hunk
  })
}

/** How far one lies behind the start of another that only takes out. */
function measureOverlap(hunk: Hunk, { start, end, from, to }: Hunk): number {
  if (from !== to) return 0
  if (hunk.start === hunk.end)
    return start < hunk.start && hunk.start < end ? hunk.start - start : 0
  if (hunk.from !== hunk.to || hunk.start >= start) return 0
  return start < hunk.end && hunk.end < end ? hunk.end - start : 0
}

function toSided(hunks: readonly Hunk[], side: ChangingSide): readonly SidedHunk[] {
  return hunks.map((hunk) => {
    const units = Array.from({ length: hunk.to - hunk.from }, (_, i) => hunk.from + i)
    return { ...hunk, side, units }
  })
}

function isSame(one: SidedHunk, other: SidedHunk, reader: RunReader): boolean {
  return (
    one.start === other.start &&
    one.end === other.end &&
    reader.readKey(one) === reader.readKey(other)
  )
}

/** Two insertions at one point that have something in common: each thing once. Null: they are none such. */
function splitShared(
  one: SidedHunk,
  other: SidedHunk,
  reader: RunReader,
): readonly SidedHunk[] | null {
  if (one.start !== one.end || other.start !== other.end || one.start !== other.start) return null
  const [left, right] = [reader.split(one), reader.split(other)]
  if (left === null || right === null) return null
  const keys = new Set(left.map((run) => reader.readKey(run)))
  const more = right.filter((run) => !keys.has(reader.readKey(run)))
  if (more.length === right.length) return null
  return [...left, ...more].map((run) => ({ ...one, ...run }))
}

/** Of two that touch or overlap. */
function isCompatible(one: SidedHunk, other: SidedHunk, reader: RunReader): boolean {
  const isOverlap = one.start < other.end && other.start < one.end
  // What both take out is gone, however much more each takes out.
  if (isOverlap) return one.units.length === 0 && other.units.length === 0
  const isInside = (point: SidedHunk, span: SidedHunk): boolean =>
    point.start === point.end && span.start < point.start && point.start < span.end
  if (isInside(one, other) || isInside(other, one)) return false
  if (one.units.length === 0 || other.units.length === 0) return true
  if (reader.isFixed(one) && reader.isFixed(other)) return false
  // Where two put in something at one point, a loose comment may be about either.
  const isOnePoint = one.start === other.start && one.end === other.end
  if (!isOnePoint) return true
  const names = [reader.readName(one), reader.readName(other)]
  if (names[0] !== null && names[0] === names[1]) return false
  return !(reader.isLoose(one) || reader.isLoose(other))
}

/** By place; at one place what is only put in comes before what replaces, and by name. */
function compareHunks(reader: RunReader): (one: SidedHunk, other: SidedHunk) => number {
  return (one, other) =>
    one.start - other.start ||
    one.end - other.end ||
    compareTexts(reader.readName(one) ?? '', reader.readName(other) ?? '') ||
    compareTexts(reader.readKey(one), reader.readKey(other))
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
