import { type Address, computeAddress } from '../canonical/address.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import type { WritBody } from './writ.ts'

/** Recomputed on every use: an id that came with a writ is only a claim. */
export function computeWritId(body: WritBody, sha256: Sha256): Address {
  return computeAddress('writ', body, sha256)
}
