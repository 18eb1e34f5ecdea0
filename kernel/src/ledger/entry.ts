/**
 * One line of the record: an envelope, and a payload that is stored as bytes and hashed as stored.
 *
 * E1 `id` addresses the whole envelope: tenant, trajectory, seq, parent, kind, time and payload hash.
 * E2 `seq` is contiguous from 0 in its trajectory, `parent` is the previous id there.
 * E3 the first entry is `root` (parent null) or `branch` (parent: the entry it forks from).
 * E4 an envelope and a payload are their own canonical form.
 */
import { assert } from '../assert.ts'
import type { Address } from '../canonical/address.ts'
import { computeAddressOfText } from '../canonical/address.ts'
import { decodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'

export const PROTOCOL_VERSION = 2
/** What the first entry of a trajectory says it is written in. */
export const PROTOCOL = 'rubicon/2'

export const ENTRY_KINDS = [
  'root',
  'commit',
  'rejection',
  'pending_approval',
  'delegation',
  'branch',
  'accepted',
  'dispatch',
  'settle',
  'evidence',
  'approval',
  'writ',
  'revocation',
  'lifecycle',
  'contract',
  'policy',
  'key',
  'anchor',
  'source',
  'person',
  'erasure',
  'resend',
  'event',
] as const

/** What an entry records. */
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** Whether something is sent on it: then it says which authority it saw, and stands there in the tree. */
export function isSend(kind: EntryKind): kind is 'dispatch' | 'resend' {
  return kind === 'dispatch' || kind === 'resend'
}

/** The trajectory that holds keys, contracts, policies, lifecycle and revocations of a tenant. */
export const AUTHORITY = 'authority'
export const MAIN = 'main'
/** The trajectory that says which payloads were erased, by whom. */
export const ERASURE = 'erasure'

/** Where an entry stands, and the hash of what it says. */
export type Envelope = {
  /** Of the protocol. */
  readonly v: typeof PROTOCOL_VERSION
  /** Whose ledger. */
  readonly tenant: string
  /** The chain of entries. */
  readonly trajectory: string
  /** Its place in the chain, from 0. */
  readonly seq: number
  /** The entry before it; null: it is the first. */
  readonly parent: Address | null
  /** What it records. */
  readonly kind: EntryKind
  /** When it was written. */
  readonly at: string
  /** The flow that it is about. */
  readonly dfid?: string
  /** The last authority entry that counted for it. */
  readonly authority_seq?: number
  /** Of what it says. */
  readonly payload_hash: Address
}

/** An entry as stored. `payload` is the exact canonical text; null once it was erased. */
export type Entry = {
  /** Its address. */
  readonly id: Address
  /** What the id is the address of. */
  readonly envelope: Envelope
  /** What it says; null: it was erased. */
  readonly payload: string | null
}

/**
 * The canonical text of an envelope. Its members are identifiers, hashes, times and integers, none
 * of which needs escaping, so it is put together directly: this is the hottest line of the ledger.
 */
export function formatEnvelope(envelope: Envelope): string {
  const { at, authority_seq, dfid, kind, parent, payload_hash, seq, tenant, trajectory, v } =
    envelope
  const authority = authority_seq === undefined ? '' : `"authority_seq":${authority_seq},`
  const flow = dfid === undefined ? '' : `"dfid":"${dfid}",`
  const before = parent === null ? 'null' : `"${parent}"`
  return (
    `{"at":"${at}",${authority}${flow}"kind":"${kind}","parent":${before},` +
    `"payload_hash":"${payload_hash}","seq":${seq},"tenant":"${tenant}",` +
    `"trajectory":"${trajectory}","v":${v}}`
  )
}

export function computeEntryId(envelope: Envelope, sha256: Sha256): Address {
  return computeAddressOfText('entry', formatEnvelope(envelope), sha256)
}

export function hashPayload(payload: string, sha256: Sha256): Address {
  return computeAddressOfText('payload', payload, sha256)
}

/** Where a trajectory ends. */
export type Head = { readonly seq: number; readonly id: Address; readonly at: string }

export type EntryDraft = {
  readonly tenant: string
  readonly trajectory: string
  readonly kind: EntryKind
  readonly dfid?: string
  readonly authority_seq?: number
  readonly payload: string
}

/** Puts a draft behind the head of its trajectory. `forkedFrom` is the parent of a `branch`. */
export function sealEntry(
  draft: EntryDraft,
  head: Head | undefined,
  at: string,
  sha256: Sha256,
  forkedFrom: Address | null = null,
): Entry {
  const { payload, ...rest } = draft
  const envelope: Envelope = {
    v: PROTOCOL_VERSION,
    ...rest,
    seq: head === undefined ? 0 : head.seq + 1,
    parent: head === undefined ? forkedFrom : head.id,
    at,
    payload_hash: hashPayload(payload, sha256),
  }
  return { id: computeEntryId(envelope, sha256), envelope, payload }
}

/** The input of an entry's leaf in the tenant's tree: the 32 raw bytes of its id. */
export function toLeafInput(id: Address): Uint8Array {
  const bytes = decodeHex(id.slice('sha256:'.length))
  assert(bytes?.length === 32, 'the id of an entry is an address')
  return bytes
}
