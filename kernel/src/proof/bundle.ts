/** What one auditor needs for one flow: its entries, each with the proof that the log holds it. */
import type { Address } from '../canonical/address.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { KeyRecord } from '../keys/key.ts'
import { err, ok, type Result } from '../result.ts'
import { type ExportedEntry, entryMembers } from './exported-entry.ts'
import { keyRecordShape } from './ledger-header.ts'
import {
  address,
  base64,
  count,
  createEnumShape,
  createExactShape,
  hexHash,
  identifier,
  listOf,
  text,
} from './shape.ts'

export const BUNDLE_FORMAT = 'rubicon-bundle/2'

export type BundleEntry = ExportedEntry & {
  /** The index of its leaf in the tenant's tree. */
  readonly leaf: number
  /** Base64 of the hashes of the inclusion proof. */
  readonly proof: readonly string[]
}

export type BundleEvidence = {
  readonly context_ref: string
  readonly contract_hash: Address
  readonly rules_hash: Address
  readonly evidence_hash: string
}

export type Bundle = {
  readonly checkpoint: string
  readonly dfid: string
  readonly entries: readonly BundleEntry[]
  readonly epoch: number
  /** Absent when nothing was dispatched. */
  readonly evidence?: BundleEvidence
  readonly format: typeof BUNDLE_FORMAT
  readonly keys: readonly KeyRecord[]
  readonly tenant: string
}

const entryShape = createExactShape({ ...entryMembers, leaf: count, proof: listOf(base64) })

const evidenceShape = createExactShape({
  context_ref: text,
  contract_hash: address,
  evidence_hash: hexHash,
  rules_hash: address,
})

const bundleShape = createExactShape(
  {
    checkpoint: text,
    dfid: identifier,
    entries: listOf(entryShape),
    epoch: count,
    format: createEnumShape([BUNDLE_FORMAT]),
    keys: listOf(keyRecordShape),
    tenant: identifier,
  },
  { evidence: evidenceShape },
)

export function parseBundle(value: JsonValue): Result<Bundle, string> {
  const problem = bundleShape(value)
  if (problem !== undefined) return err(`bundle ${problem}`)
  // The shape above is this type, written once more as checks.
  return ok(value as Bundle)
}
