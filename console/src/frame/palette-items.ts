/** What the palette offers, as groups of items; which of them a text means; and where arrow keys lead. Pure. */
export type PaletteItem = {
  readonly label: string
  readonly hint: string
  /** Words that it is also found by. */
  readonly also?: string
} & (
  | { readonly href: string; readonly leaves?: true }
  /** The name of something that is done at once. */
  | { readonly deed: string }
)

export type PaletteGroup = { readonly label: string; readonly items: readonly PaletteItem[] }

/** Every word of the text has to occur in what an item says. */
export function isMeant({ label, hint, also = '' }: PaletteItem, text: string): boolean {
  const said = `${label} ${hint} ${also}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => said.includes(word))
}

/** Groups with what is meant, the first few of each; a group without any is left out. */
export function listMeant(
  groups: readonly PaletteGroup[],
  text: string,
  most: number,
): readonly PaletteGroup[] {
  return groups
    .map(({ label, items }) => ({
      label,
      items: items.filter((item) => isMeant(item, text.trim())).slice(0, most),
    }))
    .filter(({ items }) => items.length > 0)
}

/** The next one, around the ends; null: the key leads nowhere. */
export function findPaletteStep(count: number, at: number, key: string): number | null {
  const by = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (by === undefined || count === 0) return null
  return (at + by + count) % count
}
