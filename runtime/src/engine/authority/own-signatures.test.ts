import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poolChecker } from '../../adapters/system/ed25519.ts'
import { createSeededSigner } from '../../adapters/system/signer.ts'
import type { SignatureChecker, Signer } from '../../ports/signer.ts'
import { checkSignature, signText } from '../rows/sign.ts'
import { OwnSignatures } from './own-signatures.ts'

const SEED = new Uint8Array(32)

type Stage = {
  sign(text: string): Promise<string>
  check(text: string, sig: string, type?: string, purpose?: 'kernel' | 'issuer'): Promise<boolean>
  computed(): number
}

function stage(signer: Signer = createSeededSigner(SEED, ['kernel', 'issuer'])): Stage {
  let computed = 0
  const checker: SignatureChecker = {
    verify(...given) {
      computed += 1
      return poolChecker.verify(...given)
    },
  }
  const deps = { signer, checker, own: new OwnSignatures(), authorities: null }
  return {
    sign: async (text) => (await signText(deps, 'kernel', 'intent', text)).sig,
    check(text, sig, type = 'intent', purpose = 'kernel') {
      const key = signer.publicKey(purpose)?.public_key ?? ''
      return checkSignature(deps, key, type, text, sig)
    },
    computed: () => computed,
  }
}

test('the first signature of a key is checked, the next ones are recognised', async () => {
  const { sign, check, computed } = stage()
  for (const text of ['a', 'b', 'c']) {
    const sig = await sign(text)
    assert.equal(await check(text, sig), true)
    assert.equal(await check(text, sig), true)
  }
  assert.equal(computed(), 1)
})

test('another text, type, key or signature is checked, and refused', async () => {
  const { sign, check, computed } = stage()
  const sig = await sign('pay alice')
  const other = await sign('pay bob')
  assert.equal(await check('pay alice', sig), true)
  const before = computed()
  assert.equal(await check('pay mallory', sig), false)
  assert.equal(await check('pay alice', sig, 'writ'), false)
  assert.equal(await check('pay alice', sig, 'intent', 'issuer'), false)
  assert.equal(await check('pay alice', other), false)
  assert.equal(computed(), before + 4)
})

test('a signer that returns the wrong bytes is not believed', async () => {
  const honest = createSeededSigner(SEED, ['kernel'])
  const { sign, check, computed } = stage({
    ...honest,
    sign: async () => new Uint8Array(64).fill(7),
  })
  const sig = await sign('pay alice')
  assert.equal(await check('pay alice', sig), false)
  assert.equal(await check('pay alice', sig), false)
  assert.equal(computed(), 2)
})

test('what was signed elsewhere is checked each time', async () => {
  const here = stage()
  const sig = await stage().sign('pay alice')
  assert.equal(await here.check('pay alice', sig), true)
  assert.equal(await here.check('pay alice', sig), true)
  assert.equal(here.computed(), 2)
})

test('what was forgotten is checked again', async () => {
  const { sign, check, computed } = stage()
  const first = await sign('first')
  assert.equal(await check('first', first), true)
  for (let i = 0; i < 2 * 8_192; i += 1) await sign(`later ${i}`)
  const before = computed()
  assert.equal(await check('first', first), true)
  assert.equal(computed(), before + 1)
})
