/**
 * A text that somebody has not deployed yet, kept in this browser: it survives a reload, a session that ends and a server
 * that stops. It is theirs: whoever signs in after them in the same browser does not see it.
 */
export type KeptDraft = {
  readonly text: string
  /** The hash of what it was written against; null: of nothing. */
  readonly base: string | null
}

/** Whose it is, and of what. */
export type DraftPlace = {
  readonly tenant: string
  readonly person: string
  readonly kind: 'contract' | 'monitor'
  readonly name: string
}

/** A browser keeps about five million characters of a site. */
export const LONGEST_KEPT = 200_000

export function toDraftKey({ tenant, person, kind, name }: DraftPlace): string {
  return `rubicon.draft.${JSON.stringify([tenant, person, kind, name])}`
}

/** Asked for each time: a browser that keeps nothing throws where it is named. */
type Shelf = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function readKeptDraft(shelf: Shelf, key: string): KeptDraft | null {
  try {
    const kept = shelf().getItem(key)
    return kept === null ? null : parseKeptDraft(kept)
  } catch {
    return null
  }
}

/** False: the browser does not keep it. */
export function writeKeptDraft(shelf: Shelf, key: string, draft: KeptDraft | null): boolean {
  try {
    if (draft === null || draft.text.length > LONGEST_KEPT) shelf().removeItem(key)
    else shelf().setItem(key, JSON.stringify(draft))
    return draft === null || draft.text.length <= LONGEST_KEPT
  } catch {
    return false
  }
}

/** Whatever is kept there may have been written by another version, or by hand. */
function parseKeptDraft(kept: string): KeptDraft | null {
  const read: unknown = JSON.parse(kept)
  if (typeof read !== 'object' || read === null) return null
  if (!('text' in read) || !('base' in read) || typeof read.text !== 'string') return null
  const { text, base } = read
  return base === null || typeof base === 'string' ? { text, base } : null
}
