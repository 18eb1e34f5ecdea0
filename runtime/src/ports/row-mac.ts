/**
 * Vouches for rows that follow from no entry: facts, sessions, persons, timers, windows of agents. The
 * key lies beside the signing keys and not in the database. It proves nothing to others.
 */
import type { StoreDiverged } from './store-diverged.ts'

export interface RowMac {
  /** A code that nobody can make without the key. */
  code(text: string): string
  isCode(text: string, code: string): boolean
}

/** Without one, rows are taken as they are, and none is vouched for: in memory, and where people only read. */
export type RowVouching = {
  readonly rowMac?: RowMac
  /** Of a row that was not believed. Must not fail. */
  readonly distrusted?: (problem: StoreDiverged) => void
}
