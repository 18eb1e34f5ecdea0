/**
 * One axis of time for bars of very different length. Work is to scale; a stretch in which nothing is at work, and which
 * would dwarf everything else, is folded to a fixed width.
 */

export type Stretch = {
  /** Milliseconds. */
  readonly from: number
  readonly to: number
  /** Something is at work: it is never folded. */
  readonly isWork: boolean
}

/** A part of the axis that is not to scale. In per cent of the axis. */
export type Fold = { readonly left: number; readonly width: number; readonly ms: number }

export type TimeAxis = {
  readonly ms: number
  readonly folds: readonly Fold[]
  /** Where a moment lies, in per cent. */
  readonly place: (at: number) => number
}

type Segment = Stretch & { readonly left: number; readonly width: number; readonly folded: boolean }

/** A stretch longer than this many times everything shorter is folded. */
const DWARFS = 4
const NEVER_FOLDED_MS = 1_000
const FOLDED_SHARE = 12
const MOST_FOLDED_SHARE = 60

export function buildTimeAxis(stretches: readonly Stretch[], unfolded: boolean): TimeAxis {
  const segments = layOut(listSegments(stretches), unfolded)
  const [first, last] = [segments[0], segments.at(-1)]
  return {
    ms: first === undefined || last === undefined ? 0 : last.to - first.from,
    folds: segments
      .filter(({ folded }) => folded)
      .map(({ left, width, from, to }) => ({ left, width, ms: to - from })),
    place: (at) => placeMoment(segments, at),
  }
}

/** The axis cut at every end of a stretch. */
function listSegments(stretches: readonly Stretch[]): readonly Stretch[] {
  const cuts = [...new Set(stretches.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  const begun = new Map<number, number>()
  for (const { from, to, isWork } of stretches) {
    if (!isWork) continue
    begun.set(from, (begun.get(from) ?? 0) + 1)
    begun.set(to, (begun.get(to) ?? 0) - 1)
  }
  let atWork = 0
  return cuts.slice(1).map((to, index) => {
    const from = cuts[index] ?? to
    atWork += begun.get(from) ?? 0
    return { from, to, isWork: atWork > 0 }
  })
}

function layOut(segments: readonly Stretch[], unfolded: boolean): readonly Segment[] {
  const longest = unfolded ? Number.POSITIVE_INFINITY : findLongestToScale(segments)
  const isFolded = ({ from, to, isWork }: Stretch): boolean => !isWork && to - from > longest
  const folds = segments.filter(isFolded).length
  const folded = folds === 0 ? 0 : Math.min(FOLDED_SHARE, MOST_FOLDED_SHARE / folds)
  const scaled = sum(segments.filter((segment) => !isFolded(segment)))
  const room = 100 - folds * folded
  let left = 0
  return segments.map((segment) => {
    const isOne = isFolded(segment)
    const share = ((segment.to - segment.from) / Math.max(1, scaled)) * room
    const one = { ...segment, left, width: isOne ? folded : share, folded: isOne }
    left += one.width
    return one
  })
}

/** The shorter ones make the scale; the first that dwarfs them all is folded, with whatever is longer. */
function findLongestToScale(segments: readonly Stretch[]): number {
  let scaled = sum(segments.filter(({ isWork }) => isWork))
  const idle = segments.filter(({ isWork }) => !isWork).map(({ from, to }) => to - from)
  let longest = NEVER_FOLDED_MS
  for (const ms of idle.sort((a, b) => a - b)) {
    if (ms > Math.max(NEVER_FOLDED_MS, scaled * DWARFS)) break
    longest = Math.max(longest, ms)
    scaled += ms
  }
  return longest
}

function placeMoment(segments: readonly Segment[], at: number): number {
  const segment = segments.find(({ to }) => at <= to)
  if (segment === undefined) return segments.length === 0 ? 0 : 100
  const { from, to, left, width } = segment
  return left + Math.max(0, (at - from) / (to - from)) * width
}

function sum(stretches: readonly Stretch[]): number {
  return stretches.reduce((total, { from, to }) => total + to - from, 0)
}
