/**
 * The texts of an index in memory, in which words are looked for in a third of the time that the file takes.
 *
 * H1 whatever was added to the index is taken in before a question is answered; after something was forgotten
 *    (`dropTexts`) all is read anew.
 * H2 of more texts than `MOST_HELD` none are held, and words are looked up in the file.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { parseNumbers } from './parse-numbers.ts'
import { RowSet } from './row-set.ts'

/** UTF-16 units: as many bytes, or twice as many of texts with letters beyond Latin. */
const MOST_HELD = 64 * 1024 * 1024
/** Rows are added to a block until it is so long. */
const BLOCK = 1024 * 1024
/**
 * Of a longer word V8 compares all letters at each place of a text that repeats one letter (its tables have 250): a word of
 * 1,000 letters would keep every list waiting. The file looks it up by its trigrams.
 */
export const LONGEST_WORD = 200
/** Rows that are read at once. */
const ROWS = 4_096

type Block = {
  text: string
  /** Where the text of each row ends, before a separator that is in no word. */
  readonly ends: number[]
  readonly flows: number[]
}

export class HeldTexts {
  readonly #next: StatementSync
  readonly #most: number
  #blocks: Block[] = []
  /** The last row that was taken in. */
  #row = 0
  #length = 0

  constructor(database: DatabaseSync, most: number = MOST_HELD) {
    this.#next = database.prepare(`SELECT max(id) AS last, group_concat(c0, char(10)) AS text,
        json_group_array(flow) AS flows, json_group_array(length) AS lengths
      FROM (SELECT said.id, flow, length, c0 FROM said CROSS JOIN words_content AS text ON text.id = said.id
        WHERE said.id > ? ORDER BY said.id LIMIT ${ROWS})`)
    this.#most = most
  }

  /** False: there are too many of them. */
  get isWhole(): boolean {
    return this.#length <= this.#most
  }

  /** Some of what is missing. False: nothing more is taken in. */
  takeSome(): boolean {
    if (!this.isWhole) return false
    const { last, text, flows, lengths } = this.#next.get(this.#row) ?? {}
    if (typeof last !== 'number') return false
    this.#add(String(text), parseNumbers(flows), parseNumbers(lengths))
    this.#row = last
    if (!this.isWhole) this.#blocks = []
    return true
  }

  /** Flows in whose texts each of the words occurs. `most`: the largest number of a flow. */
  find(words: readonly string[], most: number): RowSet {
    let asked: RowSet | null = null
    // Of the longest few flows are left for the others.
    for (const word of words.toSorted((a, b) => b.length - a.length)) {
      const before: RowSet | null = asked
      const found = new RowSet(most)
      for (const block of this.#blocks)
        for (const flow of listRowsWith(block, word)) if (before?.has(flow) ?? true) found.add(flow)
      asked = found
      if (found.count === 0) break
    }
    return asked ?? new RowSet(0)
  }

  #add(text: string, flows: readonly number[], lengths: readonly number[]): void {
    // A row that was found under another's flow would be shown to whoever did not ask for it.
    const sum = lengths.reduce((all, length) => all + length + 1, -1)
    if (sum !== text.length) throw new Error('texts of the index have another length')
    const last = this.#blocks.at(-1)
    const block = last === undefined || last.text.length > BLOCK ? this.#addBlock() : last
    let end = block.text === '' ? -1 : block.text.length
    for (const length of lengths) {
      end += length + 1
      block.ends.push(end)
    }
    block.flows.push(...flows)
    block.text = block.text === '' ? text : `${block.text}\n${text}`
    this.#length += text.length
  }

  #addBlock(): Block {
    const block = { text: '', ends: [], flows: [] }
    this.#blocks.push(block)
    return block
  }
}

/** Flows of a block in which it occurs, once for each row. */
function* listRowsWith({ text, ends, flows }: Block, word: string): Iterable<number> {
  let row = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, ends[row])) {
    while ((ends[row] ?? at) < at) row += 1
    yield flows[row] ?? 0
  }
}

const held = new WeakMap<DatabaseSync, HeldTexts>()

/** All of them; null: there are too many. */
export function holdTexts(database: DatabaseSync): HeldTexts | null {
  const texts = held.get(database) ?? new HeldTexts(database)
  held.set(database, texts)
  while (texts.takeSome());
  return texts.isWhole ? texts : null
}

/** Something was forgotten. Of too many texts none are held. */
export function dropTexts(database: DatabaseSync): void {
  if (held.get(database)?.isWhole === true) held.delete(database)
}
