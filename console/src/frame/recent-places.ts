/** Where the palette led before, newest first, kept in the browser. */
export type RecentPlace = { readonly label: string; readonly hint: string; readonly href: string }

const MOST = 6

/** What a browser kept; what is no place of this console is left out. */
export function parseRecent(text: string | null): readonly RecentPlace[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read.filter(isPlace).slice(0, MOST) : []
  } catch {
    return []
  }
}

function isPlace(value: unknown): value is RecentPlace {
  if (typeof value !== 'object' || value === null) return false
  const { label, hint, href } = { label: null, hint: null, href: null, ...value } as Record<
    string,
    unknown
  >
  const isHere = typeof href === 'string' && /^\/(?!\/)/.test(href)
  return isHere && typeof label === 'string' && typeof hint === 'string'
}

export function addRecent(
  places: readonly RecentPlace[],
  { label, hint, href }: RecentPlace,
): readonly RecentPlace[] {
  const others = places.filter((place) => place.href !== href)
  return [{ label, hint, href }, ...others].slice(0, MOST)
}
