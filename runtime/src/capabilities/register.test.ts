import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CapabilityLaw } from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import type { Capability } from '../ports/capability.ts'
import { registerCapability } from './register.ts'

const plain: Capability = {
  kind: 'BUY',
  effect: 'keyed',
  risk: 'high',
  params: { type: 'object' },
  execute: () => ({}),
}

function lawOf(more: Partial<Capability>): CapabilityLaw {
  const registered = registerCapability({ ...plain, ...more }, sha256)
  assert.ok(registered.ok)
  return registered.value.law
}

test('a capability that watches nothing names no field', () => {
  assert.deepEqual(lawOf({}).jit({}), {})
})

test('a capability names the values it watches by its parameters', () => {
  const { jit } = lawOf({
    jit: ({ item }) => ({ price: { path: `price.${String(item)}`, kind: 'telemetry' } }),
  })
  assert.deepEqual(jit({ item: 'tea' }), { price: { path: 'price.tea', kind: 'telemetry' } })
})

test('what is watched is part of the code that the hash pins', () => {
  const sources = [
    lawOf({}),
    lawOf({ jit: () => ({ price: { path: 'price', kind: 'telemetry' } }) }),
    lawOf({ jit: () => ({ price: { path: 'price', kind: 'position' } }) }),
  ].map(({ description }) => description.source.hash)
  assert.equal(new Set(sources).size, 3)
})
