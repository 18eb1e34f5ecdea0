/** Looks words up in the file of an index: by trigrams, and in the texts that those leave. */
import type { DatabaseSync } from 'node:sqlite'
import { parseNumbers } from './parse-numbers.ts'
import { countFlowRows, RowSet } from './row-set.ts'

/** Shorter words are in no trigram. */
export const TRIGRAM = 3
/** Of a word; more of them rule out hardly any text. */
const MOST_TRIGRAMS = 16
/** Rows and flows that are looked at one by one; to read more of them takes longer than to read all. */
const RARE = 15_000
/** Words that are looked for together. */
const AT_ONCE = 4

export function isShort(word: string): boolean {
  return [...word].length < TRIGRAM
}

/** Of words that are everywhere all texts are read, some words at a time; a rare one leaves few texts for the others. */
export function findInFile(database: DatabaseSync, words: readonly string[]): RowSet {
  const counted = words
    .filter((word) => !isShort(word))
    .map((word) => ({ word, rows: countCandidates(database, word) }))
    .toSorted((a, b) => a.rows - b.rows)
  const [rarest] = counted
  let asked =
    rarest === undefined || rarest.rows >= RARE ? null : listCandidates(database, rarest.word)
  for (let at = 0; at < words.length; at += AT_ONCE)
    asked = narrowRows(database, asked, words.slice(at, at + AT_ONCE))
  return asked ?? new RowSet(0)
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
 * Of these, or of all, those that have all the words. The texts are read where the trigrams have them (`words_content`),
 * which takes half the time, and come as one text: a row of its own for each takes three times as long.
 */
function narrowRows(
  database: DatabaseSync,
  asked: RowSet | null,
  words: readonly string[],
): RowSet {
  const isEach = asked !== null && asked.count <= RARE
  const from = isEach
    ? `json_each(?1) AS one CROSS JOIN said ON said.flow = one.value CROSS JOIN words_content AS text ON text.id = said.id`
    : `words_content AS text CROSS JOIN said ON said.id = text.id AND ?1 IS NULL`
  const values: (string | null)[] = [isEach ? JSON.stringify(asked.list()) : null]
  const bind = (value: string): string => `?${values.push(value)}`
  const globs = words.map((word) => `text.c0 GLOB ${bind(formatGlob(word))}`)
  const found = words.map((word, at) => {
    const has = isGlobbed(word) ? globs[at] : `${globs[at]} AND instr(text.c0, ${bind(word)}) > 0`
    return `(${has}) * ${1 << at}`
  })
  // The condition has said it.
  const [first] = words
  const marks = words.length === 1 && isGlobbed(first ?? '') ? '1' : found.join(' + ')
  const sql = `SELECT json_group_array(said.flow * ${1 << AT_ONCE} + ${marks}) AS found
    FROM ${from} WHERE ${globs.join(' OR ')}`
  const marked = parseNumbers(database.prepare(sql).get(...values)?.found)
  const rows = new RowSet(countFlowRows(database))
  const all = (1 << words.length) - 1
  for (const one of marked) {
    const id = Math.floor(one / (1 << AT_ONCE))
    const isWanted = asked === null || asked.has(id)
    if (isWanted) rows.mark(id, one & all)
  }
  return rows.pick(all)
}

/** No longer: of a text of one letter that an agent wrote, each place would be held against all of a long word. */
const GLOBBED = 8

function isGlobbed(word: string): boolean {
  return [...word].length <= GLOBBED
}

/** A pattern that any text with the word fits. Signs that mean something stand in brackets. */
function formatGlob(word: string): string {
  const some = [...word].slice(0, GLOBBED)
  return `*${some.map((one) => ('*?['.includes(one) ? `[${one}]` : one)).join('')}*`
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
