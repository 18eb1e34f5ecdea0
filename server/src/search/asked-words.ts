/**
 * Flows, and entries without one, in which every word of a question occurs: collected once, for the page and for all that
 * is counted beside it. A word may stand in another row of the same flow. It is a table of this connection alone, in memory.
 */
import type { DatabaseSync } from 'node:sqlite'

/** Shorter words are in no trigram: all rows are read for them. */
export const TRIGRAM = 3
/** Of a word; more of them rule out hardly any text. */
const MOST_TRIGRAMS = 16
/** So few are looked at one by one. */
export const FEW = 5_000

type Asked = { readonly key: string; readonly changes: number; readonly count: number }

const kept = new WeakMap<DatabaseSync, Asked>()

/** Returns how many there are. */
export function collectAsked(database: DatabaseSync, words: readonly string[]): number {
  const key = JSON.stringify(words)
  const known = kept.get(database)
  if (known?.key === key && known.changes === countChanges(database)) return known.count
  database.exec(
    'CREATE TEMP TABLE IF NOT EXISTS asked (wanted INTEGER PRIMARY KEY); DELETE FROM temp.asked',
  )
  // What has trigrams leaves few to be read for what has none.
  const [first = '', ...others] = [...words].sort((a, b) => Number(isShort(a)) - Number(isShort(b)))
  const begin = `INSERT OR IGNORE INTO temp.asked SELECT flow FROM said WHERE id IN (${findRows(first)})`
  database.prepare(begin).run(...toValues(first))
  let count = countAsked(database)
  for (const word of others) {
    if (count === 0) break
    const rest =
      isShort(word) && count <= FEW
        ? `DELETE FROM temp.asked WHERE NOT EXISTS (SELECT 1 FROM said JOIN words ON words.rowid = said.id
            WHERE said.flow = asked.wanted AND instr(words.said, ?) > 0)`
        : `DELETE FROM temp.asked WHERE wanted NOT IN (SELECT flow FROM said WHERE id IN (${findRows(word)}))`
    database.prepare(rest).run(...toValues(word))
    count = countAsked(database)
  }
  kept.set(database, { key, changes: countChanges(database), count })
  return count
}

/** `column`: what names the flow. Of many, each row is asked in the order of the list; of few, they are looked up. */
export function buildAskedCondition(column: string, count: number): string {
  return count <= FEW
    ? `${column} IN (SELECT wanted FROM temp.asked)`
    : `EXISTS (SELECT 1 FROM temp.asked WHERE wanted = ${column})`
}

export function isShort(word: string): boolean {
  return [...word].length < TRIGRAM
}

function findRows(word: string): string {
  return `SELECT rowid FROM words WHERE ${isShort(word) ? '' : 'said MATCH ?2 AND '}instr(said, ?1) > 0`
}

function toValues(word: string): readonly string[] {
  return isShort(word) ? [word] : [word, formatTrigrams(word)]
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

function countAsked(database: DatabaseSync): number {
  return Number(database.prepare('SELECT count(*) AS n FROM temp.asked').get()?.n)
}

function countChanges(database: DatabaseSync): number {
  return Number(database.prepare('SELECT total_changes() AS n').get()?.n)
}
