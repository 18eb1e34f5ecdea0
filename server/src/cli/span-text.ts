const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const

/** How long, in the largest two units: `2 h 5 min`. */
export function formatDuration(ms: number): string {
  let left = Math.max(0, Math.ceil(ms / 1000))
  const parts: string[] = []
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(left / seconds)
    if (count > 0) parts.push(`${count} ${unit}`)
    left -= count * seconds
  }
  return [...parts, ...(left > 0 || parts.length === 0 ? [`${left} s`] : [])].slice(0, 2).join(' ')
}
