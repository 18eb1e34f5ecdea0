/** What is kept of decision atoms, beside the ledger. */
import type { SignedAtom } from 'rubicon-kernel'

export type AtomRecord = {
  /** As it was given out. */
  readonly atom: SignedAtom
  /** Null: it still holds what was reserved for it. */
  readonly ended: 'used' | 'returned' | null
}
