/** What became of a sequence: the shortest list of places that differ, by the greedy algorithm of Myers. */

/** Units `start..end` of the first became units `from..to` of the second. */
export type Hunk = {
  readonly start: number
  readonly end: number
  readonly from: number
  readonly to: number
}

/** More differences than this are no change but another text. */
const MOST_EDITS = 4_000

/**
 * `isAnchor`: units that are matched first, so that no number of blank lines between them outweighs one of them. Null: the sequences
 * have too little in common.
 */
export function compareSequences(
  one: readonly string[],
  other: readonly string[],
  isAnchor: (unit: string) => boolean = () => false,
): readonly Hunk[] | null {
  const pairs = matchBetweenAnchors(one, other, isAnchor)
  if (pairs === null) return null
  const hunks: Hunk[] = []
  let [start, from] = [0, 0]
  for (const [i, j] of [...pairs, [one.length, other.length] as const]) {
    if (i > start || j > from) hunks.push({ start, end: i, from, to: j })
    start = i + 1
    from = j + 1
  }
  return hunks.map((hunk, at) => moveLate(hunk, hunks[at + 1], one, other))
}

function matchBetweenAnchors(
  one: readonly string[],
  other: readonly string[],
  isAnchor: (unit: string) => boolean,
): readonly Pair[] | null {
  const [ones, others] = [one, other].map((units) =>
    units.flatMap((unit, at) => (isAnchor(unit) ? [at] : [])),
  )
  if (ones === undefined || others === undefined) return null
  const anchors = matchSequences(
    ones.map((at) => one[at] ?? ''),
    others.map((at) => other[at] ?? ''),
  )
  if (anchors === null) return null
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  const known = anchors.map(([a, b]): Pair => [ones[a] ?? 0, others[b] ?? 0])
  for (const [nextI, nextJ] of [...known, [one.length, other.length] as const]) {
    const between = matchSequences(one.slice(i, nextI), other.slice(j, nextJ))
    if (between === null) return null
    for (const [a, b] of between) pairs.push([a + i, b + j])
    if (nextI < one.length && nextJ < other.length) pairs.push([nextI, nextJ])
    i = nextI + 1
    j = nextJ + 1
  }
  return pairs
}

type Pair = readonly [number, number]

/** Pairs of equal units, in order. Null: too many edits. */
export function matchSequences(
  one: readonly string[],
  other: readonly string[],
): readonly Pair[] | null {
  const shortest = Math.min(one.length, other.length)
  let head = 0
  while (head < shortest && one[head] === other[head]) head += 1
  let tail = 0
  while (tail < shortest - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1
  const middle = matchMiddle(
    one.slice(head, one.length - tail),
    other.slice(head, other.length - tail),
  )
  if (middle === null) return null
  const pairs: Pair[] = []
  for (let i = 0; i < head; i += 1) pairs.push([i, i])
  for (const [i, j] of middle) pairs.push([i + head, j + head])
  for (let i = tail; i > 0; i -= 1) pairs.push([one.length - i, other.length - i])
  return pairs
}

function matchMiddle(one: readonly string[], other: readonly string[]): readonly Pair[] | null {
  if (one.length === 0 || other.length === 0) return []
  const [n, m] = [one.length, other.length]
  const trace: Map<number, number>[] = []
  let reached = new Map<number, number>([[1, 0]])
  for (let edits = 0; edits <= Math.min(n + m, MOST_EDITS); edits += 1) {
    const next = new Map<number, number>()
    for (let k = -edits; k <= edits; k += 2) {
      let x = findStep(reached, k, edits)
      while (x < n && x - k < m && one[x] === other[x - k]) x += 1
      next.set(k, x)
      if (x >= n && x - k >= m) return walkBack([...trace, reached], n, m)
    }
    trace.push(reached)
    reached = next
  }
  return null
}

function findStep(reached: ReadonlyMap<number, number>, k: number, edits: number): number {
  const [down, right] = [reached.get(k + 1) ?? -1, reached.get(k - 1) ?? -1]
  return k === -edits || (k !== edits && right < down) ? down : right + 1
}

function walkBack(
  trace: readonly ReadonlyMap<number, number>[],
  n: number,
  m: number,
): readonly Pair[] {
  const pairs: Pair[] = []
  let [x, y] = [n, m]
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const reached = trace[edits] ?? new Map<number, number>()
    const k = x - y
    const start = findStep(reached, k, edits)
    while (x > start && x > 0 && y > 0) {
      x -= 1
      y -= 1
      pairs.push([x, y])
    }
    const [down, right] = [reached.get(k + 1) ?? -1, reached.get(k - 1) ?? -1]
    const isDown = k === -edits || (k !== edits && right < down)
    x = isDown ? down : right
    y = isDown ? down - k - 1 : right - k + 1
  }
  return pairs.reverse()
}

/**
 * An insertion between two blank lines can be read in two ways. As late as it can be, it is at one place, whoever made it: so that
 * insertions of both sides at one place are seen to be that.
 */
function moveLate(
  hunk: Hunk,
  next: Hunk | undefined,
  one: readonly string[],
  other: readonly string[],
): Hunk {
  let { start, end, from, to } = hunk
  const limit = next?.start ?? one.length
  while (end < limit) {
    const isInsert = start === end && other[from] === other[to]
    const isDelete = from === to && one[start] === one[end]
    if (!isInsert && !isDelete) break
    start += 1
    end += 1
    from += 1
    to += 1
  }
  return { start, end, from, to }
}

/** The same insertion or deletion, read so many units earlier. Null: it cannot be read there. */
export function moveEarly(
  hunk: Hunk,
  units: number,
  one: readonly string[],
  other: readonly string[],
): Hunk | null {
  let { start, end, from, to } = hunk
  for (let slid = 0; slid < units; slid += 1) {
    const isInsert = start === end && one[start - 1] === other[to - 1]
    const isDelete = from === to && one[start - 1] === one[end - 1]
    if (start === 0 || (!isInsert && !isDelete)) return null
    start -= 1
    end -= 1
    from -= 1
    to -= 1
  }
  return { start, end, from, to }
}
