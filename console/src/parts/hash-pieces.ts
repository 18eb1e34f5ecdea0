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

const END = 12

/** Both ends: nobody makes another hash that has as much in common with it. */
export function shortenHash(hash: string): string {
  const from = hash.length - 64
  return `${hash.slice(0, from + END)}…${hash.slice(-END)}`
}
