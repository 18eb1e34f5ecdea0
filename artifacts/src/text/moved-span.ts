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

/** Moves spans that no splice cuts. They are asked for in the order of their starts. */
export function createMover(splices: readonly Splice[]): (span: Span) => Span | null {
  return ({ start, end }) => {
    const from = moveStart(start, splices)
    const to = moveEnd(end, splices)
    return from === null || to === null ? null : { start: from, end: to }
  }
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
