/** The signed note of a file: is it of this log, signed by its checkpoint key, over this tree? */
import {
  type Checkpoint,
  computeNoteKeyId,
  decodeBase64,
  encodeBase64,
  encodeUtf8,
  isEqualBytes,
  isKeyValidAt,
  type KeyRecord,
  type KeySet,
  type Note,
  type NoteSignature,
  parseCheckpoint,
  parseNote,
  toPositionAfter,
} from 'rubicon-kernel'
import type { AuditCrypto } from '../crypto/crypto.ts'
import type { CheckpointSummary, Problem } from '../report/report.ts'

export type CheckpointInput = {
  readonly note: string
  readonly tenant: string
  readonly epoch: number
  readonly keys: KeySet
  /** The last authority entry: the note is signed after it. */
  readonly authoritySeq: number
  readonly crypto: AuditCrypto
}

export type CheckedCheckpoint = {
  readonly checkpoint: Checkpoint | null
  /** The registered keys whose signatures hold. */
  readonly signers: readonly KeyRecord[]
  readonly problems: readonly Problem[]
}

export function verifyCheckpoint(input: CheckpointInput): CheckedCheckpoint {
  const note = parseNote(input.note)
  if (!note.ok) return toRefusedCheckpoint('CHECKPOINT_UNREADABLE', note.error)
  const checkpoint = parseCheckpoint(note.value.body)
  if (checkpoint === undefined)
    return toRefusedCheckpoint('CHECKPOINT_UNREADABLE', 'it is no checkpoint')
  const origin = logOrigin(input)
  if (checkpoint.origin !== origin) {
    const detail = `the origin is \`${checkpoint.origin}\`, not \`${origin}\``
    return toRefusedCheckpoint('CHECKPOINT_UNREADABLE', detail)
  }
  const signers = findGenuineSigners(input, note.value, checkpoint.origin)
  const problems: Problem[] =
    signers === undefined
      ? [{ code: 'CHECKPOINT_SIGNATURE', detail: 'a signature of the checkpoint is invalid' }]
      : []
  return { checkpoint, signers: signers ?? [], problems }
}

/** Does the checkpoint cover these entries, no more and no fewer? */
export function findTreeProblems(
  checkpoint: Checkpoint,
  size: number,
  root: Uint8Array,
): readonly Problem[] {
  if (checkpoint.size !== size) {
    const detail = `the checkpoint covers ${checkpoint.size} entries, here are ${size}`
    return [
      { code: 'CHECKPOINT_SIZE', detail, expected: String(checkpoint.size), found: String(size) },
    ]
  }
  if (isEqualBytes(checkpoint.root, root)) return []
  const detail = 'the root of the entries is another one'
  const [expected, found] = [encodeBase64(checkpoint.root), encodeBase64(root)]
  return [{ code: 'CHECKPOINT_ROOT', detail, expected, found }]
}

export function summariseCheckpoint(checkpoint: Checkpoint): CheckpointSummary {
  const { origin, size, root } = checkpoint
  return { origin, size, root: encodeBase64(root) }
}

/** The first operator key is in the name: a log under other keys is another log. */
export function logOrigin({
  tenant,
  epoch,
  keys,
}: Pick<CheckpointInput, 'tenant' | 'epoch' | 'keys'>): string {
  return `rubicon/${tenant}/${keys.firstOperator()?.key_id ?? 'unknown'}/${epoch}`
}

/**
 * A signature of a key that does not count for this log is somebody else's, a witness's or one of a
 * rotation, and says nothing here. Each one of a key that counts must hold, and there must be one.
 */
function findGenuineSigners(
  input: CheckpointInput,
  { body, signatures }: Note,
  origin: string,
): readonly KeyRecord[] | undefined {
  const signers: KeyRecord[] = []
  for (const { name, keyId, signature } of signatures) {
    const known = name === origin ? findNamedKey(input, name, keyId) : undefined
    if (known === undefined) continue
    if (!input.crypto.verifyEd25519(known.publicKey, encodeUtf8(body), signature)) return undefined
    signers.push(known.record)
  }
  return signers.length === 0 ? undefined : signers
}

function findNamedKey(
  { keys, authoritySeq, crypto }: CheckpointInput,
  name: string,
  keyId: NoteSignature['keyId'],
): { readonly record: KeyRecord; readonly publicKey: Uint8Array } | undefined {
  for (const record of keys.records()) {
    const publicKey = decodeBase64(record.public_key)
    if (
      publicKey === undefined ||
      !isKeyValidAt(record, 'checkpoint', toPositionAfter(authoritySeq))
    )
      continue
    if (isEqualBytes(computeNoteKeyId(name, publicKey, crypto.sha256), keyId))
      return { record, publicKey }
  }
  return undefined
}

function toRefusedCheckpoint(code: Problem['code'], detail: string): CheckedCheckpoint {
  return { checkpoint: null, signers: [], problems: [{ code, detail }] }
}
