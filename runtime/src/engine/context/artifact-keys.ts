/**
 * Under which names the records of documents stand. Those that everybody finds and those of each agent
 * are collections of their own, with an index of their own: what one agent writes changes neither what
 * another finds nor how it is ranked. No identifier and no word has a `/`, so that no two names meet.
 */

/** Whose documents: those of an agent, which only it finds; null: those that everybody finds. */
export type Owner = string | null

export function toDocumentGroup(owner: Owner): string {
  return owner === null ? 'documents' : `documents/${owner}`
}

/** What ranking needs of all pieces of a collection. */
export function toTotalsKey(owner: Owner): { readonly group: string; readonly key: string } {
  return { group: 'all', key: owner === null ? 'all' : `of/${owner}` }
}

/** As contexts, notes and the ledger name it; its pieces stand under this. */
export function toDocumentName(owner: Owner, name: string): string {
  return owner === null ? name : `${owner}/${name}`
}

/** Where the places of a word stand. */
export function toWordGroup(owner: Owner, word: string): string {
  return owner === null ? word : `${owner}/${word}`
}

/** Wide enough for the largest document, so that pieces sort by their number. */
const CHUNK_DIGITS = 6

export function toChunkKey(chunk: number): string {
  return String(chunk).padStart(CHUNK_DIGITS, '0')
}
