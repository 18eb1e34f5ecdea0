/**
 * Samples packed into records, some hundred in each: a window over a million executions is read in a
 * few thousand reads. Texts stand once in a block; leaves and times are told as steps from the one
 * before.
 */
import { assert, isSampledStatus, LIMITS, type Sample } from 'rubicon-kernel'
import type { RecordBodies } from '../../ports/record.ts'

export type SampleBlock = RecordBodies['monitor_samples']

/** Cells before those of the values: leaf, time, kind, status. */
const FIXED = 4
const ABSENT = 0
const UNREADABLE = 1
const FIRST_WORD = 2

/** Adds samples to a block as long as they fit it; what does not starts new ones. */
export function packSamples(
  last: SampleBlock | null,
  columns: readonly string[],
  samples: readonly Sample[],
): readonly { readonly first: number; readonly block: SampleBlock }[] {
  const kept = last !== null && hasSameColumns(last.columns, columns) ? unpack(last) : []
  const all = [...kept, ...samples]
  const blocks: { first: number; block: SampleBlock }[] = []
  // A block that is full stays as it is.
  const from = kept.length >= LIMITS.monitorBlockRows ? kept.length : 0
  for (let start = from; start < all.length; start += LIMITS.monitorBlockRows) {
    const some = all.slice(start, start + LIMITS.monitorBlockRows)
    blocks.push({ first: some[0]?.leaf ?? 0, block: packSampleBlock(columns, some) })
  }
  return blocks
}

function hasSameColumns(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((column, i) => column === b[i])
}

export function packSampleBlock(
  columns: readonly string[],
  samples: readonly Sample[],
): SampleBlock {
  const words = new Map<string, number>()
  const toWordCell = (text: string): number => {
    const known = words.get(text) ?? words.size + FIRST_WORD
    words.set(text, known)
    return known
  }
  const cells: number[] = []
  let [leaf, at] = [0, 0]
  for (const sample of samples) {
    cells.push(sample.leaf - leaf, sample.at - at)
    cells.push(toWordCell(sample.policy_kind), toWordCell(sample.status))
    for (const column of columns) {
      const value = sample.values[column]
      cells.push(value === undefined ? ABSENT : value === null ? UNREADABLE : toWordCell(value))
    }
    leaf = sample.leaf
    at = sample.at
  }
  return { columns, words: [...words.keys()], cells }
}

export function unpack({ columns, words, cells }: SampleBlock): readonly Sample[] {
  const samples: Sample[] = []
  const findWord = (cell: number): string => words[cell - FIRST_WORD] ?? ''
  const width = FIXED + columns.length
  let [leaf, at] = [0, 0]
  for (let row = 0; row < cells.length; row += width) {
    leaf += cells[row] ?? 0
    at += cells[row + 1] ?? 0
    const status = findWord(cells[row + 3] ?? 0)
    assert(isSampledStatus(status), 'a sample was packed with the outcome of its execution')
    const values: Record<string, string | null> = {}
    for (let i = 0; i < columns.length; i += 1) {
      const cell = cells[row + FIXED + i] ?? ABSENT
      const column = columns[i]
      if (cell === ABSENT || column === undefined) continue
      values[column] = cell === UNREADABLE ? null : findWord(cell)
    }
    samples.push({ leaf, at, policy_kind: findWord(cells[row + 2] ?? 0), status, values })
  }
  return samples
}

/** Keys in the order of leaves. */
export function toSampleBlockKey(leaf: number): string {
  return String(leaf).padStart(16, '0')
}
