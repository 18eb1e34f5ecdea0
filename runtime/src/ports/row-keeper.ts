/**
 * Vouches for rows that follow from no entry: facts, sessions, persons, timers. The key lies beside the
 * signing keys and not in the database.
 */
export interface RowKeeper {
  /** 64 bytes that nobody can make of a text without the key. */
  digest(text: string): Uint8Array
}

/** Without one, rows are taken as they are, and none is vouched for. */
export type RowKeeping = { readonly rowKeeper?: RowKeeper }
