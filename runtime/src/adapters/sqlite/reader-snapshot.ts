/**
 * The moment that a reader's reads are of. Those that are asked for at once, with no `await` between them, share one: to
 * begin it takes longer than to read a row, since SQLite forgets its pages when others have written.
 *
 * N1 whoever waited for a read sees what was committed since.
 */
import type { Statements } from './statements.ts'

export class ReaderSnapshot {
  readonly #sql: Statements
  readonly #forget: () => void
  #isOpen = false

  /** `forget`: others write, so that nothing that was read before holds. */
  constructor(sql: Statements, forget: () => void) {
    this.#sql = sql
    this.#forget = forget
  }

  begin(): void {
    if (this.#isOpen) return
    this.#forget()
    this.#sql.run('BEGIN')
    this.#isOpen = true
    queueMicrotask(() => this.#end())
  }

  #end(): void {
    this.#isOpen = false
    try {
      this.#sql.run('COMMIT')
    } catch {
      // The store was closed; or the snapshot is left open, and the next cannot begin and says so to whoever reads.
    }
  }
}
