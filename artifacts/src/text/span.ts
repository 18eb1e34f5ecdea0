/** A part of a text: UTF-16 units, the end not included. A byte order mark counts like any other character. */
export type Span = { readonly start: number; readonly end: number }

export function isInside(inner: Span, outer: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** Spans that only touch do not overlap; an empty one overlaps what it lies within. */
export function isOverlapping(one: Span, other: Span): boolean {
  if (one.start === one.end) return other.start < one.start && one.start < other.end
  if (other.start === other.end) return isOverlapping(other, one)
  return one.start < other.end && other.start < one.end
}

export function sliceSpan(text: string, { start, end }: Span): string {
  return text.slice(start, end)
}
