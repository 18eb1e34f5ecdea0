import type { StatementSync } from 'node:sqlite'
import { addWords } from './flow-words.ts'

/** Puts words in, under a flow or an entry; no more of them than there is room for. `prepare`: whoever puts in many keeps statements. */
export function insertWords(
  prepare: (sql: string) => StatementSync,
  flow: number,
  texts: readonly string[],
  room: number,
): void {
  const words = addWords('', texts).slice(0, Math.max(0, room)).toWellFormed()
  if (words === '') return
  const row = prepare('INSERT INTO said (flow, length) VALUES (?, ?) RETURNING id').get(
    flow,
    words.length,
  )
  prepare('INSERT INTO words (rowid, said) VALUES (?, ?)').run(Number(row?.id), words)
}
