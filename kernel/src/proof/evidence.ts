import { encodeHex, encodeUtf8 } from '../canonical/bytes.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalBytes } from '../canonical/write-json.ts'

export type EvidenceInput = {
  readonly dfid: string
  readonly contextRef: string
  readonly contract: JsonValue
  /** With its prefix, as it stands everywhere else. */
  readonly rulesHash: string
}

const SCHEME = 'sha256:'

/**
 * One hash that ties a flow to what it was decided on: SHA-256(dfid || H_s || H_c || H_r), over
 * text. The last three have 64 digits each, so that no part can lend characters to its neighbour.
 */
export function hashEvidence(input: EvidenceInput, sha256: Sha256): string {
  const { dfid, contextRef, contract, rulesHash } = input
  const context = encodeHex(sha256(encodeUtf8(contextRef)))
  const terms = encodeHex(sha256(toCanonicalBytes(contract)))
  const rules = rulesHash.startsWith(SCHEME) ? rulesHash.slice(SCHEME.length) : rulesHash
  return encodeHex(sha256(encodeUtf8(dfid + context + terms + rules)))
}
