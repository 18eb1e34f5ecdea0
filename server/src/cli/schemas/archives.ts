/** `archive …`. */
import type { NamedArchive } from 'rubicon-runtime/evidence/archive'
import type { ArchiveReport, KeptFlows } from '../archive.ts'
import type { RestoreReport } from '../archive-restore.ts'
import {
  buildClosedSchema,
  buildNullableSchema,
  count,
  type Family,
  flag,
  instant,
  listOf,
  type Members,
  markOptional,
  type OutputSchema,
  text,
} from './shape.ts'

const kept: OutputSchema = buildClosedSchema({
  archived: markOptional(count),
  erased: markOptional(count),
  open: markOptional(count),
  young: markOptional(count),
  counted: markOptional(count),
  unseen: markOptional(count),
  differs: markOptional(count),
} satisfies Members<KeptFlows>)

const created: OutputSchema = buildClosedSchema({
  file: text,
  archive: buildNullableSchema(text),
  applied: flag,
  before: instant,
  flows: count,
  payloads: count,
  bytes: count,
  kept,
} satisfies Members<ArchiveReport>)

const restored: OutputSchema = buildClosedSchema({
  file: text,
  archive: text,
  applied: flag,
  flows: count,
  payloads: count,
  kept: count,
  erased: count,
} satisfies Members<RestoreReport>)

const named: OutputSchema = buildClosedSchema({
  archive: text,
  file: text,
  flows: count,
  payloads: count,
} satisfies Members<NamedArchive>)

export const ARCHIVES: Family = {
  'archive create': {
    prints: 'what goes into the file, or would; and how many flows stay, by what keeps them',
    shape: created,
  },
  'archive restore': { prints: 'what comes back into the store, or would', shape: restored },
  'archive list': {
    prints: 'the files that hold payloads of the store',
    shape: buildClosedSchema({ archives: listOf(named) }),
  },
}
