/** `ledger …`. */
import type { ClockAnchor, ExportedEntry, LedgerHeader, RestoreAnchor } from 'rubicon-kernel'
import { LEDGER_FORMAT } from 'rubicon-kernel'
import { ledgerEntries, trajectory } from '../../http/schemas/ledger.ts'
import { buildPageSchema } from '../../http/schemas/shape.ts'
import { key } from './pieces.ts'
import {
  anything,
  buildAnyOfSchema,
  buildClosedSchema,
  buildConstSchema,
  buildMapSchema,
  buildNullableSchema,
  count,
  type Family,
  listOf,
  type Members,
  type OutputSchema,
  text,
} from './shape.ts'

const header: OutputSchema = buildClosedSchema({
  checkpoint: text,
  epoch: count,
  format: buildConstSchema(LEDGER_FORMAT),
  keys: listOf(key),
  tenant: text,
} satisfies Members<LedgerHeader>)

/** Envelope and payload are described in docs/spec/ledger.md. */
const exported: OutputSchema = buildClosedSchema({
  envelope: buildMapSchema(anything),
  id: text,
  payload: buildNullableSchema(buildMapSchema(anything)),
} satisfies Members<ExportedEntry>)

const anchor: OutputSchema = buildClosedSchema({
  action: buildConstSchema('accept_restore'),
  epoch: count,
  checkpoint: text,
  lost_from: count,
  lost_to: count,
  reason: text,
} satisfies Members<RestoreAnchor>)

const clock: OutputSchema = buildClosedSchema({
  action: buildConstSchema('confirm_clock'),
  clock: text,
  last: text,
  reason: text,
} satisfies Members<ClockAnchor>)

export const LEDGER: Family = {
  'ledger show': {
    prints: 'the entries of a trajectory; without one, all trajectories, each with its head',
    shape: buildAnyOfSchema(ledgerEntries, buildPageSchema('trajectories', trajectory)),
  },
  'ledger export': {
    prints:
      'the file with the ledger; with `-` the ledger itself, a header and then one entry a line',
    shape: buildAnyOfSchema(buildClosedSchema({ file: text, entries: count }), header, exported),
  },
  'clock confirm': { prints: 'the time of the clock, and the last time before', shape: clock },
  'ledger accept-restore': { prints: 'which entries are lost, and the new epoch', shape: anchor },
}
