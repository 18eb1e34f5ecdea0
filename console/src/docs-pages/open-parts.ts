/** Where there is room beside or above the page, the list of its parts is open; in the hand it is one line. */
export function openParts(page: ParentNode, isWide: boolean): void {
  const parts = page.querySelector<HTMLDetailsElement>('#parts')
  if (parts !== null) parts.open = isWide
}
