/** Looks words up in the file of an index: by trigrams, and in the texts that those leave. */
import type { DatabaseSync } from 'node:sqlite'
import { parseNumbers } from './parse-numbers.ts'
import { countFlowRows, RowSet } from './row-set.ts'
import { findWords, readTexts, readTextsOf } from './text-block.ts'

/** Shorter words are in no trigram. */
export const TRIGRAM = 3
/** Of a word; more of them rule out hardly any text. */
const MOST_TRIGRAMS = 16
/** Rows and flows that are looked at one by one; to read more of them takes longer than to read all. */
const RARE = 15_000

export function isShort(word: string): boolean {
  return [...word].length < TRIGRAM
}

/** Of words that are everywhere all texts are read; a rare one leaves few texts for the others. */
export function findInFile(database: DatabaseSync, words: readonly string[]): RowSet {
  const counted = words
    .filter((word) => !isShort(word))
    .map((word) => ({ word, rows: countCandidates(database, word) }))
    .toSorted((a, b) => a.rows - b.rows)
  const [rarest] = counted
  const isRare = rarest !== undefined && rarest.rows < RARE
  const blocks = isRare
    ? readTextsOf(database, listCandidates(database, rarest.word).list())
    : readTexts(database)
  return findWords(blocks, words, countFlowRows(database))
}

/** Rows in which the trigrams of a word occur; no more than are of interest. */
function countCandidates(database: DatabaseSync, word: string): number {
  const some = `SELECT 1 FROM words WHERE said MATCH ? LIMIT ${RARE}`
  const counted = database.prepare(`SELECT count(*) AS n FROM (${some})`).get(formatTrigrams(word))
  return Number(counted?.n)
}

function listCandidates(database: DatabaseSync, word: string): RowSet {
  const sql = `SELECT json_group_array(flow) AS found FROM said
    WHERE id IN (SELECT rowid FROM words WHERE said MATCH ?)`
  const found = parseNumbers(database.prepare(sql).get(formatTrigrams(word))?.found)
  const rows = new RowSet(countFlowRows(database))
  for (const id of found) rows.add(id)
  return rows
}

/**
 * Which of a word have to occur, each by itself: where they stand is seen in the text. As one phrase every place of each
 * would be held against those of all others, and a text of one letter that an agent wrote has thousands of places: one long
 * word kept all lists waiting for a minute. Nothing in them is syntax.
 */
function formatTrigrams(word: string): string {
  const letters = [...word]
  const all = new Set(
    letters.slice(TRIGRAM - 1).map((_, at) => letters.slice(at, at + TRIGRAM).join('')),
  )
  const step = Math.ceil(all.size / MOST_TRIGRAMS)
  const some = [...all].filter((_, at) => at % step === 0)
  return some.map((one) => `"${one.replaceAll('"', '""')}"`).join(' ')
}
