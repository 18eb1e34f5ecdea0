/**
 * A thing in the world, as the ledger's deltas left it.
 *
 * Invariants:
 * 1. Versions start at 1 and every change adds 1; they never fall, so that a version names a state.
 * 2. A retracted resource keeps its place and version and has the value null.
 * 3. `last_entry` is not in the leaf: two histories that end in one state have one world hash.
 */
import { assert } from '../assert.ts'
import { encodeUtf8 } from '../canonical/bytes.ts'
import { isIdentifier } from '../canonical/identifier.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalBytes } from '../canonical/write-json.ts'

/** Something that World keeps account of. */
export type Resource = {
  /** Of the resource. */
  readonly kind: string
  /** Of the resource. */
  readonly id: string
  /** How often it was changed. */
  readonly version: number
  /** What it is. */
  readonly value: JsonValue
  /** It is gone. */
  readonly retracted: boolean
  /** The id of the entry that changed it last. */
  readonly last_entry: string
}

const KEY_BYTES = 32
const HASH_BYTES = 32

/**
 * One string for both parts, for use as a map key. The kind is an identifier and holds no NUL:
 * otherwise ("a", "b NUL c") and ("a NUL b", "c") would be one resource.
 */
export function toResourceName(kind: string, id: string): string {
  assert(isIdentifier(kind), 'a resource kind is an identifier')
  return `${kind}\0${id}`
}

export function hashResourceKey(kind: string, id: string, sha256: Sha256): Uint8Array {
  assert(id.isWellFormed(), 'a resource id holds no lone surrogate')
  return sha256(encodeUtf8(toResourceName(kind, id)))
}

/** The leaf binds the key, so that a value cannot be shown under another resource's name. */
export function hashResourceLeaf(resource: Resource, sha256: Sha256): Uint8Array {
  return hashKeyedLeaf(hashResourceKey(resource.kind, resource.id, sha256), resource, sha256)
}

/** For callers that have the key at hand. */
export function hashKeyedLeaf(key: Uint8Array, resource: Resource, sha256: Sha256): Uint8Array {
  const { retracted, value, version } = resource
  const preimage = new Uint8Array(1 + KEY_BYTES + HASH_BYTES)
  preimage.set(key, 1)
  preimage.set(sha256(toCanonicalBytes({ retracted, value, version })), 1 + KEY_BYTES)
  return sha256(preimage)
}
