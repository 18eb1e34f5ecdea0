/**
 * What this process signed it recognises, instead of computing the check: that costs more than twice
 * what the signature did. Recognised is the same text of the same type, under the same key, with the
 * signature that the signer returned; everything else is checked.
 *
 * Boundary: it remembers and compares. A restart, another process and a full memory forget, and then
 * the check is computed.
 *
 * Invariants:
 * 1. A key is recognised only after a signature under it was checked in this process: a signer that
 *    returns the wrong bytes is found by the first one.
 * 2. What is remembered is what the signer returned, and it never changes.
 */

/**
 * A flow that stays open for longer than so many signatures costs one check. Two generations, since
 * taking the oldest out of one table costs more: when the young one is full, the old one goes.
 */
const GENERATION = 8_192

export type SignedText = {
  readonly publicKey: string
  readonly type: string
  readonly text: string
  readonly sig: string
}

export class OwnSignatures {
  #young = new Map<string, SignedText>()
  #old = new Map<string, SignedText>()
  readonly #proven = new Set<string>()

  rememberSigned(signed: SignedText): void {
    if (this.#young.size >= GENERATION) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(signed.sig, signed)
  }

  /** Whether the check can be left out. */
  isOwn(signed: SignedText): boolean {
    return this.#proven.has(signed.publicKey) && this.#isMade(signed)
  }

  /** The check was computed, and the signature holds. */
  markProven(signed: SignedText): void {
    if (this.#isMade(signed)) this.#proven.add(signed.publicKey)
  }

  #isMade({ publicKey, type, text, sig }: SignedText): boolean {
    const made = this.#young.get(sig) ?? this.#old.get(sig)
    if (made === undefined) return false
    return made.publicKey === publicKey && made.type === type && made.text === text
  }
}
