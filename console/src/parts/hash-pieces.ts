export type HashPiece = { readonly text: string; readonly isHash: boolean }

const HASHES = /((?:sha256:)?\b[0-9a-f]{64}\b)/
const WHOLE = /^(?:sha256:)?[0-9a-f]{64}$/

/** Text, and the hashes in it. */
export function splitHashes(text: string): readonly HashPiece[] {
  return text
    .split(HASHES)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, isHash: isHash(piece) }))
}

export function isHash(text: string): boolean {
  return WHOLE.test(text)
}

/** The same, where there is no room for anything but text. */
export function shortenHashes(text: string): string {
  return splitHashes(text)
    .map(({ text: piece, isHash: isShort }) => (isShort ? shortenHash(piece) : piece))
    .join('')
}

const UUIDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

/** For lists, where the words around them tell them apart: `01a1f15b-…-210047f05208` → `01a1…f05208`. */
export function shortenUuids(text: string): string {
  return text.replace(UUIDS, (id) => `${id.slice(0, 4)}…${id.slice(-6)}`)
}

const END = 12

/** Both ends: nobody makes another hash that has as much in common with it. */
export function shortenHash(hash: string): string {
  const from = hash.length - 64
  return `${hash.slice(0, from + END)}…${hash.slice(-END)}`
}
