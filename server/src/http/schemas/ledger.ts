/** Entries of the ledger as they stand, and what proves it. */
import { ENTRY_KINDS, type JsonObject } from 'rubicon-kernel'
import { worldOp } from './fact.ts'
import { buildSearchedPageSchema } from './search.ts'
import {
  allowNull,
  anything,
  boolean,
  buildArray,
  buildEnum,
  buildPageSchema,
  buildWholeObject,
  integer,
  nameSchema,
  string,
} from './shape.ts'

export const entryKind: JsonObject = nameSchema('EntryKind', buildEnum(...ENTRY_KINDS))

/** The entry at which something is shown. */
export const entryMoment: JsonObject = buildWholeObject({
  seq: integer,
  id: string,
  at: string,
  kind: entryKind,
  dfid: allowNull(string),
})

/** Where an entry stands; `leaf` is null until it has its place in the tree. */
const entryPlace: JsonObject = nameSchema(
  'EntryPlace',
  buildWholeObject({ trajectory: string, seq: integer, leaf: allowNull(integer), id: string }),
)

const row = {
  leaf: allowNull(integer),
  trajectory: string,
  seq: integer,
  id: string,
  parent: allowNull(string),
  kind: entryKind,
  at: string,
  dfid: allowNull(string),
  agent_id: allowNull(string),
  code: allowNull(string),
}

export const ledgerRow: JsonObject = nameSchema(
  'LedgerRow',
  buildWholeObject({ ...row, erased: boolean }),
)

/** What a row says, and the whole payload; null: it was erased. */
export const ledgerEntry: JsonObject = nameSchema(
  'LedgerEntry',
  buildWholeObject({ ...row, payload: anything }),
)

export const trajectory: JsonObject = nameSchema(
  'Trajectory',
  buildWholeObject({
    trajectory: string,
    entries: integer,
    head: string,
    at: string,
    world_root: string,
    forked_from: allowNull(buildWholeObject({ trajectory: string, seq: integer })),
  }),
)

const checkpointMembers = {
  epoch: integer,
  size: integer,
  origin: string,
  root: string,
  note: string,
  covers_until: allowNull(string),
}

export const checkpoint: JsonObject = nameSchema('Checkpoint', buildWholeObject(checkpointMembers))

/** With what others verify its note with. */
export const latestCheckpoint: JsonObject = nameSchema(
  'LatestCheckpoint',
  buildWholeObject({ ...checkpointMembers, verifier_key: allowNull(string) }),
)

export const entryProof: JsonObject = nameSchema(
  'EntryProof',
  buildWholeObject({
    leaf: integer,
    id: string,
    inclusion: buildArray(string),
    consistency: allowNull(buildWholeObject({ before: integer, proof: buildArray(string) })),
    checkpoint,
  }),
)

/** `hashed`: the exact texts; an id is SHA-256 over a domain, a NUL and the text. */
export const wholeEntry: JsonObject = nameSchema(
  'WholeEntry',
  buildWholeObject({
    entry: ledgerEntry,
    hashed: buildWholeObject({
      envelope: buildWholeObject({ domain: string, text: string }),
      payload: buildWholeObject({ domain: string, text: allowNull(string), hash: string }),
    }),
    before: allowNull(entryPlace),
    after: allowNull(entryPlace),
    proof: allowNull(entryProof),
  }),
)

const resourceState = { version: integer, value: anything, retracted: boolean }

export const worldResource: JsonObject = nameSchema(
  'WorldResource',
  buildWholeObject(
    {
      kind: string,
      id: string,
      ...resourceState,
      entry: buildWholeObject({ seq: integer, id: string, at: string, dfid: allowNull(string) }),
      before: allowNull(buildWholeObject(resourceState)),
    },
    ['before'],
  ),
)

export const worldMoment: JsonObject = nameSchema(
  'WorldMoment',
  buildWholeObject({
    trajectory: string,
    entries: integer,
    moment: entryMoment,
    root: string,
    unknown_from: allowNull(integer),
    kinds: buildArray(buildWholeObject({ kind: string, resources: integer })),
    total: integer,
    resources: buildArray(worldResource),
    next: allowNull(string),
  }),
)

export const resourceChange: JsonObject = nameSchema(
  'ResourceChange',
  buildWholeObject({
    seq: integer,
    leaf: allowNull(integer),
    id: string,
    at: string,
    dfid: allowNull(string),
    ops: buildArray(worldOp),
  }),
)

/** Searched by `q`, or read from the newest on, without the index. */
export const ledgerRows: JsonObject = buildSearchedPageSchema('entries', ledgerRow, true)
export const ledgerEntries: JsonObject = buildPageSchema('entries', ledgerEntry)
