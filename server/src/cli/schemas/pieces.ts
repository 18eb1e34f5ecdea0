/** What more than one verb prints: failure, decision, finding, position, entry. */
import type { Failure, KeyRecord, Position } from 'rubicon-kernel'
import { KEY_PURPOSES } from 'rubicon-kernel'
import type { Finding } from 'rubicon-verifier'
import { OUTCOMES } from '../decision-line.ts'
import type { ShownEntry } from '../entry-text.ts'
import {
  anything,
  buildClosedSchema,
  buildEnumSchema,
  buildMapSchema,
  buildNullableSchema,
  count,
  instant,
  listOf,
  type Members,
  markOptional,
  type OutputSchema,
  text,
} from './shape.ts'

/** A job that could not be done, with what to do about it. */
export const failure: OutputSchema = buildClosedSchema({
  code: text,
  summary: text,
  why: markOptional(text),
  fix: markOptional(text),
  meta: markOptional(buildMapSchema(anything)),
} satisfies Members<Failure>)

/** A code of the kernel: `rubicon explain` knows it. */
export const reasonCode: OutputSchema = { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' }

/** A decision of a scenario. A business may have reason codes of its own. */
const decision: OutputSchema = buildClosedSchema({
  outcome: buildEnumSchema(Object.keys(OUTCOMES)),
  reason_code: markOptional(text),
  dfid: text,
  summary: text,
})
export const decisions: OutputSchema = listOf(decision)

export const position: OutputSchema = buildClosedSchema({
  trajectory: text,
  seq: count,
} satisfies Members<Position>)

/** Nulls: it is not about one entry but about the header, the keys or the checkpoint. */
export const finding: OutputSchema = buildClosedSchema({
  leaf: buildNullableSchema(count),
  trajectory: buildNullableSchema(text),
  seq: buildNullableSchema(count),
  code: reasonCode,
  detail: text,
  expected: markOptional(text),
  found: markOptional(text),
} satisfies Members<Finding>)

export const entry: OutputSchema = buildClosedSchema({
  trajectory: text,
  seq: count,
  leaf: buildNullableSchema(count),
  id: text,
  kind: text,
  at: instant,
  dfid: buildNullableSchema(text),
  summary: text,
  payload: anything,
} satisfies Members<ShownEntry>)

export const key: OutputSchema = buildClosedSchema({
  key_id: text,
  purpose: buildEnumSchema(KEY_PURPOSES),
  public_key: text,
  subject: text,
  added_seq: count,
  retired_seq: markOptional(count),
  compromised_since_seq: markOptional(count),
} satisfies Members<KeyRecord>)
