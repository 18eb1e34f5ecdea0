/** Entries of the ledger as they stand, and what proves it. */
import { ENTRY_KINDS, type JsonObject } from 'rubicon-kernel'
import {
  anything,
  boolean,
  buildPageSchema,
  integer,
  many,
  named,
  orNull,
  string,
  whole,
  words,
} from '../routes/shape.ts'
import { worldOp } from './fact.ts'

export const entryKind: JsonObject = named('EntryKind', words(...ENTRY_KINDS))

/** Where an entry stands; `leaf` is null until it has its place in the tree. */
const entryPlace: JsonObject = named(
  'EntryPlace',
  whole({ trajectory: string, seq: integer, leaf: orNull(integer), id: string }),
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

export const ledgerRow: JsonObject = named('LedgerRow', whole({ ...row, erased: boolean }))

/** What a row says, and the whole payload; null: it was erased. */
export const ledgerEntry: JsonObject = named('LedgerEntry', whole({ ...row, payload: anything }))

export const trajectory: JsonObject = named(
  'Trajectory',
  whole({
    trajectory: string,
    entries: integer,
    head: string,
    at: string,
    world_root: string,
    forked_from: orNull(whole({ trajectory: string, seq: integer })),
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

export const checkpoint: JsonObject = named('Checkpoint', whole(checkpointMembers))

/** With what others verify its note with. */
export const latestCheckpoint: JsonObject = named(
  'LatestCheckpoint',
  whole({ ...checkpointMembers, verifier_key: orNull(string) }),
)

export const entryProof: JsonObject = named(
  'EntryProof',
  whole({
    leaf: integer,
    id: string,
    inclusion: many(string),
    consistency: orNull(whole({ before: integer, proof: many(string) })),
    checkpoint,
  }),
)

/** `hashed`: the exact texts; an id is SHA-256 over a domain, a NUL and the text. */
export const wholeEntry: JsonObject = named(
  'WholeEntry',
  whole({
    entry: ledgerEntry,
    hashed: whole({
      envelope: whole({ domain: string, text: string }),
      payload: whole({ domain: string, text: orNull(string), hash: string }),
    }),
    before: orNull(entryPlace),
    after: orNull(entryPlace),
    proof: orNull(entryProof),
  }),
)

const resourceState = { version: integer, value: anything, retracted: boolean }

export const worldResource: JsonObject = named(
  'WorldResource',
  whole(
    {
      kind: string,
      id: string,
      ...resourceState,
      entry: whole({ seq: integer, id: string, at: string, dfid: orNull(string) }),
      before: orNull(whole(resourceState)),
    },
    ['before'],
  ),
)

export const worldMoment: JsonObject = named(
  'WorldMoment',
  whole({
    trajectory: string,
    entries: integer,
    moment: whole({ seq: integer, id: string, at: string, kind: entryKind, dfid: orNull(string) }),
    root: string,
    unknown_from: orNull(integer),
    kinds: many(whole({ kind: string, resources: integer })),
    total: integer,
    resources: many(worldResource),
    next: orNull(string),
  }),
)

export const resourceChange: JsonObject = named(
  'ResourceChange',
  whole({
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
