/** What a reader prefers, kept in the browser. A browser that keeps nothing gets the usual. */
export type Choice =
  | 'utc'
  | 'theme'
  | 'density'
  | 'divider'
  | 'columns'
  | 'pins'
  | 'views'
  | 'recent'
  | 'notices'

export function readChoice(name: Choice): string | null {
  try {
    return localStorage.getItem(`rubicon.${name}`)
  } catch {
    return null
  }
}

export function writeChoice(name: Choice, value: string): void {
  try {
    localStorage.setItem(`rubicon.${name}`, value)
  } catch {
    // Private windows refuse; the choice lasts as long as the page.
  }
}
