/**
 * Classes of characters in EBNF, of those that stand in a JSON text as they are: no controls, no quote, no backslash, and
 * nothing beyond ASCII. The library (0.1.27) reads classes beyond ASCII wrongly, and under a class that excludes
 * characters it lets bytes through that are no UTF-8: so there are none.
 */

export type CharacterRange = readonly [first: number, last: number]

/** What a class holds: these characters, or all but these. */
export type CharacterClass = {
  readonly isInverted: boolean
  readonly ranges: readonly CharacterRange[]
}

export const ANY_CHARACTER: CharacterClass = { isInverted: true, ranges: [] }

const SPACE = 0x20
const TILDE = 0x7e
const UNWRITTEN: readonly CharacterRange[] = [
  [0x22, 0x22],
  [0x5c, 0x5c],
]

/** Throws where no character is left. */
export function formatClass({ isInverted, ranges }: CharacterClass): string {
  const runs: [first: number, last: number][] = []
  for (let point = SPACE; point <= TILDE; point += 1) {
    if (isIn(ranges, point) === isInverted || isIn(UNWRITTEN, point)) continue
    const last = runs.at(-1)
    if (last !== undefined && last[1] === point - 1) last[1] = point
    else runs.push([point, point])
  }
  if (runs.length === 0) throw new Error('a class of the pattern has no character that is written')
  return `[${runs.map(formatRun).join('')}]`
}

function isIn(ranges: readonly CharacterRange[], point: number): boolean {
  return ranges.some(([first, last]) => point >= first && point <= last)
}

function formatRun([first, last]: CharacterRange): string {
  return first === last ? escapePoint(first) : `${escapePoint(first)}-${escapePoint(last)}`
}

/** By its number, so that no character has a meaning of its own. */
function escapePoint(point: number): string {
  return `\\x${point.toString(16).padStart(2, '0')}`
}
