/** `ledger …`. */
import type { ClockAnchor, ExportedEntry, LedgerHeader, RestoreAnchor } from 'rubicon-kernel'
import { LEDGER_FORMAT } from 'rubicon-kernel'
import type { TrajectoryHead } from '../../ports/store.ts'
import { entry, key } from './pieces.ts'
import {
  always,
  anyOf,
  anything,
  closed,
  count,
  type Family,
  instant,
  listOf,
  type Members,
  mapOf,
  orNull,
  type Schema,
  text,
} from './shape.ts'

const head: Schema = closed({
  trajectory: text,
  seq: count,
  id: text,
  at: instant,
  world_root: text,
} satisfies Members<TrajectoryHead>)

const header: Schema = closed({
  checkpoint: text,
  epoch: count,
  format: always(LEDGER_FORMAT),
  keys: listOf(key),
  tenant: text,
} satisfies Members<LedgerHeader>)

/** Envelope and payload are described in docs/spec/ledger.md. */
const exported: Schema = closed({
  envelope: mapOf(anything),
  id: text,
  payload: orNull(mapOf(anything)),
} satisfies Members<ExportedEntry>)

const anchor: Schema = closed({
  action: always('accept_restore'),
  epoch: count,
  checkpoint: text,
  lost_from: count,
  lost_to: count,
  reason: text,
} satisfies Members<RestoreAnchor>)

const clock: Schema = closed({
  action: always('confirm_clock'),
  clock: text,
  last: text,
  reason: text,
} satisfies Members<ClockAnchor>)

export const LEDGER: Family = {
  'ledger show': {
    prints: 'the entries of a trajectory; without one, all trajectories and the checkpoint',
    shape: anyOf(
      closed({ trajectory: text, entries: listOf(entry) }),
      closed({
        entries: count,
        checkpoint: orNull(closed({ epoch: count, size: count })),
        trajectories: listOf(head),
      }),
    ),
  },
  'ledger export': {
    prints: 'where the ledger is; with `-` the ledger itself, a header and then one entry a line',
    shape: anyOf(closed({ file: text, entries: count }), header, exported),
  },
  'clock confirm': { prints: 'where the clock stands, and where it stood before', shape: clock },
  'ledger accept-restore': { prints: 'which entries are lost, and the new epoch', shape: anchor },
}
