import type { Sha256 } from 'rubicon-kernel'
import type { RowVouching } from '../../ports/row-mac.ts'

export type PostgresStoreOptions = RowVouching & {
  /** `postgres://user:password@host:port/database` */
  readonly address: string
  readonly tenant: string
  readonly sha256: Sha256
  /** Of this process; it is only compared with the server's. */
  readonly clock: () => number
  /** A test's clock, in place of the server's. */
  readonly clockIsServers?: boolean
  readonly mode: 'own' | 'read'
  /** How long after a start of the server nobody is declared dead. */
  readonly graceMs?: number
  /** How long a server that went away is looked for before units are refused. */
  readonly reachMs?: number
}
