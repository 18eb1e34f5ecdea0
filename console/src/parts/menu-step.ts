/** Which item of a menu a key leads to; null: none. The ends are joined. */
export function findMenuStep(labels: readonly string[], at: number, key: string): number | null {
  const { length } = labels
  if (length === 0) return null
  if (key === 'ArrowDown') return (at + 1) % length
  if (key === 'ArrowUp') return (Math.max(at, 0) - 1 + length) % length
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  if (key.length !== 1 || key === ' ') return null
  const isMeant = (label: string): boolean => label.toLowerCase().startsWith(key.toLowerCase())
  // From the next one on, so that the same letter leads through all that begin with it.
  const after = labels.map((_, index) => (at + 1 + index) % length)
  return after.find((index) => isMeant(labels[index] ?? '')) ?? null
}
