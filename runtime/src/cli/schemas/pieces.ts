/** What more than one verb prints: failure, decision, finding, position, entry. */
import type { Failure, KeyRecord, Position } from 'rubicon-kernel'
import { KEY_PURPOSES } from 'rubicon-kernel'
import type { Finding } from 'rubicon-verifier'
import { OUTCOMES } from '../decision-line.ts'
import type { EntryView } from '../entry-text.ts'
import {
  anything,
  closed,
  count,
  instant,
  listOf,
  type Members,
  mapOf,
  oneOf,
  optional,
  orNull,
  type Schema,
  text,
} from './shape.ts'

/** A job that could not be done, with what to do about it. */
export const failure: Schema = closed({
  code: text,
  summary: text,
  why: optional(text),
  fix: optional(text),
  meta: optional(mapOf(anything)),
} satisfies Members<Failure>)

/** A code of the kernel: `rubicon explain` knows it. */
export const reasonCode: Schema = { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' }

/** A decision of a scenario. A business may have reason codes of its own. */
const decision: Schema = closed({
  outcome: oneOf(Object.keys(OUTCOMES)),
  reason_code: optional(text),
  dfid: text,
  summary: text,
})
export const decisions: Schema = listOf(decision)

export const position: Schema = closed({
  trajectory: text,
  seq: count,
} satisfies Members<Position>)

/** Nulls: it is not about one entry but about the header, the keys or the checkpoint. */
export const finding: Schema = closed({
  leaf: orNull(count),
  trajectory: orNull(text),
  seq: orNull(count),
  code: reasonCode,
  detail: text,
  expected: optional(text),
  found: optional(text),
} satisfies Members<Finding>)

export const entry: Schema = closed({
  trajectory: text,
  seq: count,
  leaf: orNull(count),
  id: text,
  kind: text,
  at: instant,
  dfid: orNull(text),
  summary: text,
  payload: anything,
} satisfies Members<EntryView>)

const keyMembers = {
  key_id: text,
  purpose: oneOf(KEY_PURPOSES),
  public_key: text,
  subject: text,
  added_seq: count,
  retired_seq: optional(count),
  compromised_since_seq: optional(count),
} satisfies Members<KeyRecord>

export const key: Schema = closed(keyMembers)

/** With what others verify the notes of the log with, of a checkpoint key. */
export const shownKey: Schema = closed({ ...keyMembers, verifier_key: orNull(text) })
