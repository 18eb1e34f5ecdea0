import type { OpenGeneration } from '../../../runtime/src/ports/generation-record.ts'
import type { StoredAtom } from './atoms.ts'
import type { EventsView } from './bus.ts'
import type { ErasedView } from './erasures.ts'
import type { StoredHold } from './holds.ts'
import type { Leftovers } from './leftovers.ts'
import type { Replayed } from './replay.ts'

/** What the store says about itself at the end. */
export type StoreView = Replayed & {
  readonly counters: ReadonlyMap<string, number>
  readonly locks: readonly StoredHold[]
  /** Requests to models that are open. */
  readonly generations: readonly OpenGeneration[]
  readonly atoms: readonly StoredAtom[]
} & Omit<Leftovers, 'locks'> &
  ErasedView &
  EventsView
