/** Texts of the index, one behind the other, in which words are looked for. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { parseNumbers } from './parse-numbers.ts'
import { RowSet } from './row-set.ts'
import { WordScan } from './word-scan.ts'

export type TextBlock = {
  readonly text: string
  /** Where the text of each row ends, before a separator that is in no word. */
  readonly ends: readonly number[]
  readonly flows: readonly number[]
}

/** Of rows of `said` (`flow`, `length`) and their texts (`c0`): `from` lists them. One text for all takes a third of the time. */
export function buildTextsQuery(from: string): string {
  return `SELECT max(id) AS last, group_concat(c0, char(10)) AS text,
    json_group_array(flow) AS flows, json_group_array(length) AS lengths FROM (${from})`
}

/** Rows that are read at once. */
const ROWS = 1_024

/** After a row: the next of them. */
export const TEXTS_OF_ROWS: string = `SELECT said.id, flow, length, c0
  FROM said CROSS JOIN words_content AS text ON text.id = said.id WHERE said.id > ? ORDER BY said.id LIMIT ${ROWS}`

/** Of flows, which come as a list in JSON. */
const TEXTS_OF_FLOWS = `SELECT said.id, flow, length, c0 FROM json_each(?) AS one
  CROSS JOIN said ON said.flow = one.value CROSS JOIN words_content AS text ON text.id = said.id`

/** All texts of an index, some at a time. */
export function* readTexts(database: DatabaseSync): Iterable<TextBlock> {
  const next = database.prepare(buildTextsQuery(TEXTS_OF_ROWS))
  for (let row = 0; ; ) {
    const found = next.get(row) ?? {}
    if (typeof found.last !== 'number') return
    yield parseTexts(found)
    row = found.last
  }
}

export function* readTextsOf(
  database: DatabaseSync,
  flows: readonly number[],
): Iterable<TextBlock> {
  const some = database.prepare(buildTextsQuery(TEXTS_OF_FLOWS))
  for (let at = 0; at < flows.length; at += ROWS) {
    const found = some.get(JSON.stringify(flows.slice(at, at + ROWS))) ?? {}
    if (typeof found.last === 'number') yield parseTexts(found)
  }
}

/** What that query found. */
export function parseTexts(found: Readonly<Record<string, SQLOutputValue>>): TextBlock {
  const text = String(found.text)
  const ends: number[] = []
  let end = -1
  for (const length of parseNumbers(found.lengths)) {
    end += length + 1
    ends.push(end)
  }
  // A row that was found under another's flow would be shown to whoever did not ask for it.
  if (end !== text.length) throw new Error('texts of the index have another length')
  return { text, ends, flows: parseNumbers(found.flows) }
}

/**
 * Of a longer word V8 compares all letters at each place of a text that repeats one letter (its tables have 250): a word of
 * 1,000 letters would keep every list waiting.
 */
const LONGEST_WORD = 200
/** For so long words are looked for one after the other, which is fast in all texts but those that somebody has made slow. */
export const QUICK_MS = 60

/** Flows in whose texts each of the words occurs. `most`: the largest number of a flow. */
export function findWords(
  blocks: Iterable<TextBlock>,
  words: readonly string[],
  most: number,
  readMs: () => number = () => performance.now(),
): RowSet {
  if (words.length === 0) return new RowSet(0)
  const isLong = words.some(({ length }) => length > LONGEST_WORD)
  const end = isLong ? Number.NEGATIVE_INFINITY : readMs() + QUICK_MS
  let scan: WordScan | null = null
  const found = new RowSet(most)
  const mark = (flow: number, marks: number): void => found.mark(flow, marks)
  for (const block of blocks) {
    if (lookUpWords(block, words, mark, () => readMs() < end)) continue
    scan ??= new WordScan(words)
    scan.scan(block, mark)
  }
  return found.pick(2 ** words.length - 1)
}

/** One after the other. False: time is up, and some of them were not looked up. */
function lookUpWords(
  block: TextBlock,
  words: readonly string[],
  mark: (flow: number, marks: number) => void,
  mayGoOn: () => boolean,
): boolean {
  return words.every((word, nth) => {
    if (!mayGoOn()) return false
    for (const flow of listRowsWith(block, word)) mark(flow, 1 << nth)
    return true
  })
}

/** Flows of a block in which it occurs, once for each row. */
function* listRowsWith({ text, ends, flows }: TextBlock, word: string): Iterable<number> {
  let row = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, ends[row])) {
    while ((ends[row] ?? at) < at) row += 1
    yield flows[row] ?? 0
  }
}
