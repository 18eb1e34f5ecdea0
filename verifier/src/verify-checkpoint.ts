/** The signed note of a file: is it of this log, signed by its checkpoint key, over this tree? */
import {
  afterAuthority,
  base64,
  type Checkpoint,
  equalBytes,
  type KeyRecord,
  type KeySet,
  keyCounts,
  type Note,
  type NoteSignature,
  noteKeyId,
  parseCheckpoint,
  parseNote,
  unbase64,
  utf8,
} from 'rubicon-kernel'
import type { AuditCrypto } from './crypto.ts'
import type { CheckpointSummary, Problem } from './report.ts'

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
  if (!note.ok) return refused('CHECKPOINT_UNREADABLE', note.error)
  const checkpoint = parseCheckpoint(note.value.body)
  if (checkpoint === undefined) return refused('CHECKPOINT_UNREADABLE', 'it is no checkpoint')
  const origin = logOrigin(input)
  if (checkpoint.origin !== origin) {
    const detail = `the origin is \`${checkpoint.origin}\`, not \`${origin}\``
    return refused('CHECKPOINT_UNREADABLE', detail)
  }
  const signers = genuineSigners(input, note.value, checkpoint.origin)
  const problems: Problem[] =
    signers === undefined
      ? [{ code: 'CHECKPOINT_SIGNATURE', detail: 'a signature of the log does not hold' }]
      : []
  return { checkpoint, signers: signers ?? [], problems }
}

/** Does the checkpoint cover these entries, no more and no fewer? */
export function treeProblems(
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
  if (equalBytes(checkpoint.root, root)) return []
  const detail = 'the entries give another root'
  const [expected, found] = [base64(checkpoint.root), base64(root)]
  return [{ code: 'CHECKPOINT_ROOT', detail, expected, found }]
}

export function checkpointSummary(checkpoint: Checkpoint): CheckpointSummary {
  const { origin, size, root } = checkpoint
  return { origin, size, root: base64(root) }
}

/** The first operator key is in the name: a log under other keys is another log. */
function logOrigin({ tenant, epoch, keys }: CheckpointInput): string {
  return `rubicon/${tenant}/${keys.firstOperator()?.key_id ?? 'unknown'}/${epoch}`
}

/**
 * Signatures in other names are witnesses', which this check does not know. Each one in the log's
 * name must hold: a note that the log half signed was not written by it.
 */
function genuineSigners(
  input: CheckpointInput,
  { body, signatures }: Note,
  origin: string,
): readonly KeyRecord[] | undefined {
  const own = signatures.filter(({ name }) => name === origin)
  const signers: KeyRecord[] = []
  for (const signature of own) {
    const signer = signerOf(input, body, signature)
    if (signer === undefined) return undefined
    signers.push(signer)
  }
  return signers.length === 0 ? undefined : signers
}

function signerOf(
  { keys, authoritySeq, crypto }: CheckpointInput,
  body: string,
  { name, keyId, signature }: NoteSignature,
): KeyRecord | undefined {
  return keys.records().find((record) => {
    if (!keyCounts(record, 'checkpoint', afterAuthority(authoritySeq))) return false
    const publicKey = unbase64(record.public_key)
    if (publicKey === undefined) return false
    if (!equalBytes(noteKeyId(name, publicKey, crypto.sha256), keyId)) return false
    return crypto.verifyEd25519(publicKey, utf8(body), signature)
  })
}

function refused(code: Problem['code'], detail: string): CheckedCheckpoint {
  return { checkpoint: null, signers: [], problems: [{ code, detail }] }
}
