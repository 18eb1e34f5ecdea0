import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeltaOp } from './delta.ts'
import { selectReadableDelta } from './erased-leaves.ts'

const place = { kind: 'order', id: 'o1' } as const
const create: DeltaOp = { op: 'create', ...place, value: 1, expected_version: 3 }
const replace: DeltaOp = { op: 'replace', ...place, expected_version: 3, value: 1 }
const patch: DeltaOp = { op: 'patch', ...place, expected_version: 3, patch: { a: 1 } }
const retract: DeltaOp = { op: 'retract', ...place, expected_version: 3 }
const increment: DeltaOp = { op: 'increment', ...place, by: '1' }

test('what states the whole resource is applied, and says which version stood there', () => {
  for (const op of [create, replace, retract]) {
    const { delta, stated, unknown } = selectReadableDelta([op], () => true)
    assert.deepEqual(delta, [op])
    assert.deepEqual(
      [...stated.values()],
      [
        {
          ...place,
          version: 3,
          value: null,
          retracted: op.op === 'create',
          last_entry: '',
        },
      ],
    )
    assert.equal(unknown.size, 0)
  }
})

test('what changes a part of what was erased leaves a resource that nobody can compute', () => {
  const { expected_version: _, ...bare } = create as Extract<DeltaOp, { op: 'create' }>
  for (const op of [patch, increment, bare]) {
    const { delta, stated, unknown } = selectReadableDelta([op], () => true)
    assert.deepEqual(delta, [], op.op)
    assert.equal(stated.size, 0)
    assert.equal(unknown.size, 1)
  }
})

test('what is stated is known from then on', () => {
  const { delta, unknown } = selectReadableDelta([patch, replace, patch], () => true)
  assert.deepEqual(delta, [replace, patch])
  assert.equal(unknown.size, 0)
  assert.deepEqual(selectReadableDelta([patch, increment], () => false).delta, [patch, increment])
})
