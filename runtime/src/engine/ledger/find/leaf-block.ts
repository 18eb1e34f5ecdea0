/**
 * A directory of the ledger: what runs of leaves can be found by, a record for each run. It is written
 * behind the ledger and read instead of it, so that no index slows the path of a decision; above all
 * none over ids, which arrive in no order.
 */
import { assert } from 'rubicon-kernel'
import type { RecordBodies } from '../../../ports/record.ts'
import type { EntryFacts, FoundEntry } from './entry-facts.ts'

export type LeafBlock = RecordBodies['leaf_block']

/** Leaves of a run. */
export const BLOCK = 256
export const LEAVES = 'leaves'
/** Hexadecimal digits that are kept of an id: enough to find it among millions. */
export const ID_DIGITS = 8

const SCHEME = 'sha256:'
const COLUMNS = ['kind', 'trajectory', 'code', 'agent_id'] as const

/** Values of which one must be there, by column. */
export type WantedFacts = Readonly<Partial<Record<keyof EntryFacts, readonly string[]>>>

export function packLeafBlock(found: readonly FoundEntry[]): LeafBlock {
  const words = new Map<string, number>()
  const toCell = (word: string | null): number => {
    if (word === null) return 0
    const cell = words.get(word) ?? words.size + 1
    words.set(word, cell)
    return cell
  }
  const cells = found.flatMap(({ facts }) => COLUMNS.map((column) => toCell(facts[column])))
  const ids = found.map(({ entry }) => toIdDigits(entry.id).slice(0, ID_DIGITS)).join('')
  return { ids, words: [...words.keys()], cells }
}

/** Rows that may be meant, ascending. Of an id only the first digits are compared here. */
export function findBlockRows(
  { ids, words, cells }: LeafBlock,
  wanted: WantedFacts,
  digits: string | undefined,
): readonly number[] {
  const sought = COLUMNS.map((column) => wanted[column]?.map((word) => words.indexOf(word) + 1))
  // Most runs know none of the words.
  if (sought.some((known) => known?.every((cell) => cell === 0))) return []
  const start = digits?.slice(0, ID_DIGITS)
  const rows: number[] = []
  for (let row = 0; row * ID_DIGITS < ids.length; row += 1) {
    if (start !== undefined && !ids.startsWith(start, row * ID_DIGITS)) continue
    const fits = sought.every((known, i) => {
      const cell = cells[row * COLUMNS.length + i] ?? 0
      return known === undefined || (cell !== 0 && known.includes(cell))
    })
    if (fits) rows.push(row)
  }
  return rows
}

/** The same run, in which these rows have no reason code. */
export function clearRowCodes(block: LeafBlock, rows: readonly number[]): LeafBlock {
  const cells = [...block.cells]
  for (const row of rows) cells[row * COLUMNS.length + COLUMNS.indexOf('code')] = 0
  return { ...block, cells }
}

export function hasFacts(facts: EntryFacts, wanted: WantedFacts): boolean {
  return COLUMNS.every((column) => {
    const [value, known] = [facts[column], wanted[column]]
    return known === undefined || (value !== null && known.includes(value))
  })
}

export function toIdDigits(id: string): string {
  return id.slice(SCHEME.length)
}

/** Keys in the order of leaves. */
export function toLeafBlockKey(number: number): string {
  return String(number * BLOCK).padStart(16, '0')
}

export function parseBlockKey(key: string): number {
  const leaf = Number(key)
  assert(leaf % BLOCK === 0, 'a block begins at the first leaf of its run')
  return leaf / BLOCK
}
