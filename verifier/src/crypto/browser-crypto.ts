/**
 * What the verifier needs, for a browser: in JavaScript that can be read, and the same in all of them.
 *
 * Not WebCrypto. Its Ed25519 answers by promises while an audit is one pass; and standards leave open
 * whether the equation is taken times eight, so that browsers may judge a crafted signature in two
 * ways. An auditor in a browser must not see another ledger than one at a terminal. For the same
 * reason the library's own `verify`, which takes it times eight, is not used: the equation stands
 * here, as OpenSSL has it, and R is compared as bytes.
 */
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import {
  encodeHex,
  findPublicKeyProblem,
  hasSmallOrderR,
  isEqualBytes,
  joinBytes,
} from 'rubicon-kernel'
import type { AuditCrypto } from './crypto.ts'

const { Point } = ed25519
type Point = typeof Point.BASE

const ORDER = Point.Fn.ORDER
const SIGNATURE_BYTES = 64
const POINT_BYTES = 32
/** A file that brings many keys must not fill the memory. */
const KEYS_KEPT = 256
/** Tables pay for a key that signs often; a key that is seen twice is faster without. */
const USES_FOR_TABLES = 16
const WINDOW = 8

type Signer = { readonly negated: Point; uses: number }

export function createBrowserCrypto(): AuditCrypto {
  const signers = new Map<string, Signer | null>()

  const findSigner = (publicKey: Uint8Array): Signer | null => {
    const name = encodeHex(publicKey)
    const known = signers.get(name)
    if (known !== undefined) return known
    const isKey = findPublicKeyProblem(publicKey) === undefined
    const signer = isKey ? { negated: Point.fromBytes(publicKey, false).negate(), uses: 0 } : null
    if (signers.size >= KEYS_KEPT) signers.clear()
    signers.set(name, signer)
    return signer
  }

  return {
    sha256: (data) => sha256(data),
    verifyEd25519(publicKey, message, signature) {
      if (signature.length !== SIGNATURE_BYTES || hasSmallOrderR(signature)) return false
      const signer = findSigner(publicKey)
      if (signer === null) return false
      signer.uses += 1
      if (signer.uses === USES_FOR_TABLES) signer.negated.precompute(WINDOW, false)
      return isValidSignature(signer.negated, publicKey, message, signature)
    },
  }
}

/** R = S·B − k·A, with S reduced. */
function isValidSignature(
  negated: Point,
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const r = signature.subarray(0, POINT_BYTES)
  const s = decodeLittleEndian(signature.subarray(POINT_BYTES))
  if (s >= ORDER) return false
  const k = decodeLittleEndian(sha512(joinBytes(r, publicKey, message))) % ORDER
  return isEqualBytes(multiplyPoint(Point.BASE, s).add(multiplyPoint(negated, k)).toBytes(), r)
}

/** Nothing here is secret. */
function multiplyPoint(point: Point, scalar: bigint): Point {
  return point.multiplyUnsafe(scalar)
}

function decodeLittleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${encodeHex(bytes.toReversed())}`)
}
