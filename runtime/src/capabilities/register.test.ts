import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CapabilityLaw, RESERVED_KINDS } from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import type { Capability, Effect } from '../ports/capability.ts'
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

test('what a capability offers as a compensation is described, in one order', () => {
  const undo = (): Effect => ({})
  assert.equal(lawOf({}).description.compensations, undefined)
  assert.deepEqual(lawOf({ compensate: undo }).description.compensations, ['REVERT'])
  const compensations = { CLOSE_ALL: undo, ADJUST: undo }
  assert.deepEqual(lawOf({ compensate: undo, compensations }).description.compensations, [
    'ADJUST',
    'CLOSE_ALL',
    'REVERT',
  ])
})

test('words that have a meaning already, or are none, are no compensations of a capability', () => {
  for (const name of ['REVERT', 'ALERT_HUMAN', 'close all', ''])
    assert.equal(
      registerCapability({ ...plain, compensations: { [name]: () => ({}) } }, sha256).ok,
      false,
      name,
    )
})

test('nobody registers a reserved kind', () => {
  for (const kind of RESERVED_KINDS) {
    const registered = registerCapability({ ...plain, kind }, sha256)
    assert.equal(registered.ok ? null : registered.error.summary, `\`${kind}\` is a reserved kind`)
  }
})
