/**
 * The beginning of a text, as one that can be recorded. It is cut first: a cut may go through a surrogate
 * pair, and canonical JSON refuses the half that is left.
 */
export function shorten(text: string, most: number): string {
  return text.slice(0, most).toWellFormed()
}
