/**
 * Full-text search over the pieces of documents. The ranking is ours, in whole numbers, so that
 * every store gives the same snapshot; a store only has to know which word stands where.
 *
 * It is BM25 with k1 = 1.2 and b = 0.75, multiplied out. A logarithm would differ in its last digit
 * from one machine to the next, so the weight of a word is drawn with straight lines between the
 * powers of two.
 */
import { compare } from './order.ts'
import { splitWords } from './words.ts'

/** A query of more words than this is a document. */
const MOST_TERMS = 64
/** A power of two in the scale of weights, and the binary places of the ratio it is taken of. */
const STEP = 1024n
const RATIO_BITS = 16n
/** Also a word that stands in every piece counts for something: how often it stands there does. */
const LEAST_WEIGHT = 64n

/** That a word stands in a piece. */
export type WordHit = {
  readonly term: string
  readonly artifact: string
  readonly chunk: number
  /** How often, and among how many words. */
  readonly count: number
  readonly length: number
}

/** Of all pieces there are: how many, and how many words. */
export type SearchTotals = { readonly chunks: number; readonly length: number }

export type RankedChunk = {
  readonly artifact: string
  readonly chunk: number
  readonly score: number
}

/** What to index of a text: each word with how often it stands there, and how many words it has. */
export type IndexedText = {
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

export function countWords(text: string): IndexedText {
  const all = splitWords(text)
  const counts = new Map<string, number>()
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1)
  return { counts, length: all.length }
}

/** What to look for: the first distinct words of a text. */
export function searchTerms(text: string): readonly string[] {
  return [...new Set(splitWords(text))].slice(0, MOST_TERMS)
}

/**
 * Best first; of equals by artifact, then by number. `hits` are all places of the terms; those of
 * other words do not count.
 */
export function rankChunks(
  terms: readonly string[],
  hits: readonly WordHit[],
  totals: SearchTotals,
): readonly RankedChunk[] {
  const asked = new Set(terms)
  const places = Map.groupBy(
    hits.filter(({ term }) => asked.has(term)),
    ({ term }) => term,
  )
  const ranked = new Map<string, RankedChunk>()
  for (const found of places.values()) {
    const weight = computeWeight(found.length, totals)
    for (const hit of found) {
      const { artifact, chunk } = hit
      const key = `${chunk} ${artifact}`
      const before = ranked.get(key)?.score ?? 0
      ranked.set(key, { artifact, chunk, score: before + computeGain(hit, weight, totals) })
    }
  }
  return [...ranked.values()].sort(
    (a, b) =>
      compare(b.score, a.score) || compare(a.artifact, b.artifact) || compare(a.chunk, b.chunk),
  )
}

/**
 * 1024 × log2((N + 1) / n) for a word that stands in n of N pieces, with a straight line from each
 * power of two to the next, and at least 64.
 */
function computeWeight(places: number, { chunks }: SearchTotals): bigint {
  const ratio = ((BigInt(chunks) + 1n) << RATIO_BITS) / BigInt(places)
  const power = BigInt(ratio.toString(2).length - 1)
  const weight = (power - RATIO_BITS) * STEP + ((ratio * STEP) >> power) - STEP
  return weight < LEAST_WEIGHT ? LEAST_WEIGHT : weight
}

/**
 * weight × 2.2 × count / (count + 0.3 + 0.9 × length / mean length), where the mean length is that of
 * all pieces: L / N. Numerator and denominator stand here ten times L.
 */
function computeGain({ count, length }: WordHit, weight: bigint, totals: SearchTotals): number {
  const all = BigInt(Math.max(1, totals.length))
  const often = BigInt(count) * all
  const relative = BigInt(length) * BigInt(Math.max(1, totals.chunks))
  return Number((weight * 22n * often) / (10n * often + 3n * all + 9n * relative))
}
