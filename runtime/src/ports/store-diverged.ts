import { StoreError } from './store.ts'

/**
 * A row is not what the ledger says it is, or not one that this runtime wrote. What it guards is not
 * decided on: a person looks at it.
 */
export class StoreDiverged extends StoreError {
  /** Which row, in words. */
  readonly row: string

  constructor(row: string, detail: string) {
    super(
      'STORE_DIVERGED',
      `${row} is not what the ledger says: ${detail}`,
      'keep the store as evidence and restore a copy that was not changed; see `rubicon explain STORE_DIVERGED`',
    )
    this.row = row
  }
}
