/** How long a contract allows, in the largest unit that says it whole: `16 h` and not `57600 s`. */
const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const

export function formatSeconds(seconds: number): string {
  // A day that is counted by the clock is 24 hours long, and no date.
  const isWhole = ([size, unit]: (typeof UNITS)[number]): boolean =>
    seconds > 0 && seconds % size === 0 && !(unit === 'd' && seconds === size)
  const found = UNITS.find(isWhole)
  return found === undefined ? `${seconds} s` : `${seconds / found[0]} ${found[1]}`
}
