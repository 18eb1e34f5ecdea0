import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CapabilityLaw } from '../execution/capability.ts'
import { resolveJitFields } from './fields.ts'

/** A capability, as far as `jit` goes; what it says is other people's code. */
function says(jit: () => unknown): ReturnType<typeof resolveJitFields> {
  const description = { jit_fields: ['price', 'cash', 'held', 'volume'] }
  return resolveJitFields({ jit, description } as unknown as CapabilityLaw, {})
}

const price = { path: 'market.price', kind: 'telemetry' }

test('fields are taken by name, with path and kind and nothing else', () => {
  const cash = { path: 'accounts.cash', kind: 'balance' }
  const held = { path: 'positions.held', kind: 'position' }
  assert.deepEqual(
    { ...says(() => ({ price: { ...price, limit: 9 }, cash, held })) },
    {
      price,
      cash,
      held,
    },
  )
  assert.deepEqual({ ...says(() => ({})) }, {})
})

test('the parameters reach the capability', () => {
  const law = {
    description: { jit_fields: ['price'] },
    jit: ({ item }: { item: string }) => ({ price: { ...price, path: `price.${item}` } }),
  } as unknown as CapabilityLaw
  assert.equal(resolveJitFields(law, { item: 'tea' })?.price?.path, 'price.tea')
})

test('a capability that throws, or answers what is no JSON, cannot say what must not move', () => {
  const answers: readonly (() => unknown)[] = [
    () => {
      throw new Error('bang')
    },
    () => undefined,
    () => Promise.resolve({}),
    () => new Map([['price', price]]),
    () => ({ price: { ...price, path: undefined } }),
  ]
  for (const answer of answers) assert.equal(says(answer), undefined)
})

test('one field that cannot be read spoils them all: it would be a value that nobody watches', () => {
  const wrong: readonly unknown[] = [
    null,
    [],
    'price',
    { price, volume: null },
    { price, volume: 'market.volume' },
    { price, volume: { path: 'market.volume' } },
    { price, volume: { path: 7, kind: 'telemetry' } },
    { price, volume: { path: 'market.volume', kind: 'price' } },
    { price, volume: { path: 'market.volume', kind: 'toString' } },
    { price, 'the volume': { path: 'market.volume', kind: 'telemetry' } },
    { price, undeclared: { path: 'market.volume', kind: 'telemetry' } },
  ]
  for (const one of wrong)
    assert.equal(
      says(() => one),
      undefined,
      JSON.stringify(one),
    )
})
