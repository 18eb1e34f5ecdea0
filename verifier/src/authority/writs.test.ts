import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address, WritBody } from 'rubicon-kernel'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { DFID, writBody } from '../samples/sample-ledger.test-support.ts'
import { createWrits, findWritProblem, LONGEST_CHAIN, listWritChain } from './writs.ts'

const builder = new LedgerBuilder()
const CHILD = '019c1200-0000-7000-8000-0000000000ca'

function idOf(number: number): Address {
  return `sha256:${String(number).padStart(64, '0')}`
}

test('what is remembered of a writ is all of it', () => {
  const writs = createWrits()
  const bodies: readonly WritBody[] = [
    writBody(builder),
    writBody(builder, { parent: idOf(1) }),
    writBody(builder, { subject_key: builder.kernel.id, nonce: CHILD }),
    writBody(builder, {
      parent: idOf(2),
      subject_key: builder.issuer.id,
      scopes: [],
      budget: {},
      delegation: { max_depth: 0, may_delegate: false },
      effect_ceiling: { read: true, write: false, external: false, irreversible: false },
    }),
  ]
  for (const [number, body] of bodies.entries()) writs.add(idOf(number), body)
  for (const [number, body] of bodies.entries()) assert.deepEqual(writs.get(idOf(number)), body)
  assert.equal(writs.get(idOf(9)), undefined)
})

test('of a flow whose writ was erased one id may be that writ, and no other one afterwards', () => {
  const writs = createWrits()
  assert.equal(writs.isErasedWritOf(DFID, idOf(1)), false)
  assert.equal(writs.isErasedWritOf(undefined, idOf(1)), false)
  writs.erase(DFID)
  assert.equal(writs.isErasedOf(DFID), true)
  assert.equal(writs.isErasedOf(CHILD), false)
  assert.equal(writs.isErased(idOf(1)), false, 'nobody has named it')
  assert.equal(writs.isErasedWritOf(CHILD, idOf(1)), false)
  assert.equal(writs.isErasedWritOf(DFID, idOf(1)), true)
  assert.equal(writs.isErasedWritOf(DFID, idOf(1)), true)
  assert.equal(writs.isErasedWritOf(DFID, idOf(2)), false)
  assert.equal(writs.isErased(idOf(1)), true)
  assert.equal(writs.isErased(idOf(2)), false)
})

test('a chain goes up to the first writ, as far as it is known, and never for ever', () => {
  const writs = createWrits()
  writs.add(idOf(0), writBody(builder, { subject: 'a0' }))
  for (let number = 1; number < 20; number += 1)
    writs.add(idOf(number), writBody(builder, { subject: `a${number}`, parent: idOf(number - 1) }))
  const holders = (leaf: Address | undefined): readonly string[] =>
    listWritChain(writs, leaf).map(({ subject }) => subject)
  assert.deepEqual(holders(idOf(2)), ['a2', 'a1', 'a0'])
  assert.deepEqual(holders(undefined), [])
  assert.deepEqual(holders(idOf(99)), [])
  writs.add(idOf(50), writBody(builder, { subject: 'a50', parent: idOf(99) }))
  assert.deepEqual(holders(idOf(50)), ['a50'])
  assert.equal(holders(idOf(LONGEST_CHAIN - 1)).length, LONGEST_CHAIN)
  assert.equal(holders(idOf(LONGEST_CHAIN)).length, LONGEST_CHAIN)
  writs.add(idOf(60), writBody(builder, { parent: idOf(60) }))
  assert.equal(holders(idOf(60)).length, LONGEST_CHAIN)
})

test('a writ is for its tenant, and lies inside its parent, which is known or was erased', () => {
  const writs = createWrits()
  const parent = writBody(builder, { subject_key: builder.issuer.id })
  writs.add(idOf(1), parent)
  const delegation = { max_depth: 0, may_delegate: false }
  const child = writBody(builder, { nonce: CHILD, parent: idOf(1), delegation })
  const problem = (body: WritBody, above: string | undefined = DFID): string | undefined =>
    findWritProblem(body, writs, builder.tenant, above)
  assert.equal(problem(parent), undefined)
  assert.equal(problem(child), undefined)
  assert.equal(problem({ ...child, tenant: 'other' }), 'the writ is for another tenant')
  assert.equal(
    problem({ ...child, budget: { calls: '11' } }),
    'wider than its parent: budget.calls',
  )
  const orphan = { ...child, parent: idOf(2) }
  assert.equal(problem(orphan), 'the parent writ is not in the ledger')
  writs.erase(DFID)
  assert.equal(problem(orphan, CHILD), 'the parent writ is not in the ledger')
  assert.equal(problem(orphan), undefined)
  assert.equal(problem({ ...child, parent: idOf(3) }), 'the parent writ is not in the ledger')
})
