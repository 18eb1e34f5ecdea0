/**
 * Classes of characters in EBNF, of those that stand in a JSON text as they are: no controls, no quote, no backslash.
 *
 * The library (0.1.27) reads classes of ASCII characters exactly, and everything but some of them; of others it accepts
 * some and not the rest. So beyond ASCII a class has all characters or none.
 */

export type CharacterRange = readonly [first: number, last: number]

/** What a class holds: these characters, or all but these. */
export type CharacterClass = {
  readonly isInverted: boolean
  readonly ranges: readonly CharacterRange[]
}

export const ANY_CHARACTER: CharacterClass = { isInverted: true, ranges: [] }

const LAST_ASCII = 0x7f
const UNWRITTEN: readonly CharacterRange[] = [
  [0, 0x1f],
  [0x22, 0x22],
  [0x5c, 0x5c],
  [LAST_ASCII, LAST_ASCII],
]

/** Throws where no character is left, or where the class keeps characters beyond ASCII apart. */
export function formatClass({ isInverted, ranges }: CharacterClass): string {
  if (isInverted) {
    if (ranges.some(([, last]) => last > LAST_ASCII))
      throw new Error('a class of the pattern excludes characters beyond ASCII')
    return `[^${[...UNWRITTEN, ...ranges].map(formatRange).join('')}]`
  }
  const written = listWritten(ranges)
  if (written.length === 0) throw new Error('a class of the pattern has no ASCII character')
  return `[${written.map(formatRange).join('')}]`
}

/** Of the ASCII characters, one by one: runs of those that are in the class and can be written. */
function listWritten(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const runs: [number, number][] = []
  for (let point = 0; point <= LAST_ASCII; point += 1) {
    if (!isIn(ranges, point) || isIn(UNWRITTEN, point)) continue
    const last = runs.at(-1)
    if (last !== undefined && last[1] === point - 1) last[1] = point
    else runs.push([point, point])
  }
  return runs
}

function isIn(ranges: readonly CharacterRange[], point: number): boolean {
  return ranges.some(([first, last]) => point >= first && point <= last)
}

function formatRange([first, last]: CharacterRange): string {
  return first === last ? escapePoint(first) : `${escapePoint(first)}-${escapePoint(last)}`
}

/** By its number, so that no character has a meaning of its own. */
function escapePoint(point: number): string {
  return `\\x${point.toString(16).padStart(2, '0')}`
}
