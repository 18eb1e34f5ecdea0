/**
 * The messages of the SSH agent protocol that are needed to list keys and to sign with one. A message is its
 * length, one byte that says what it is, and fields; a field of bytes is preceded by its length.
 */
import { encodeUtf8, joinBytes } from 'rubicon-kernel'

const REQUEST_IDENTITIES = 11
const IDENTITIES = 12
const SIGN_REQUEST = 13
const SIGNED = 14
const ED25519 = 'ssh-ed25519'
const PUBLIC_KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const LENGTH_BYTES = 4
/** Agents refuse what is longer, and send nothing that is. */
export const LONGEST_MESSAGE = 262_144

export type SshAgentKey = { readonly comment: string; readonly publicKey: Uint8Array }

export function encodeIdentitiesRequest(): Uint8Array {
  return encodeField(Uint8Array.of(REQUEST_IDENTITIES))
}

/** Ed25519 signs the bytes themselves; no flag changes that. */
export function signRequest(publicKey: Uint8Array, message: Uint8Array): Uint8Array {
  const noFlags = encodeLength(0)
  const body = [
    Uint8Array.of(SIGN_REQUEST),
    encodeField(encodeKeyBlob(publicKey)),
    encodeField(message),
    noFlags,
  ]
  return encodeField(joinBytes(...body))
}

/** Null: no list of keys. Keys of other kinds are left out. */
export function readIdentities(reply: Uint8Array): readonly SshAgentKey[] | null {
  const reader = new FieldReader(reply)
  if (reader.readByte() !== IDENTITIES) return null
  const keys: SshAgentKey[] = []
  for (let left = reader.readLength() ?? 0; left > 0; left--) {
    const [blob, comment] = [reader.readField(), reader.readField()]
    if (blob === null || comment === null) return null
    const inner = new FieldReader(blob)
    const isEd25519 = decodeText(inner.readField()) === ED25519
    const publicKey = isEd25519 ? inner.readField() : null
    if (publicKey?.length === PUBLIC_KEY_BYTES)
      keys.push({ comment: decodeText(comment) ?? '', publicKey })
  }
  return keys
}

/** Null: it did not sign. */
export function readSignature(reply: Uint8Array): Uint8Array | null {
  const reader = new FieldReader(reply)
  if (reader.readByte() !== SIGNED) return null
  const inner = new FieldReader(reader.readField() ?? new Uint8Array())
  if (decodeText(inner.readField()) !== ED25519) return null
  const signature = inner.readField()
  return signature?.length === SIGNATURE_BYTES ? signature : null
}

/** How long the message at the front is, its length field apart; null: that is not known yet. */
export function readMessageLength(bytes: Uint8Array): number | null {
  return bytes.length < LENGTH_BYTES ? null : new FieldReader(bytes).readLength()
}

/** Without its length field. */
export function extractMessageBody(bytes: Uint8Array, length: number): Uint8Array {
  return bytes.slice(LENGTH_BYTES, LENGTH_BYTES + length)
}

function encodeKeyBlob(publicKey: Uint8Array): Uint8Array {
  return joinBytes(encodeField(encodeUtf8(ED25519)), encodeField(publicKey))
}

function encodeField(bytes: Uint8Array): Uint8Array {
  return joinBytes(encodeLength(bytes.length), bytes)
}

function encodeLength(length: number): Uint8Array {
  const bytes = new Uint8Array(LENGTH_BYTES)
  new DataView(bytes.buffer).setUint32(0, length)
  return bytes
}

function decodeText(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder().decode(bytes)
}

/** Reads from the front; null where there is less than was said. */
class FieldReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  readByte(): number | null {
    return this.#take(1)?.[0] ?? null
  }

  readLength(): number | null {
    const bytes = this.#take(LENGTH_BYTES)
    return bytes === null ? null : new DataView(bytes.buffer).getUint32(0)
  }

  readField(): Uint8Array | null {
    const length = this.readLength()
    return length === null ? null : this.#take(length)
  }

  /** A copy, so that what holds it holds no more. */
  #take(count: number): Uint8Array | null {
    if (this.#at + count > this.#bytes.length) return null
    const taken = this.#bytes.slice(this.#at, this.#at + count)
    this.#at += count
    return Uint8Array.from(taken)
  }
}
