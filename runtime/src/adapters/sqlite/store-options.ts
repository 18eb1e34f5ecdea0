import type { Sha256 } from 'rubicon-kernel'
import type { RowVouching } from '../../ports/row-mac.ts'

export type SqliteStoreOptions = RowVouching & {
  readonly path: string
  readonly tenant: string
  readonly sha256: Sha256
  readonly clock: () => number
  readonly monotonic?: () => number
  readonly mode: 'own' | 'read'
  /** How long an erasure waits for readers of an older state. */
  readonly readersMs?: number
}
