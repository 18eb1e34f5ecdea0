/**
 * The keys of a tenant: the fold of the `key` entries of its authority trajectory.
 *
 * Boundary: whether the entries are signed is decided elsewhere. The fold takes them as they stand,
 * so that everybody who folds the same entries has the same set, also of a forged ledger.
 *
 * 1. Records stand in the order in which they were added; a key id is added once.
 * 2. A retirement is never undone, and a compromise only ever reaches further back.
 */
import { encodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { KeyBody } from '../ledger/payload.ts'
import { err, ok, type Result } from '../result.ts'
import type { KeyPurpose, KeyRecord } from './key.ts'

const ID_DIGITS = 16

/** `operator-0123456789abcdef`: a name for people. The key itself is what signatures bind to. */
export function deriveKeyId(purpose: KeyPurpose, publicKey: Uint8Array, sha256: Sha256): string {
  return `${purpose}-${encodeHex(sha256(publicKey)).slice(0, ID_DIGITS)}`
}

export type KeySet = {
  /** Takes in the entry at `seq`, or says why it does not fit; then the set stays as it is. */
  readonly apply: (body: KeyBody, seq: number) => Result<KeyRecord, string>
  readonly get: (keyId: string) => KeyRecord | undefined
  readonly records: () => readonly KeyRecord[]
  /** It vouches for itself, and the origin of every checkpoint names it. */
  readonly firstOperator: () => KeyRecord | undefined
}

export function createKeySet(): KeySet {
  const byId = new Map<string, KeyRecord>()
  let operator: string | undefined
  const get = (keyId: string): KeyRecord | undefined => byId.get(keyId)

  const apply = (body: KeyBody, seq: number): Result<KeyRecord, string> => {
    const next = applyKeyEntry(byId.get(body.key_id), body, seq)
    if (!next.ok) return next
    // Replacing a member of a Map keeps its place, which is invariant 1.
    byId.set(next.value.key_id, next.value)
    if (next.value.purpose === 'operator') operator ??= next.value.key_id
    return next
  }

  return {
    apply,
    get,
    records: () => [...byId.values()],
    firstOperator: () => (operator === undefined ? undefined : byId.get(operator)),
  }
}

export function foldKeys(
  entries: Iterable<{ readonly body: KeyBody; readonly seq: number }>,
): KeySet {
  const set = createKeySet()
  for (const { body, seq } of entries) set.apply(body, seq)
  return set
}

/** A key after one more entry about it, or why the entry does not fit. */
export function applyKeyEntry(
  known: KeyRecord | undefined,
  body: KeyBody,
  seq: number,
): Result<KeyRecord, string> {
  const { action, key_id, purpose, public_key, subject } = body
  if (action === 'add') {
    if (known !== undefined) return err(`key \`${key_id}\` was added before`)
    return ok({ key_id, purpose, public_key, subject, added_seq: seq })
  }
  if (known === undefined) return err(`key \`${key_id}\` was never added`)
  if (known.purpose !== purpose || known.public_key !== public_key || known.subject !== subject) {
    return err(`key \`${key_id}\` was added with other content`)
  }
  if (action === 'retire') {
    if (known.retired_seq !== undefined) return err(`key \`${key_id}\` is retired already`)
    return ok({ ...known, retired_seq: seq })
  }
  const since = body.since_seq ?? seq
  if (since > seq) return err('a compromise cannot begin after it is recorded')
  const earliest = Math.min(since, known.compromised_since_seq ?? since)
  return ok({ ...known, compromised_since_seq: earliest })
}

/**
 * Where a signature stands among the authority entries. `seen`: the last one that stands before it;
 * `at`: the one from which on a compromise reaches it.
 */
export type KeyPosition = { readonly seen: number; readonly at: number }

/** The position of an authority entry: it sees what came before it, not itself. */
export function toPositionAt(seq: number): KeyPosition {
  return { seen: seq - 1, at: seq }
}

/** The position of anything that stands between authority entry `seq` and the next one. */
export function toPositionAfter(seq: number): KeyPosition {
  return { seen: seq, at: seq }
}

/** May a signature of this key at this position stand for this purpose? */
export function isKeyValidAt(
  record: KeyRecord,
  purpose: KeyPurpose,
  position: KeyPosition,
): boolean {
  if (record.purpose !== purpose || record.added_seq > position.seen) return false
  if (record.retired_seq !== undefined && record.retired_seq <= position.seen) return false
  return !isCompromisedAt(record, position)
}

export function isCompromisedAt(record: KeyRecord, position: KeyPosition): boolean {
  const since = record.compromised_since_seq
  return since !== undefined && since <= position.at
}
