import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { test } from 'node:test'
import { decodeHex, encodeHex, encodeUtf8, joinBytes } from '../canonical/bytes.ts'
import { findPublicKeyProblem, hasSmallOrderR } from './weak-point.ts'

/** The curve, written out once more, without a look at the source. */
const p = 2n ** 255n - 19n
const mod = (n: bigint): bigint => ((n % p) + p) % p
const inverse = (n: bigint): bigint => power(n, p - 2n)
const d = mod(-121665n * inverse(121666n))
const order = 2n ** 252n + 27742317777372353535851937790883648493n

type Point = { readonly x: bigint; readonly y: bigint }
const IDENTITY: Point = { x: 0n, y: 1n }

function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n
  const half = power((base * base) % p, exponent / 2n)
  return exponent % 2n === 1n ? (half * base) % p : half
}

function add(a: Point, b: Point): Point {
  const product = mod(d * a.x * b.x * a.y * b.y)
  return {
    x: mod((a.x * b.y + a.y * b.x) * inverse(1n + product)),
    y: mod((a.y * b.y + a.x * b.x) * inverse(mod(1n - product))),
  }
}

function times(point: Point, scalar: bigint): Point {
  let sum = IDENTITY
  for (const bit of scalar.toString(2)) {
    sum = add(sum, sum)
    if (bit === '1') sum = add(sum, point)
  }
  return sum
}

/** A square root, where there is one. */
function root(square: bigint): bigint | undefined {
  const candidate = power(square, (p + 3n) / 8n)
  const other = mod(candidate * power(2n, (p - 1n) / 4n))
  return [candidate, other].find((x) => mod(x * x) === mod(square))
}

function pointAt(y: bigint): Point | undefined {
  const x = root(mod((y * y - 1n) * inverse(mod(d * y * y + 1n))))
  return x === undefined ? undefined : { x, y }
}

function encodeY(y: bigint, sign: boolean): Uint8Array {
  const bytes = Uint8Array.from({ length: 32 }, (_, i) => Number((y >> BigInt(8 * i)) & 255n))
  bytes[31] = (bytes[31] ?? 0) | (sign ? 0x80 : 0)
  return bytes
}

const encode = ({ x, y }: Point): Uint8Array => encodeY(y, x % 2n === 1n)

/** What is left of a point when its prime-order part is multiplied away has small order. */
function torsion(): Point[] {
  for (let y = 2n; ; y += 1n) {
    const point = pointAt(y)
    if (point === undefined) continue
    const small = times(point, order)
    if (times(small, 4n).y === 1n && times(small, 4n).x === 0n) continue
    return Array.from({ length: 8 }, (_, i) => times(small, BigInt(i)))
  }
}

test('all eight points of small order, computed here, are weak', () => {
  const points = torsion()
  assert.equal(new Set(points.map((point) => encodeHex(encode(point)))).size, 8)
  for (const point of points) {
    assert.deepEqual(times(point, 8n), IDENTITY)
    assert.equal(findPublicKeyProblem(encode(point)), 'KEY_WEAK', encodeHex(encode(point)))
  }
})

test('one signature fits every message under the identity key, which is why it is refused', () => {
  // [S]B = R + [k]A, where k is the hash of the message: with R = A = identity and S = 0 both
  // sides are the identity for any k. Node 20 accepts it, Node 24 does not: we do not depend on it.
  const forged = { r: IDENTITY, s: 0n }
  const base = pointAt(mod(4n * inverse(5n))) ?? assert.fail('the base point is on the curve')
  for (const message of ['pay 1', 'pay 1000000', '']) {
    const digest = createHash('sha512').update(encode(IDENTITY)).update(message).digest('hex')
    const k = BigInt(`0x${digest}`) % order
    assert.deepEqual(times(base, forged.s), add(forged.r, times(IDENTITY, k)))
  }
  assert.equal(findPublicKeyProblem(encode(IDENTITY)), 'KEY_WEAK')
})

test('whatever node says about a signature under a weak key, the key is never registered', () => {
  const header = decodeHex('302a300506032b6570032100') ?? assert.fail('not hex')
  const signature = joinBytes(encode(IDENTITY), new Uint8Array(32))
  for (const point of torsion()) {
    const key = globalThis.Buffer.from(joinBytes(header, encode(point)))
    const accepts = verify(
      null,
      encodeUtf8('pay 1'),
      createPublicKey({ key, format: 'der', type: 'spki' }),
      signature,
    )
    const verdict = findPublicKeyProblem(encode(point))
    assert.equal(verdict, 'KEY_WEAK', `node ${accepts ? 'accepts' : 'refuses'} it`)
  }
})

test('keys that node makes pass', () => {
  for (let i = 0; i < 100; i += 1) {
    const { publicKey } = generateKeyPairSync('ed25519')
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    assert.equal(findPublicKeyProblem(raw), undefined, encodeHex(raw))
  }
})

test('a key is left as it was', () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  raw[31] = (raw[31] ?? 0) | 0x80
  const before = encodeHex(raw)
  findPublicKeyProblem(raw)
  assert.equal(encodeHex(raw), before)
})

test('only 32 bytes are a key', () => {
  const good = encode(pointAt(4n) ?? pointAt(5n) ?? IDENTITY)
  for (const length of [0, 1, 31, 33, 64]) {
    const bytes = Uint8Array.from({ length }, (_, i) => good[i] ?? 0)
    assert.equal(findPublicKeyProblem(bytes), 'KEY_ENCODING', `${length} bytes`)
  }
})

test('y is below the field prime: its 19 second spellings are refused, whatever their sign', () => {
  for (let y = p; y < 2n ** 255n; y += 1n) {
    assert.equal(findPublicKeyProblem(encodeY(y, false)), 'KEY_ENCODING')
    assert.equal(findPublicKeyProblem(encodeY(y, true)), 'KEY_ENCODING')
  }
  assert.equal(findPublicKeyProblem(encodeY(p - 1n, false)), 'KEY_WEAK', 'the last y is canonical')
})

test('a point with x = 0 has no sign', () => {
  for (const y of [1n, p - 1n]) {
    assert.equal(findPublicKeyProblem(encodeY(y, false)), 'KEY_WEAK')
    assert.equal(findPublicKeyProblem(encodeY(y, true)), 'KEY_ENCODING')
  }
})

test('bytes are a key exactly when they are a point of the curve', () => {
  const seen = { on: 0, off: 0 }
  for (let y = 2n; y < 66n; y += 1n) {
    for (const candidate of [y, p - y]) {
      const isOn = pointAt(candidate) !== undefined
      seen[isOn ? 'on' : 'off'] += 1
      for (const sign of [false, true]) {
        const expected = isOn ? undefined : 'KEY_ENCODING'
        assert.equal(findPublicKeyProblem(encodeY(candidate, sign)), expected, `y = ${candidate}`)
      }
    }
  }
  assert(seen.on > 30 && seen.off > 30)
})

test('an R of small order is known in both of its signs, and another R is not one', () => {
  const signature = new Uint8Array(64)
  assert.equal(hasSmallOrderR(signature), true)
  signature[31] = 0x80
  assert.equal(hasSmallOrderR(signature), true)
  signature[0] = 2
  assert.equal(hasSmallOrderR(signature), false)
  assert.equal(hasSmallOrderR(signature.subarray(0, 31)), false)
})
