/**
 * Judges signatures by the keys that the ledger itself registered, as of where they stand.
 *
 * 1. A signature counts only under a key that was registered for the purpose, before it.
 * 2. A compromise reaches back: signatures that stood when it was recorded are looked at again.
 * 3. Key entries and the checkpoint are always checked, or the keys would prove nothing.
 */
import {
  createKeySet,
  decodeBase64,
  encodePreAuth,
  encodeUtf8,
  isCompromisedAt,
  isKeyValidAt,
  type KeyPosition,
  type KeyPurpose,
  type KeySet,
  type Signature,
  toPayloadType,
} from 'rubicon-kernel'
import { createKeyUses, type KeyUses } from '../compact-records/key-uses.ts'
import type { AuditCrypto } from '../crypto/crypto.ts'
import type { Finding, Place } from '../report/report.ts'

export type Demand = {
  /** The name in the payload type: `intent`, or the kind of the entry. */
  readonly type: string
  /** The canonical text of what was signed. */
  readonly body: string
  readonly signature: Signature
  /** Null: whatever the key was registered for. */
  readonly purpose: KeyPurpose | null
  readonly position: KeyPosition
  readonly place: Place
}

export type KeyRing = {
  readonly keys: KeySet
  /** What is wrong with the signature, if anything. */
  readonly judge: (demand: Demand) => string | undefined
  /** The bare check, of a key that is not registered yet. */
  readonly holds: (publicKey: string, type: string, body: string, sig: string) => boolean
  /** Whether a registered key signed it, whatever it counts for. */
  readonly isSigned: (keyId: string, type: string, body: string, sig: string) => boolean
  /** Signatures that were found good and whose key turned out to be compromised before them. */
  readonly compromised: () => readonly Finding[]
}

export function createKeyRing(crypto: AuditCrypto, signatures: 'all' | 'none'): KeyRing {
  const keys = createKeySet()
  const uses = new Map<string, KeyUses>()

  const isValidSignature = (
    publicKey: string,
    type: string,
    body: string,
    sig: string,
  ): boolean => {
    const key = decodeBase64(publicKey)
    const signature = decodeBase64(sig)
    if (key === undefined || signature === undefined) return false
    return crypto.verifyEd25519(
      key,
      encodePreAuth(toPayloadType(type), encodeUtf8(body)),
      signature,
    )
  }

  const judge = (demand: Demand): string | undefined => {
    const { type, body, signature, purpose, position, place } = demand
    const record = keys.get(signature.key_id)
    if (record === undefined) return `key \`${signature.key_id}\` is not registered`
    if (!isKeyValidAt(record, purpose ?? record.purpose, position)) {
      return `key \`${signature.key_id}\` is not valid here${purpose ? ` as a ${purpose} key` : ''}`
    }
    const skipped = signatures === 'none' && type !== 'key'
    if (!skipped && !isValidSignature(record.public_key, type, body, signature.sig)) {
      return `the signature of \`${signature.key_id}\` is invalid`
    }
    const known = uses.get(record.key_id) ?? createKeyUses()
    uses.set(record.key_id, known)
    known.add(position, place)
    return undefined
  }

  const isSigned: KeyRing['isSigned'] = (keyId, type, body, sig) => {
    const record = keys.get(keyId)
    if (record === undefined) return false
    return signatures === 'none' || isValidSignature(record.public_key, type, body, sig)
  }

  const listCompromisedUses = (): readonly Finding[] =>
    keys.records().flatMap((record) =>
      (
        uses.get(record.key_id)?.listPlaces((position) => isCompromisedAt(record, position)) ?? []
      ).map((place) => ({
        ...place,
        code: 'ENTRY_SIGNATURE' as const,
        detail: `key \`${record.key_id}\` was compromised before this`,
      })),
    )

  return { keys, judge, holds: isValidSignature, isSigned, compromised: listCompromisedUses }
}
