/**
 * Where a page of a SQLite file keeps what is no part of it any more. Where cells move to another page, SQLite lays the rest out
 * anew from the end of the page, and leaves what stood between the list of cells and the first of them. `secure_delete`
 * overwrites cells that are deleted, free blocks and free pages, but not these copies of cells that live on elsewhere.
 *
 * By the file format of SQLite: a page of a tree begins with its kind; page 1 with the header of the file before it.
 */

export type PageGap = { readonly from: number; readonly to: number }

/** Of inner pages, which have four bytes more for the page on their right, and of leaves; of indexes and of tables. */
const HEADER_BYTES: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 }
const FILE_HEADER_BYTES = 100

/**
 * Pages that are no tree (the rest of a long row, free pages) begin with the number of another page, highest byte
 * first. Below this many pages that byte is 0 or 1, and no kind.
 */
export const MOST_PAGES: number = 2 ** 25

/** Null: it is no page of a tree. Throws where the page says what no page says. */
export function findGap(page: Buffer, number: number): PageGap | null {
  const at = number === 1 ? FILE_HEADER_BYTES : 0
  const header = HEADER_BYTES[page[at] ?? 0]
  if (header === undefined) return null
  const from = at + header + 2 * page.readUInt16BE(at + 3)
  // A page of 65,536 bytes without cells: its end does not fit into two bytes.
  const to = page.readUInt16BE(at + 5) || 65_536
  if (from > to || to > page.length) throw new Error(`page ${number} has ${from} after ${to}`)
  return { from, to }
}

/** The gap of a page, where something stands in it. */
export function findRemains(page: Buffer, number: number): PageGap | null {
  const gap = findGap(page, number)
  if (gap === null) return null
  const { from, to } = gap
  return page.compare(ZEROS, 0, to - from, from, to) === 0 ? null : gap
}

export const ZEROS: Buffer = Buffer.alloc(65_536)
