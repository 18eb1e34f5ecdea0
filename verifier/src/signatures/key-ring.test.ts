/** Which key may sign where, and what is said of one that may not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type KeyPurpose,
  type Signature,
  toCanonicalText,
  toPositionAfter,
  toPositionAt,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { keyBody } from '../samples/ledger-builder.test-support.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import { createKeyRing, type Demand, type KeyRing } from './key-ring.ts'

const operator = sampleKey('operator', 'ring')
const kernel = sampleKey('kernel', 'ring')
const BODY = { quantity: '1.5' }

/** The operator's key is added at 1, the kernel's at 2. */
function createRing(signatures: 'all' | 'none' = 'all'): KeyRing {
  const ring = createKeyRing(nodeCrypto, signatures)
  ring.keys.apply(keyBody('add', operator), 1)
  ring.keys.apply(keyBody('add', kernel), 2)
  return ring
}

function placeOf(leaf: number): Demand['place'] {
  return { leaf, trajectory: 'main', seq: leaf - 2 }
}

function demand(change: Partial<Demand> = {}): Demand {
  return {
    type: 'intent',
    body: toCanonicalText(BODY),
    signature: kernel.sign('intent', BODY),
    purpose: 'kernel',
    position: toPositionAfter(5),
    place: placeOf(7),
    ...change,
  }
}

function forge(key_id: string): Signature {
  return { key_id, sig: sampleKey('kernel', 'another').sign('intent', BODY).sig }
}

test('a signature counts under a registered key, for its purpose, from its registration on', () => {
  const ring = createRing()
  assert.equal(ring.judge(demand()), undefined)
  assert.equal(ring.judge(demand({ purpose: null })), undefined, 'whatever it was registered for')
  const stranger = sampleKey('kernel', 'stranger')
  assert.equal(
    ring.judge(demand({ signature: stranger.sign('intent', BODY) })),
    `key \`${stranger.id}\` is not registered`,
  )
  assert.equal(
    ring.judge(demand({ purpose: 'operator' })),
    `key \`${kernel.id}\` is not valid here as a operator key`,
  )
  assert.equal(
    ring.judge(demand({ position: toPositionAfter(1) })),
    `key \`${kernel.id}\` is not valid here as a kernel key`,
  )
  assert.equal(
    ring.judge(demand({ purpose: null, position: toPositionAfter(1) })),
    `key \`${kernel.id}\` is not valid here`,
  )
  assert.equal(
    ring.judge(demand({ signature: forge(kernel.id) })),
    `the signature of \`${kernel.id}\` is invalid`,
  )
})

test('what is no base64 is no key and no signature, whatever the other one is', () => {
  const { holds } = createRing()
  const { sig } = kernel.sign('intent', BODY)
  const text = toCanonicalText(BODY)
  assert.equal(holds(kernel.text, 'intent', text, sig), true)
  assert.equal(holds(kernel.text, 'intent', text, '%'), false)
  assert.equal(holds('%', 'intent', text, sig), false)
  assert.equal(holds('%', 'intent', text, '%'), false)
})

test('without signatures only those of key entries are checked', () => {
  for (const type of ['key', 'intent'])
    for (const signatures of ['all', 'none'] as const) {
      const said = createRing(signatures).judge(demand({ type, signature: forge(kernel.id) }))
      const isPassed = signatures === 'none' && type === 'intent'
      assert.equal(said === undefined, isPassed, `${type}, ${signatures}`)
    }
})

test('who signed a proposal is a registered key, whatever it is registered for', () => {
  const text = toCanonicalText(BODY)
  const { sig } = operator.sign('proposal', BODY)
  const [all, none] = [createRing(), createRing('none')]
  assert.equal(all.isSigned(operator.id, 'proposal', text, sig), true)
  assert.equal(all.isSigned(kernel.id, 'proposal', text, sig), false)
  assert.equal(none.isSigned(kernel.id, 'proposal', text, sig), true, 'it is not looked at')
  for (const ring of [all, none])
    assert.equal(ring.isSigned('kernel-0000000000000000', 'proposal', text, sig), false)
})

test('a compromise reaches back to signatures that were good, of that key and since then', () => {
  const ring = createRing()
  const sign = (purpose: KeyPurpose, leaf: number, seq: number): void => {
    const signature = (purpose === 'kernel' ? kernel : operator).sign('intent', BODY)
    const place = placeOf(leaf)
    assert.equal(
      ring.judge(demand({ purpose, signature, place, position: toPositionAt(seq) })),
      undefined,
    )
  }
  sign('kernel', 10, 4)
  sign('operator', 11, 5)
  sign('kernel', 12, 5)
  sign('kernel', 13, 6)
  ring.judge(demand({ signature: forge(kernel.id), place: placeOf(14) }))
  assert.deepEqual(ring.compromised(), [])
  ring.keys.apply({ ...keyBody('compromise', kernel), since_seq: 5 }, 8)
  const detail = `key \`${kernel.id}\` was compromised before this`
  assert.deepEqual(
    ring.compromised(),
    [12, 13].map((leaf) => ({ ...placeOf(leaf), code: 'ENTRY_SIGNATURE', detail })),
  )
})
