/**
 * Changes to a text, by what they replace.
 *
 * P1 what no splice covers is the same before and after, unit by unit.
 * P2 the splices of one change are in order and do not overlap; several at one point stand in the order that they are given in.
 * P3 an inverse is recorded, never computed from the meaning of a change: applied, it gives the text before.
 */
import type { Span } from './span.ts'

export type Splice = Span & { readonly text: string }

/** Null: they overlap, or lie outside of the text. */
export function applySplices(text: string, splices: readonly Splice[]): string | null {
  let result = ''
  let done = 0
  for (const { start, end, text: put } of splices) {
    if (start < done || end < start || end > text.length) return null
    result += text.slice(done, start) + put
    done = end
  }
  return result + text.slice(done)
}

/** Splices of the result that give back the text before. */
export function invertSplices(text: string, splices: readonly Splice[]): readonly Splice[] {
  let shift = 0
  return splices.map(({ start, end, text: put }) => {
    const at = start + shift
    shift += put.length - (end - start)
    return { start: at, end: at + put.length, text: text.slice(start, end) }
  })
}

/** In the order of a text. What begins at one point keeps its order: insertions come before what replaces from there on. */
export function sortSplices(splices: readonly Splice[]): readonly Splice[] {
  return splices
    .map((splice, at) => ({ splice, at }))
    .sort((a, b) => {
      const byPlace = a.splice.start - b.splice.start || a.splice.end - b.splice.end
      return byPlace === 0 ? a.at - b.at : byPlace
    })
    .map(({ splice }) => splice)
}
