/** Longer words are not compared: whoever wrote them pays nothing for it. */
const LONGEST = 64

/** The most similar word, if one is similar enough to be what was meant. */
export function findNearest(word: string, words: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined
  let best: string | undefined
  let least = countTolerated(word) + 1
  for (const candidate of words) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const distance = computeEditDistance(word, candidate)
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

/** Of three letters two that differ leave another word. */
function countTolerated({ length }: string): number {
  return length < 4 ? 1 : Math.max(2, Math.floor(length / 3))
}

function computeEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const kept = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
