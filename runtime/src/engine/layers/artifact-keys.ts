/** Under which names the records of documents stand. */

/** The group of all documents. */
export const DOCUMENTS = 'documents'
/** Group and key of what ranking needs of all pieces. */
export const TOTALS = 'all'

/** Wide enough for the largest document, so that pieces sort by their number. */
const CHUNK_DIGITS = 6

export function chunkKey(chunk: number): string {
  return String(chunk).padStart(CHUNK_DIGITS, '0')
}
