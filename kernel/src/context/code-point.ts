/** From the first to the last, both inside. */
export type Range = readonly [from: number, to: number]

/** Of one character, as iterating over a text gives it; half of a pair is its own code. */
export function toCodePoint(character: string): number {
  const unit = character.charCodeAt(0)
  if (character.length === 1) return unit
  return (unit - 0xd800) * 0x400 + (character.charCodeAt(1) - 0xdc00) + 0x10000
}

/** The ranges are in order: most characters are below the first. */
export function isIn(ranges: readonly Range[], code: number): boolean {
  for (const [from, to] of ranges) {
    if (code < from) return false
    if (code <= to) return true
  }
  return false
}
