/**
 * Says why some bytes must not be registered as an Ed25519 public key, and which signatures no
 * verifier of ours takes whatever its library says.
 *
 * Under a small-order key the signature equation proves little: with the identity point as key, one
 * fixed signature fits every message, so that its owner holds universal writs and can deny them
 * all. Some verifiers refuse such keys (OpenSSL 3.5), others accept them (OpenSSL 3.0, ZIP 215);
 * refused at registration, none can disagree. And a second spelling of a point would give one key
 * two fingerprints: revoking the one would leave the other in force.
 *
 * Public keys are no secret: nothing here needs constant time.
 */
import { encodeHex } from '../canonical/bytes.ts'

export type PublicKeyProblem = 'KEY_ENCODING' | 'KEY_WEAK'

const P = 2n ** 255n - 19n
const D = 0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3n
const POINT_BYTES = 32
const SIGN_BIT = 0x80

/** The two points with x = 0. They have no negative, so that a sign bit is a second spelling. */
const ORDER_1 = '0100000000000000000000000000000000000000000000000000000000000000'
const ORDER_2 = 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f'

/** The eight points of small order, by their encoded y: a point and its negative share one. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  ORDER_1,
  ORDER_2,
  '0000000000000000000000000000000000000000000000000000000000000000', // order 4
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', // order 8
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', // order 8
])

export function findPublicKeyProblem(key: Uint8Array): PublicKeyProblem | undefined {
  const last = key[POINT_BYTES - 1]
  if (last === undefined || key.length !== POINT_BYTES) return 'KEY_ENCODING'
  const unsigned = clearSignBit(key, last)
  const y = decodeLittleEndian(unsigned)
  const encodedY = encodeHex(unsigned)

  if (y >= P) return 'KEY_ENCODING'
  const isSigned = (last & SIGN_BIT) !== 0
  if (isSigned && (encodedY === ORDER_1 || encodedY === ORDER_2)) return 'KEY_ENCODING'
  if (SMALL_ORDER.has(encodedY)) return 'KEY_WEAK'
  if (!isOnCurve(y)) return 'KEY_ENCODING'
  return undefined
}

/**
 * Whether the first half of a signature, R, has small order. Who signs honestly never makes one, and
 * libraries disagree: OpenSSL refuses it since 3.5.5, others compare it like any R.
 */
export function hasSmallOrderR(signature: Uint8Array): boolean {
  const last = signature[POINT_BYTES - 1]
  if (last === undefined) return false
  return SMALL_ORDER.has(encodeHex(clearSignBit(signature.subarray(0, POINT_BYTES), last)))
}

function clearSignBit(point: Uint8Array, last: number): Uint8Array {
  const unsigned = Uint8Array.from(point) // a Buffer's `slice` would share the caller's bytes
  unsigned[POINT_BYTES - 1] = last & ~SIGN_BIT
  return unsigned
}

/**
 * Is x² = (y² - 1) / (dy² + 1) a square? Numerator times denominator is one exactly then. Neither
 * is 0 or below it here: y = 0 and y = ±1 have small order, and dy² = -1 has no solution.
 */
function isOnCurve(y: bigint): boolean {
  const ySquared = (y * y) % P
  return isSquare(((ySquared - 1n) * (D * ySquared + 1n)) % P)
}

/**
 * Euler's criterion: to the power (P - 1) / 2 a square is 1. That is 2^254 - 10, in bits 250 ones and `0110`, which
 * takes half as many products as bit by bit: a process asks for every key that it reads.
 */
function isSquare(value: bigint): boolean {
  const cube = (((value * value) % P) * value) % P
  return (squareTimes(raiseToOnes(value, 250), 4) * squareTimes(cube, 1)) % P === 1n
}

/** To the power whose bits are so many ones: half of them, behind them the same again, and where it is odd one more. */
function raiseToOnes(value: bigint, count: number): bigint {
  if (count === 1) return value
  const half = count >> 1
  const ones = raiseToOnes(value, half)
  const both = (squareTimes(ones, half) * ones) % P
  return count % 2 === 0 ? both : (squareTimes(both, 1) * value) % P
}

function squareTimes(value: bigint, times: number): bigint {
  let result = value
  for (let i = 0; i < times; i++) result = (result * result) % P
  return result
}

function decodeLittleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}
