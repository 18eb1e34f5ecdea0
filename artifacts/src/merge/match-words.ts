/** Which word of one text is which of another: by their lines, and by their tokens where lines differ. */
import { sliceSpan } from '../text/span.ts'
import { listTilesIn } from '../tree/find-tiles.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { Tile } from '../tree/tile.ts'
import { matchSequences } from './compare-sequences.ts'

/** Where each word begins in the other text, by where it begins in the first. Those that are not there are left out. */
export type WordAlignment = ReadonlyMap<number, number>

/** More tokens than this between two lines that are the same are another text. */
const MOST_TOKENS = 4_000

/** Null: the texts have too little in common. */
export function matchWords(one: ParsedText, other: ParsedText): WordAlignment | null {
  const [starts, others] = [listLineStarts(one.text), listLineStarts(other.text)]
  const lines = matchSequences(cutLines(one.text, starts), cutLines(other.text, others))
  if (lines === null) return null
  const aligned = new Map<number, number>()
  let [from, at] = [0, 0]
  for (const [i, j] of [...lines, [starts.length - 1, others.length - 1] as const]) {
    const [start, place] = [starts[i] ?? 0, others[j] ?? 0]
    matchTokens(one, { start: from, end: start }, other, { start: at, end: place }, aligned)
    const end = starts[i + 1] ?? one.text.length
    for (const { start: word } of listWords(one, start, end))
      aligned.set(word, word - start + place)
    from = end
    at = others[j + 1] ?? other.text.length
  }
  return aligned
}

/** With the end of the text behind them. */
function listLineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  if (starts.at(-1) !== text.length) starts.push(text.length)
  return starts
}

function cutLines(text: string, starts: readonly number[]): readonly string[] {
  return starts.slice(0, -1).map((start, i) => text.slice(start, starts[i + 1]))
}

type Part = { readonly start: number; readonly end: number }

function matchTokens(
  one: ParsedText,
  part: Part,
  other: ParsedText,
  second: Part,
  aligned: Map<number, number>,
): void {
  const [tokens, others] = [listTokensIn(one, part), listTokensIn(other, second)]
  if (tokens.length === 0 || others.length === 0) return
  if (tokens.length > MOST_TOKENS || others.length > MOST_TOKENS) return
  const pairs = matchSequences(
    tokens.map((tile) => sliceSpan(one.text, tile)),
    others.map((tile) => sliceSpan(other.text, tile)),
  )
  for (const [i, j] of pairs ?? []) {
    const [tile, found] = [tokens[i], others[j]]
    if (tile?.kind === 'word' && found !== undefined) aligned.set(tile.start, found.start)
  }
}

function listTokensIn(parsed: ParsedText, part: Part): readonly Tile[] {
  return listTilesIn(parsed, part).filter(({ kind }) => kind !== 'space' && kind !== 'comment')
}

function listWords(parsed: ParsedText, start: number, end: number): readonly Tile[] {
  return listTilesIn(parsed, { start, end }).filter(({ kind }) => kind === 'word')
}
