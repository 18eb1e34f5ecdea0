/** Ed25519 by node:crypto. Key objects are reused: importing one costs more than a signature. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { findPublicKeyProblem, hasSmallOrderR } from 'rubicon-kernel'
import type { SignatureChecker } from '../../ports/signer.ts'

const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC_KEYS_MAX = 1024

const signInPool = promisify(sign) as (
  algorithm: null,
  data: Uint8Array,
  key: KeyObject,
) => Promise<Uint8Array>
const verifyInPool = promisify(verify) as (
  algorithm: null,
  data: Uint8Array,
  key: KeyObject,
  signature: Uint8Array,
) => Promise<boolean>

export function derivePrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  })
}

export function toRawPublicKey(key: KeyObject): Uint8Array {
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return new Uint8Array(spki.subarray(SPKI_PREFIX.length))
}

/** Null: bytes that must not be taken as a key. */
const publicKeys = new Map<string, KeyObject | null>()

function toPublicKeyObject(raw: Uint8Array): KeyObject | null {
  const name = Buffer.from(raw).toString('latin1')
  let key = publicKeys.get(name)
  if (key === undefined) {
    key = findPublicKeyProblem(raw) === undefined ? importPublicKey(raw) : null
    if (publicKeys.size >= PUBLIC_KEYS_MAX) publicKeys.clear()
    publicKeys.set(name, key)
  }
  return key
}

function importPublicKey(raw: Uint8Array): KeyObject {
  const der = Buffer.concat([SPKI_PREFIX, raw])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

/** A decision makes one signature, and an act two, one after the other. */
const AT_ONCE = 2

/** Signatures that were made at once since the event loop last turned. */
let madeAtOnce = 0

/**
 * The first of a turn at once: to hand one to another thread and back takes longer than to make it. Where more
 * are asked for they are made in the thread pool, so that decisions go on meanwhile.
 */
export async function signMessage(key: KeyObject, message: Uint8Array): Promise<Uint8Array> {
  if (madeAtOnce >= AT_ONCE) return new Uint8Array(await signInPool(null, message, key))
  if (madeAtOnce === 0) setImmediate(forgetTurn)
  madeAtOnce += 1
  return signNow(key, message)
}

function forgetTurn(): void {
  madeAtOnce = 0
}

export function signNow(key: KeyObject, message: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, message, key))
}

/** As strict as the verifiers: what is taken here must still hold before any of them. */
export function verifyNow(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = toPublicKeyObject(publicKey)
  return key !== null && !hasSmallOrderR(signature) && verify(null, message, key, signature)
}

export const poolChecker: SignatureChecker = {
  async verify(publicKey, message, signature) {
    const key = toPublicKeyObject(publicKey)
    return key !== null && !hasSmallOrderR(signature) && verifyInPool(null, message, key, signature)
  },
}
