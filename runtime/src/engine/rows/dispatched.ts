/** What is on its way outside. */
import type { SignedIntent, WorldFact } from 'rubicon-kernel'
import type { ExecutionRow, FlowRow } from '../../ports/store.ts'

/** An effect on its way, with the rows as they were written when it was dispatched. */
export type Dispatched = {
  readonly intent: SignedIntent
  readonly execution: ExecutionRow
  readonly flow: FlowRow
  /** Why its agent wanted it; null: it did not say. Absent: the ledger knows. */
  readonly rationale?: string | null
}

/** With what it was decided on of World: the hands see the same. */
export type ReadyToSend = Dispatched & { readonly world: readonly WorldFact[] }
