/**
 * C2SP signed notes, and the log checkpoint that is written as one
 * (https://c2sp.org/signed-note, https://c2sp.org/tlog-checkpoint).
 *
 * Boundary: text and bytes only. Ed25519 signs utf8(body), final newline included, outside the
 * kernel; whether a parsed signature is genuine, and whether its key is trusted, is decided there.
 *
 * Invariants:
 * 1. What parses, formats back to the same text: a note has one spelling.
 * 2. A key (name and id) appears at most once in a note, so that counting signatures counts keys.
 * 3. Nothing in a checkpoint can add a line to it: no origin or extension holds a line break.
 */
import { assert } from '../assert.ts'
import { decodeBase64, encodeBase64, encodeUtf8, joinBytes } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { err, ok, type Result } from '../result.ts'
import { HASH_BYTES } from './merkle.ts'

/** A signed statement about a log: how long it is, and its root. */
export type Checkpoint = {
  /** The log. */
  readonly origin: string
  /** How many entries. */
  readonly size: number
  /** Of their Merkle tree. */
  readonly root: Uint8Array
  /** Further lines, which may say anything. */
  readonly extensions: readonly string[]
}

export type NoteSignature = {
  readonly name: string
  readonly keyId: Uint8Array
  readonly signature: Uint8Array
}

export type Note = {
  readonly body: string
  readonly signatures: readonly NoteSignature[]
}

const SIGNATURE_MARK = '— '
const KEY_ID_BYTES = 4
export const ED25519_TYPE = 0x01
/** C2SP asks for at least 16. A limit, so that a note cannot buy unbounded signature checks. */
const MAX_SIGNATURES = 64

export function formatCheckpointBody(checkpoint: Checkpoint): string {
  const { origin, size, root, extensions } = checkpoint
  assert([origin, ...extensions].every(isLine), 'checkpoint lines are non-empty and unbroken')
  assert(Number.isSafeInteger(size) && size >= 0, 'checkpoint size is a safe integer')
  assert(root.length === HASH_BYTES, 'checkpoint root has 32 bytes')
  return [origin, String(size), encodeBase64(root), ...extensions, ''].join('\n')
}

/** Undefined unless `body` is exactly what `checkpointBody` writes. */
export function parseCheckpoint(body: string): Checkpoint | undefined {
  if (!body.endsWith('\n')) return undefined
  const [origin, sizeText, rootText, ...extensions] = body.slice(0, -1).split('\n')
  if (origin === undefined || sizeText === undefined || rootText === undefined) return undefined
  if (![origin, ...extensions].every(isLine)) return undefined

  const size = Number(sizeText)
  // The only spelling of a size is the one we would write: no sign, zeros, exponent or space.
  if (!Number.isSafeInteger(size) || size < 0 || String(size) !== sizeText) return undefined
  const root = decodeBase64(rootText)
  if (root === undefined || root.length !== HASH_BYTES) return undefined
  return { origin, size, root, extensions }
}

/** The id of an Ed25519 key. Four bytes name a key, they do not prove one. */
export function computeNoteKeyId(name: string, publicKey: Uint8Array, sha256: Sha256): Uint8Array {
  assert(isKeyName(name), 'a note key has a valid name')
  const preimage = joinBytes(encodeUtf8(name), Uint8Array.of(0x0a, ED25519_TYPE), publicKey)
  return sha256(preimage).slice(0, KEY_ID_BYTES)
}

export function formatNote(body: string, signatures: readonly NoteSignature[]): string {
  const problem = findBodyProblem(body) ?? findSignaturesProblem(signatures)
  assert(problem === undefined, `a note is well formed: ${problem}`)
  const lines = signatures.map(
    ({ name, keyId, signature }) =>
      `${SIGNATURE_MARK}${name} ${encodeBase64(joinBytes(keyId, signature))}\n`,
  )
  return `${body}\n${lines.join('')}`
}

/** The last blank line divides: a body may hold blank lines, signatures may not. */
export function parseNote(text: string): Result<Note, string> {
  const split = text.lastIndexOf('\n\n')
  if (split < 0) return err('note has no blank line before its signatures')
  const body = text.slice(0, split + 1)
  const tail = text.slice(split + 2)
  if (tail.length > 0 && !tail.endsWith('\n')) return err('note does not end in a newline')

  const signatures: NoteSignature[] = []
  for (const line of tail.split('\n').slice(0, -1)) {
    const signature = parseSignatureLine(line)
    if (signature === undefined) return err('malformed signature line')
    signatures.push(signature)
  }
  const problem = findBodyProblem(body) ?? findSignaturesProblem(signatures)
  return problem === undefined ? ok({ body, signatures }) : err(problem)
}

function parseSignatureLine(line: string): NoteSignature | undefined {
  if (!line.startsWith(SIGNATURE_MARK)) return undefined
  const [name, encoded, ...rest] = line.slice(SIGNATURE_MARK.length).split(' ')
  if (name === undefined || encoded === undefined || rest.length > 0) return undefined
  const bytes = decodeBase64(encoded)
  if (bytes === undefined) return undefined
  return { name, keyId: bytes.slice(0, KEY_ID_BYTES), signature: bytes.slice(KEY_ID_BYTES) }
}

function findBodyProblem(body: string): string | undefined {
  if (!body.endsWith('\n')) return 'note text does not end in a newline'
  if (!body.isWellFormed()) return 'note text holds a lone surrogate'
  if (hasControlCharacter(body.replaceAll('\n', ''))) return 'note text holds a control character'
  return undefined
}

function findSignaturesProblem(signatures: readonly NoteSignature[]): string | undefined {
  if (signatures.length === 0) return 'note has no signature'
  if (signatures.length > MAX_SIGNATURES) return `note has over ${MAX_SIGNATURES} signatures`
  const keys = new Set<string>()
  for (const { name, keyId, signature } of signatures) {
    if (!isKeyName(name)) return 'key name is empty or holds a space, a plus or a control character'
    if (keyId.length !== KEY_ID_BYTES) return 'key id has not 4 bytes'
    if (signature.length === 0) return 'signature is empty'
    keys.add(`${name} ${encodeBase64(keyId)}`)
  }
  return keys.size === signatures.length ? undefined : 'note has two signatures of one key'
}

function isLine(text: string): boolean {
  return text.length > 0 && text.isWellFormed() && !hasControlCharacter(text)
}

export function isKeyName(name: string): boolean {
  return isLine(name) && !name.includes('+') && ![...name].some(isUnicodeSpace)
}

function hasControlCharacter(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) if (text.charCodeAt(i) < 0x20) return true
  return false
}

/** Unicode's White_Space beyond the control characters, written out: no engine decides it. */
function isUnicodeSpace(character: string): boolean {
  if (character >= '\u2000' && character <= '\u200a') return true
  return '\u0020\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000'.includes(character)
}
