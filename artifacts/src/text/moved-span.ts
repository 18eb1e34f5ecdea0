/** Where parts of a text are after a change. */
import type { Span } from './span.ts'
import type { Splice } from './splice.ts'

/** What the splices put in, in the text behind them. */
export function listPutSpans(splices: readonly Splice[]): readonly Span[] {
  let shift = 0
  return splices.map(({ start, end, text }) => {
    const at = start + shift
    shift += text.length - (end - start)
    return { start: at, end: at + text.length }
  })
}

/** Where a span is behind the splices; null for an end of it that one of them replaced. */
export function moveSpan(
  { start, end }: Span,
  splices: readonly Splice[],
): { readonly start: number | null; readonly end: number | null } {
  return { start: moveStart(start, splices), end: moveEnd(end, splices) }
}

/** What is put in where a span begins comes before it. Null: the place itself is replaced. */
function moveStart(place: number, splices: readonly Splice[]): number | null {
  let shift = 0
  for (const { start, end, text } of splices) {
    if (start > place) break
    if (end > place) return null
    shift += text.length - (end - start)
  }
  return place + shift
}

/** What is put in where a span ends comes behind it. */
function moveEnd(place: number, splices: readonly Splice[]): number | null {
  let shift = 0
  for (const { start, end, text } of splices) {
    if (start >= place) break
    if (end > place) return null
    shift += text.length - (end - start)
  }
  return place + shift
}
