import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countWords, rankChunks, searchTerms, type WordHit } from './search.ts'

const hit = (term: string, artifact: string, chunk: number, count = 1, length = 100): WordHit => ({
  term,
  artifact,
  chunk,
  count,
  length,
})
const totals = { chunks: 7, length: 700 }
const placesOf = (ranked: readonly { artifact: string; chunk: number }[]): readonly string[] =>
  ranked.map(({ artifact, chunk }) => `${artifact}${chunk}`)

test('a text is indexed by its words, how often each stands there, and how many there are', () => {
  const { counts, length } = countWords('The limit: THE daily limit, the end')
  assert.deepEqual([...counts].sort(), [
    ['daily', 1],
    ['end', 1],
    ['limit', 2],
    ['the', 3],
  ])
  assert.equal(length, 7)
})

test('a query is its first 64 distinct words', () => {
  assert.deepEqual(searchTerms('Refund, refund or REFUSE?'), ['refund', 'or', 'refuse'])
  const many = Array.from({ length: 65 }, (_, i) => `w${i}`)
  assert.equal(searchTerms(many.slice(0, 64).join(' ')).length, 64)
  assert.deepEqual(searchTerms(many.join(' ')), many.slice(0, 64))
})

test('the score is weight × 2.2 × count ÷ (count + 0.3 + 0.9 × length ÷ mean), rounded down', () => {
  // (7 + 1) / 1 = 2^3: 3 × 1024 = 3072, and 3072 × 2.2 / 2.2 at the mean length.
  assert.deepEqual(rankChunks(['fee'], [hit('fee', 'a', 0)], totals), [
    { artifact: 'a', chunk: 0, score: 3072 },
  ])
  // Twice: 3072 × 4.4 / 3.2 = 4224.
  assert.equal(rankChunks(['fee'], [hit('fee', 'a', 0, 2)], totals)[0]?.score, 4224)
  // In a piece of half the mean: 3072 × 2.2 / 1.75 = 3861.9.
  assert.equal(rankChunks(['fee'], [hit('fee', 'a', 0, 1, 50)], totals)[0]?.score, 3861)
})

test('between powers of two the weight follows a straight line', () => {
  const weights = [1, 2, 3, 4].map((places) => {
    const hits = Array.from({ length: places }, (_, chunk) => hit('fee', 'a', chunk))
    return rankChunks(['fee'], hits, { chunks: 11, length: 1_100 })[0]?.score
  })
  // 12/1 = 8 × 1.5, 12/2 = 4 × 1.5, 12/3 = 4, 12/4 = 2 × 1.5
  assert.deepEqual(weights, [3.5 * 1024, 2.5 * 1024, 2 * 1024, 1.5 * 1024])
})

test('a word that stands everywhere weighs 64, whatever the totals say', () => {
  const hits = Array.from({ length: 1_000 }, (_, chunk) => hit('the', 'a', chunk))
  const score = (chunks: number, length: number): number | undefined =>
    rankChunks(['the'], hits, { chunks, length })[0]?.score
  assert.equal(score(1_000, 100_000), 64)
  assert.equal(score(1, 100), 64)
  assert.equal(score(0, 0), 1, 'totals that are behind count as one word in one piece')
})

test('rare words outrank common ones, and more of the query outranks less', () => {
  const common = [0, 1, 2, 4, 5, 6].map((chunk) => hit('the', 'rules', chunk, chunk === 1 ? 5 : 1))
  const hits = [...common, hit('refund', 'rules', 0), hit('refund', 'rules', 3)]
  const ranked = placesOf(rankChunks(['the', 'refund'], hits, totals))
  assert.deepEqual(ranked.slice(0, 4), ['rules0', 'rules3', 'rules1', 'rules2'])
})

test('equals stand by document, then by number, not by text', () => {
  const hits = [hit('fee', 'b', 0), hit('fee', 'a', 10), hit('fee', 'a', 9)]
  assert.deepEqual(placesOf(rankChunks(['fee'], hits, totals)), ['a9', 'a10', 'b0'])
})

test('places of words that nobody asked for do not count', () => {
  assert.deepEqual(rankChunks(['fee'], [hit('tax', 'a', 0)], totals), [])
  assert.deepEqual(rankChunks([], [hit('tax', 'a', 0)], totals), [])
})

test('the size of the library does not spoil the arithmetic', () => {
  const library = { chunks: 1_000_000_000, length: 200_000_000_000 }
  const [best] = rankChunks(['fee'], [hit('fee', 'a', 0, 200, 200)], library)
  assert.ok(best !== undefined && Number.isSafeInteger(best.score))
  assert.ok(best.score > 60_000 && best.score < 70_000, String(best.score))
})

test('the ranking does not depend on the order of hits or of terms', () => {
  const some: fc.Arbitrary<WordHit> = fc.record({
    term: fc.constantFrom('a', 'b', 'c'),
    artifact: fc.constantFrom('x', 'y'),
    chunk: fc.integer({ min: 0, max: 3 }),
    count: fc.integer({ min: 1, max: 4 }),
    length: fc.integer({ min: 1, max: 200 }),
  })
  const shuffles = fc
    .array(some, { maxLength: 12 })
    .chain((hits) =>
      fc.tuple(fc.constant(hits), fc.shuffledSubarray(hits, { minLength: hits.length })),
    )
  fc.assert(
    fc.property(shuffles, ([hits, mixed]) => {
      const ranked = rankChunks(['a', 'b'], hits, totals)
      assert.deepEqual(rankChunks(['b', 'a', 'b'], mixed, totals), ranked)
      const scores = ranked.map(({ score }) => score)
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      )
    }),
  )
})
