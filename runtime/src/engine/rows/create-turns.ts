import type { Deps } from '../deps.ts'

/** So many rows in a row; then everybody else goes first. */
const ROWS = 64

/** Awaited before each row of a list that may be long. */
export function createTurns({ clock }: Pick<Deps, 'clock'>): () => Promise<void> {
  let rows = 0
  return async () => {
    rows += 1
    if (rows % ROWS === 0) await clock.after(0).elapsed
  }
}
