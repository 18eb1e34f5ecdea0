/**
 * What a proof binds: SHA-256 over the text `dfid || H_s || H_c || H_r`, each hash in lower-case hexadecimal digits. The
 * derivation is published and has to be followed to the byte, so that no domain stands before it.
 */
import type { JsonValue } from '../canonical/json-value.ts'
import { hashText, type Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'

/** What the hash is made of. */
export type EvidenceParts = {
  readonly dfid: string
  /** The snapshot that was decided on. */
  readonly context_ref: string
  /** Of the contract: `hashEvidenceContract`. */
  readonly h_c: string
  /** Of the rules: their address without `sha256:`. */
  readonly h_r: string
}

export function computeEvidenceHash(
  { dfid, context_ref, h_c, h_r }: EvidenceParts,
  sha256: Sha256,
): string {
  return hashText(`${dfid}${hashText(context_ref, sha256)}${h_c}${h_r}`, sha256)
}

/** H_c, of the contract as it was deployed. */
export function hashEvidenceContract(contract: JsonValue, sha256: Sha256): string {
  return hashText(toCanonicalText(contract), sha256)
}

/** H_r, of the address of the rules. */
export function toEvidenceRules(address: string): string {
  return address.slice(address.indexOf(':') + 1)
}
