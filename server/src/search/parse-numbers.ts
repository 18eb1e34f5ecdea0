/** An array of whole numbers, as SQLite writes it. One text is read in a third of the time that as many rows take. */
export function parseNumbers(text: unknown): readonly number[] {
  return JSON.parse(String(text)) as readonly number[]
}
