/**
 * The texts of an index in memory, in which words are looked for in a third of the time that the file takes.
 *
 * H1 whatever was added to the index is taken in before a question is answered; after something was forgotten
 *    (`dropTexts`) all is read anew.
 * H2 of more texts than `MOST_HELD` none are held, and words are looked up in the file.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RowSet } from './row-set.ts'
import {
  buildTextsQuery,
  findWords,
  parseTexts,
  TEXTS_OF_ROWS,
  type TextBlock,
} from './text-block.ts'

/** UTF-16 units: as many bytes, or twice as many of texts with letters beyond Latin. */
const MOST_HELD = 64 * 1024 * 1024
/** Rows are added to a block until it is so long. */
const BLOCK = 1024 * 1024

type HeldBlock = { text: string; readonly ends: number[]; readonly flows: number[] }

export class HeldTexts {
  readonly #next: StatementSync
  readonly #most: number
  #blocks: HeldBlock[] = []
  /** The last row that was taken in. */
  #row = 0
  #length = 0

  constructor(database: DatabaseSync, most: number = MOST_HELD) {
    this.#next = database.prepare(buildTextsQuery(TEXTS_OF_ROWS))
    this.#most = most
  }

  /** False: there are too many of them. */
  get isWhole(): boolean {
    return this.#length <= this.#most
  }

  /** Some of what is missing. False: nothing more is taken in. */
  takeSome(): boolean {
    if (!this.isWhole) return false
    const found = this.#next.get(this.#row) ?? {}
    if (typeof found.last !== 'number') return false
    this.#add(parseTexts(found))
    this.#row = found.last
    if (!this.isWhole) this.#blocks = []
    return true
  }

  /** Flows in whose texts each of the words occurs. `most`: the largest number of a flow. */
  find(words: readonly string[], most: number): RowSet {
    return findWords(this.#blocks, words, most)
  }

  #add({ text, ends, flows }: TextBlock): void {
    const last = this.#blocks.at(-1)
    const block = last === undefined || last.text.length > BLOCK ? this.#addBlock() : last
    const start = block.text === '' ? 0 : block.text.length + 1
    for (const end of ends) block.ends.push(start + end)
    block.flows.push(...flows)
    block.text = start === 0 ? text : `${block.text}\n${text}`
    this.#length += text.length
  }

  #addBlock(): HeldBlock {
    const block = { text: '', ends: [], flows: [] }
    this.#blocks.push(block)
    return block
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
