/** Entries of the ledger as they stand, and what proves it. */
import { ENTRY_KINDS, type JsonObject } from 'rubicon-kernel'
import {
  anything,
  boolean,
  buildPageSchema,
  buildWholeObject,
  integer,
  many,
  named,
  orNull,
  string,
  words,
} from '../routes/shape.ts'
import { worldOp } from './fact.ts'

export const entryKind: JsonObject = named('EntryKind', words(...ENTRY_KINDS))

/** Where an entry stands; `leaf` is null until it has its place in the tree. */
const entryPlace: JsonObject = named(
  'EntryPlace',
  buildWholeObject({ trajectory: string, seq: integer, leaf: orNull(integer), id: string }),
)

const row = {
  leaf: orNull(integer),
  trajectory: string,
  seq: integer,
  id: string,
  parent: orNull(string),
  kind: entryKind,
  at: string,
  dfid: orNull(string),
  agent_id: orNull(string),
  code: orNull(string),
}

export const ledgerRow: JsonObject = named(
  'LedgerRow',
  buildWholeObject({ ...row, erased: boolean }),
)

/** What a row says, and the whole payload; null: it was erased. */
export const ledgerEntry: JsonObject = named(
  'LedgerEntry',
  buildWholeObject({ ...row, payload: anything }),
)

export const trajectory: JsonObject = named(
  'Trajectory',
  buildWholeObject({
    trajectory: string,
    entries: integer,
    head: string,
    at: string,
    world_root: string,
    forked_from: orNull(buildWholeObject({ trajectory: string, seq: integer })),
  }),
)

const checkpointMembers = {
  epoch: integer,
  size: integer,
  origin: string,
  root: string,
  note: string,
  covers_until: orNull(string),
}

export const checkpoint: JsonObject = named('Checkpoint', buildWholeObject(checkpointMembers))

/** With what others verify its note with. */
export const latestCheckpoint: JsonObject = named(
  'LatestCheckpoint',
  buildWholeObject({ ...checkpointMembers, verifier_key: orNull(string) }),
)

export const entryProof: JsonObject = named(
  'EntryProof',
  buildWholeObject({
    leaf: integer,
    id: string,
    inclusion: many(string),
    consistency: orNull(buildWholeObject({ before: integer, proof: many(string) })),
    checkpoint,
  }),
)

/** `hashed`: the exact texts; an id is SHA-256 over a domain, a NUL and the text. */
export const wholeEntry: JsonObject = named(
  'WholeEntry',
  buildWholeObject({
    entry: ledgerEntry,
    hashed: buildWholeObject({
      envelope: buildWholeObject({ domain: string, text: string }),
      payload: buildWholeObject({ domain: string, text: orNull(string), hash: string }),
    }),
    before: orNull(entryPlace),
    after: orNull(entryPlace),
    proof: orNull(entryProof),
  }),
)

const resourceState = { version: integer, value: anything, retracted: boolean }

export const worldResource: JsonObject = named(
  'WorldResource',
  buildWholeObject(
    {
      kind: string,
      id: string,
      ...resourceState,
      entry: buildWholeObject({ seq: integer, id: string, at: string, dfid: orNull(string) }),
      before: orNull(buildWholeObject(resourceState)),
    },
    ['before'],
  ),
)

export const worldMoment: JsonObject = named(
  'WorldMoment',
  buildWholeObject({
    trajectory: string,
    entries: integer,
    moment: buildWholeObject({
      seq: integer,
      id: string,
      at: string,
      kind: entryKind,
      dfid: orNull(string),
    }),
    root: string,
    unknown_from: orNull(integer),
    kinds: many(buildWholeObject({ kind: string, resources: integer })),
    total: integer,
    resources: many(worldResource),
    next: orNull(string),
  }),
)

export const resourceChange: JsonObject = named(
  'ResourceChange',
  buildWholeObject({
    seq: integer,
    leaf: orNull(integer),
    id: string,
    at: string,
    dfid: orNull(string),
    ops: many(worldOp),
  }),
)

export const ledgerRows: JsonObject = buildPageSchema('entries', ledgerRow)
export const ledgerEntries: JsonObject = buildPageSchema('entries', ledgerEntry)
