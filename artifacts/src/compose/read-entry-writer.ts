/** An entry of a batch as a writer of the composed text: which of its words is which there. */
import { matchSequences } from '../merge/compare-sequences.ts'
import type { Writer } from '../merge/find-other-meaning.ts'
import type { TextHistory } from '../text/history.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { type Span, sliceSpan } from '../text/span.ts'
import type { Splice } from '../text/splice.ts'
import { listTilesIn } from '../tree/find-tiles.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Tile } from '../tree/tile.ts'
import type { PlannedEntry } from './planned-entry.ts'

/** `change`: what the entry is called in the history of the composed text. */
export function readEntryWriter(
  { entry, plan }: PlannedEntry,
  change: string,
  history: TextHistory,
  composed: ParsedText,
): Writer {
  const parsed = plan.after
  const put = listPutSpans(plan.splices)
  const words = parsed.tiles.filter(({ kind }) => kind === 'word').map(({ start }) => start)
  const kept = words.filter((_, i) => !isPut(words[i] ?? 0, put))
  const inBase = moveStarts(kept, plan.inverse)
  const there = moveStarts(
    inBase.flatMap((at) => at ?? []),
    history.listSplices(),
  )
  const toMerged = new Map<number, number>()
  let next = 0
  for (const [i, start] of kept.entries()) {
    if (inBase[i] === null) continue
    const at = there[next] ?? null
    next += 1
    if (at !== null) toMerged.set(start, at)
  }
  for (const [one, other] of matchPut(parsed, put, composed, history.listPut(change)))
    toMerged.set(one, other)
  return { who: `\`${entry.key}\``, parsed, toMerged, isKnown: (start) => !isPut(start, put) }
}

function isPut(start: number, put: readonly Span[]): boolean {
  let [low, high] = [0, put.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((put[middle]?.end ?? 0) <= start) low = middle + 1
    else high = middle
  }
  return (put[low]?.start ?? start + 1) <= start
}

/** Places in their order, behind splices in theirs; null: the place itself is replaced. */
function moveStarts(
  starts: readonly number[],
  splices: readonly Splice[],
): readonly (number | null)[] {
  let [next, shift] = [0, 0]
  return starts.map((start) => {
    for (let one = splices[next]; one !== undefined && one.end <= start; one = splices[next]) {
      shift += one.text.length - (one.end - one.start)
      next += 1
    }
    const over = splices[next]
    return over !== undefined && over.start <= start ? null : start + shift
  })
}

/** What an entry puts in is put in as it is, but for what stands between members. */
function matchPut(
  one: ParsedText,
  put: readonly Span[],
  other: ParsedText,
  found: readonly Span[],
): readonly (readonly [number, number])[] {
  const [tokens, others] = [listTokensIn(one, put), listTokensIn(other, found)]
  const pairs = matchSequences(
    tokens.map((tile) => sliceSpan(one.text, tile)),
    others.map((tile) => sliceSpan(other.text, tile)),
  )
  return (pairs ?? []).flatMap(([i, j]) => {
    const [tile, at] = [tokens[i], others[j]]
    return tile?.kind === 'word' && at !== undefined ? [[tile.start, at.start] as const] : []
  })
}

function listTokensIn(parsed: ParsedText, spans: readonly Span[]): readonly Tile[] {
  return spans
    .flatMap((span) => listTilesIn(parsed, span))
    .filter(({ kind }) => kind !== 'space' && kind !== 'comment')
}
