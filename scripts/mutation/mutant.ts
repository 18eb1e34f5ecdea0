/** One small mistake in one place: what stands there, and what stands there instead. */
export type Mutant = {
  /** From the root of the repository. */
  readonly file: string
  /** The function or constant around it, by which an equivalent one is found again when lines move. */
  readonly function: string
  readonly line: number
  /** What is written on that line. */
  readonly code: string
  readonly start: number
  readonly before: string
  readonly after: string
}

/** How a process ends in which the mistake could not be made. */
export const NOT_MADE = 86

/** Null: that text does not stand there any more. */
export function applyMutant(source: string, { start, before, after }: Mutant): string | null {
  const end = start + before.length
  if (source.slice(start, end) !== before) return null
  return source.slice(0, start) + after + source.slice(end)
}
