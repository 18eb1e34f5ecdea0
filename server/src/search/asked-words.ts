/**
 * Flows, and entries without one, in which every word of a question occurs: collected once, for the page and for all that
 * is counted beside it. A word may stand in another row of the same flow.
 */
import type { DatabaseSync } from 'node:sqlite'
import { LISTS, type ListName } from './lists.ts'
import { parseNumbers } from './parse-numbers.ts'
import { countFlowRows, RowSet } from './row-set.ts'

/** Shorter words are in no trigram. */
export const TRIGRAM = 3
/** Of a word; more of them rule out hardly any text. */
const MOST_TRIGRAMS = 16
/** So few are looked up in a list; of more, each row of a list is asked. */
export const FEW = 5_000
/** Rows and flows that are looked at one by one; to read more of them takes longer than to read all. */
const RARE = 15_000
/** Words that are looked for together. */
const AT_ONCE = 4

type Asked = { readonly key: string; readonly changes: number; readonly rows: RowSet }

const kept = new WeakMap<DatabaseSync, Asked>()

/** Returns how many there are. */
export function collectAsked(database: DatabaseSync, words: readonly string[]): number {
  const key = JSON.stringify(words)
  const known = kept.get(database)
  if (known?.key === key && known.changes === countChanges(database)) return known.rows.count
  if (known === undefined) prepareDatabase(database)
  const rows = findAsked(database, words)
  const listed = rows.count <= FEW ? rows.list() : []
  database.prepare('DELETE FROM temp.asked').run()
  database
    .prepare('INSERT INTO temp.asked SELECT value FROM json_each(?)')
    .run(JSON.stringify(listed))
  kept.set(database, { key, changes: countChanges(database), rows })
  return rows.count
}

/** A table and a function of this connection alone: a table of many takes longer to be filled than to be used. */
function prepareDatabase(database: DatabaseSync): void {
  database.exec('CREATE TEMP TABLE IF NOT EXISTS asked (wanted INTEGER PRIMARY KEY)')
  database.function('is_asked', (id) => (kept.get(database)?.rows.has(Number(id)) ? 1 : 0))
}

/** Few are looked up; of more, each row is asked in the order of the list. */
export function buildAskedCondition(list: ListName, isFew: boolean): string {
  const { words, fewWords } = LISTS[list]
  return isFew && fewWords !== null ? fewWords : `is_asked(${words})`
}

export function isShort(word: string): boolean {
  return [...word].length < TRIGRAM
}

/** Of words that are everywhere all texts are read, some words at a time; a rare one leaves few texts for the others. */
function findAsked(database: DatabaseSync, words: readonly string[]): RowSet {
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

function countChanges(database: DatabaseSync): number {
  return Number(database.prepare('SELECT total_changes() AS n').get()?.n)
}
