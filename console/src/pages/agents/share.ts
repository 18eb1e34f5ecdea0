/** A part of a whole in percent, for drawing; the numbers beside it are exact. */
export function share(part: string, whole: string): number {
  const [a, b] = [Number(part), Number(whole)]
  if (!Number.isFinite(a) || !Number.isFinite(b) || a <= 0) return 0
  if (b <= 0) return 100
  return Math.min(100, (a / b) * 100)
}
