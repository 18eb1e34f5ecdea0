/**
 * What the auditor got elsewhere: a public key, or a checkpoint of the same log.
 *
 * A file proves only that it is consistent; whoever made it chose its keys. With one of these it
 * proves that it comes from the log that the auditor means.
 */
import {
  type Checkpoint,
  decodeBase64,
  encodeBase64,
  err,
  type Failure,
  findPublicKeyProblem,
  isObject,
  type KeyRecord,
  ok,
  parseCheckpoint,
  parseJson,
  parseNote,
  parseVerifierKey,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import type { Problem } from '../report/report.ts'

/** What an auditor got elsewhere and holds a file against. */
export type Trust =
  | {
      readonly kind: 'key'
      /** Base64 of the 32 raw bytes. */
      readonly publicKey: string
      /** The log that it signs for, where the key says so. */
      readonly origin?: string
    }
  | {
      readonly kind: 'checkpoint'
      /** Of the same log, as somebody else kept it. */
      readonly checkpoint: Checkpoint
    }

/**
 * Reads a signed note, a verifier key (`origin+id+key`), the base64 of a public key, or a JSON object
 * that has one as `public_key`. A key id is not enough: its 64 bits can be met by searching.
 */
export function parseTrust(text: string, sha256: Sha256): Result<Trust> {
  const note = parseNote(text)
  const checkpoint = note.ok ? parseCheckpoint(note.value.body) : undefined
  if (checkpoint !== undefined) return ok({ kind: 'checkpoint', checkpoint })
  const named = parseVerifierKey(text.trim(), sha256)
  const key = named?.publicKey ?? decodeBase64(extractKeyText(text.trim()) ?? '')
  if (key !== undefined && findPublicKeyProblem(key) === undefined) {
    const publicKey = encodeBase64(key)
    return ok({ kind: 'key', publicKey, ...(named === undefined ? {} : { origin: named.name }) })
  }
  const failure: Failure = {
    code: 'TRUST_UNREADABLE',
    summary: 'what is to be trusted is neither a key nor a checkpoint, nor a file with one',
    fix: 'give a verifier key, the base64 of a public key or a signed checkpoint, or a file with one',
  }
  return err(failure)
}

function extractKeyText(text: string): string | undefined {
  if (!text.startsWith('{')) return text
  const value = parseJson(text)
  const key = value.ok && isObject(value.value) ? value.value.public_key : undefined
  return typeof key === 'string' ? key : undefined
}

export type TrustInput = {
  readonly trust: Trust
  readonly firstOperator: KeyRecord | undefined
  readonly signers: readonly KeyRecord[]
  readonly checkpoint: Checkpoint | null
  /** The root over the first so many entries; undefined where it cannot be computed. */
  readonly rootAt: (size: number) => Uint8Array | undefined
}

export function verifyTrust(input: TrustInput): readonly Problem[] {
  const detail =
    input.trust.kind === 'key'
      ? findTrustedKeyProblem(input, input.trust)
      : findTrustedCheckpointProblem(input, input.trust.checkpoint)
  return detail === undefined ? [] : [{ code: 'TRUST_MISMATCH', detail }]
}

type TrustedKey = Extract<Trust, { readonly kind: 'key' }>

function findTrustedKeyProblem(
  { firstOperator, signers, checkpoint }: TrustInput,
  { publicKey, origin }: TrustedKey,
): string | undefined {
  if (origin !== undefined && origin !== checkpoint?.origin)
    return 'the trusted key is of another log'
  if (firstOperator?.public_key === publicKey) return undefined
  if (signers.some(({ public_key }) => public_key === publicKey)) return undefined
  return 'the trusted key is neither the first operator key nor the checkpoint key'
}

function findTrustedCheckpointProblem(input: TrustInput, trusted: Checkpoint): string | undefined {
  if (trusted.origin !== input.checkpoint?.origin) return 'the trusted checkpoint is of another log'
  // Every log begins with nothing, so that a checkpoint over nothing says nothing.
  if (trusted.size === 0) return 'the trusted checkpoint covers no entries'
  const root = input.rootAt(trusted.size)
  if (root === undefined) return 'the trusted checkpoint cannot be compared with this file'
  if (encodeBase64(root) === encodeBase64(trusted.root)) return undefined
  return `the first ${trusted.size} entries are not those of the trusted checkpoint`
}
