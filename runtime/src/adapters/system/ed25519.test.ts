import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nodeCrypto } from 'rubicon-verifier'
import { derivePrivateKey, poolChecker, signMessage, signNow, verifyNow } from './ed25519.ts'

const VECTORS = new URL('../../../../../shared/vectors/ed25519-cctv.json', import.meta.url)
const withoutVectors =
  !existsSync(VECTORS) && 'NOT BESIDE: there is no ../shared/vectors beside this checkout'

test('the runtime takes no signature that a verifier refuses', {
  skip: withoutVectors,
}, async () => {
  let accepted = 0
  for (const { number, ...texts } of JSON.parse(readFileSync(VECTORS, 'utf8'))) {
    const [key, signature] = [Buffer.from(texts.key, 'hex'), Buffer.from(texts.sig, 'hex')]
    const message = Buffer.from(texts.msg)
    const wanted = nodeCrypto.verifyEd25519(key, message, signature)
    assert.equal(verifyNow(key, message, signature), wanted, `now, case ${number}`)
    assert.equal(await poolChecker.verify(key, message, signature), wanted, `case ${number}`)
    if (wanted) accepted += 1
  }
  assert.equal(accepted, 43)
})

test('bytes that are no key, and a signature of another length, are false and no error', async () => {
  const message = Uint8Array.of(1)
  for (const [key, signature] of [
    [new Uint8Array(31), new Uint8Array(64).fill(7)],
    [new Uint8Array(32).fill(0xff), new Uint8Array(64).fill(7)],
    [readKey(), new Uint8Array(12).fill(7)],
    [readKey(), new Uint8Array(0)],
  ] as const) {
    assert.equal(verifyNow(key, message, signature), false)
    assert.equal(await poolChecker.verify(key, message, signature), false)
  }
})

test('whoever signs alone waits for no other thread, and of many only the first do not', async () => {
  const key = derivePrivateKey(new Uint8Array(32).fill(7))
  const messages = [1, 2, 3, 4, 5].map((byte) => Uint8Array.of(byte))
  // What others signed in this turn is over.
  await new Promise<void>((go) => setImmediate(go))
  let isTurned = false
  // Behind everything that waits for no other thread, and before the event loop turns.
  process.nextTick(() => {
    isTurned = true
  })
  const turned: boolean[] = []
  const signatures = await Promise.all(
    messages.map(async (message) => {
      const signature = await signMessage(key, message)
      turned.push(isTurned)
      return signature
    }),
  )
  assert.deepEqual(
    signatures,
    messages.map((message) => signNow(key, message)),
  )
  assert.deepEqual(turned, [false, false, true, true, true])
})

/** The base point. */
function readKey(): Uint8Array {
  return Uint8Array.of(0x58, ...new Uint8Array(31).fill(0x66))
}
