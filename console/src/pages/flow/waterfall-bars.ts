/** Spans as bars on one axis. Idle spans that would dwarf the rest are folded to a fixed width. */
import type { Span } from './story-parts.ts'

export type Bar = {
  readonly span: Span
  /** Per cent of the axis. */
  readonly left: number
  readonly width: number
  readonly folded: boolean
}

const IDLE: readonly Span['who'][] = ['agent', 'person', 'executor', 'unknown']
/** An idle span longer than this many times all work together is folded. */
const DWARFS = 4
const FOLDED_SHARE = 0.12
const NARROWEST = 0.6

export function computeBars(spans: readonly Span[], unfolded: boolean): readonly Bar[] {
  const work = sum(spans.filter(({ who }) => !IDLE.includes(who)))
  const isFolded = ({ who, ms }: Span): boolean =>
    !unfolded && IDLE.includes(who) && ms > 1_000 && ms > work * DWARFS
  const scaled = sum(spans.filter((span) => !isFolded(span)))
  const folds = spans.filter(isFolded).length
  const foldedWidth = folds === 0 ? 0 : Math.min(FOLDED_SHARE, 0.6 / folds) * 100
  const room = 100 - folds * foldedWidth
  let left = 0
  return spans.map((span) => {
    const folded = isFolded(span)
    const share =
      scaled === 0 ? room / Math.max(1, spans.length - folds) : (span.ms / scaled) * room
    const width = folded ? foldedWidth : share
    const bar = {
      span,
      left: Math.min(left, 100 - NARROWEST),
      width: Math.max(width, NARROWEST),
      folded,
    }
    left += width
    return bar
  })
}

function sum(spans: readonly Span[]): number {
  return spans.reduce((total, { ms }) => total + ms, 0)
}
