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
    jit_fields: ['price'],
    jit: ({ item }) => ({ price: { path: `price.${String(item)}`, kind: 'telemetry' } }),
  })
  assert.deepEqual(jit({ item: 'tea' }), { price: { path: 'price.tea', kind: 'telemetry' } })
})

test('what is watched is part of the code that the hash pins', () => {
  const sources = [
    lawOf({}),
    lawOf({ jit_fields: ['price'], jit: () => ({ price: { path: 'price', kind: 'telemetry' } }) }),
    lawOf({ jit_fields: ['price'], jit: () => ({ price: { path: 'price', kind: 'position' } }) }),
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

/** What is said of a capability that is refused. */
function refusedFor(more: Partial<Capability>): string {
  const registered = registerCapability({ ...plain, ...more }, sha256)
  return registered.ok ? 'registered' : `${registered.error.summary}; ${registered.error.fix}`
}

const order = {
  type: 'object',
  properties: {
    instrument: { type: 'string' },
    to: { type: 'object', properties: { account: { type: 'string' } } },
    splits: { type: 'array', items: { type: 'object', properties: { to: { type: 'string' } } } },
  },
} as const

test('finding 2c: a reversed or misspelt scope is never registered', () => {
  const scoped = (scopes: Capability['scopes'] & {}): string =>
    refusedFor({ params: order, scopes })
  assert.equal(scoped({ instruments: '/instrument' }), 'registered')
  assert.match(
    scoped({ instrument: '/instruments' }),
    /`\/instruments`, which its parameters cannot/,
  )
  assert.match(scoped({ instruments: '/instrumnt' }), /cannot have/)
  assert.match(scoped({ '/instrument': 'instruments' }), /not a JSON pointer/)
})

test('a dotted path is refused, and told the pointer that it stands for', () => {
  assert.match(refusedFor({ params: order, scopes: { accounts: 'to.account' } }), /`\/to\/account`/)
  assert.match(
    refusedFor({ params: order, sinks: { 'to.account': ['trusted'] } }),
    /`\/to\/account`/,
  )
  assert.match(refusedFor({ params: order, sinks: { '/to~2': ['trusted'] } }), /not a JSON pointer/)
})

test('a sink is a place that the parameters can have, in arrays too', () => {
  for (const sink of ['/to/account', '/splits/*/to', '/splits/0/to'])
    assert.equal(refusedFor({ params: order, sinks: { [sink]: ['trusted'] } }), 'registered')
  for (const sink of ['/to/acount', '/splits/to', '/splits/*/from', '/to/*'])
    assert.match(refusedFor({ params: order, sinks: { [sink]: ['trusted'] } }), /cannot have/)
})

test('an exposure is one of the measures, with a threshold that can be compared', () => {
  const measures = { usd: () => '1' }
  const exposed = (measure: string, threshold: string): string =>
    refusedFor({ measures, exposure: { measure, threshold } })
  assert.equal(exposed('usd', '2500.00'), 'registered')
  assert.match(exposed('eur', '2500'), /none of its measures; name one of `measures`: usd/)
  assert.match(exposed('usd', 'much'), /no decimal/)
  assert.match(refusedFor({ exposure: { measure: 'usd', threshold: '1' } }), /it has none/)
})

test('the fields that are watched are described, and those that are not named are not watched', () => {
  const jit: NonNullable<Capability['jit']> = () => ({ price: { path: 'p', kind: 'telemetry' } })
  assert.deepEqual(lawOf({ jit, jit_fields: ['price', 'a'] }).description.jit_fields, [
    'a',
    'price',
  ])
  assert.match(refusedFor({ jit }), /no `jit_fields`/)
  assert.match(refusedFor({ jit_fields: ['price'] }), /no `jit`/)
  for (const jit_fields of [['the price'], ['price', 'price']])
    assert.match(refusedFor({ jit, jit_fields }), /is no jit field/)
})

test('what touches nothing names nothing that it touches', () => {
  assert.equal(lawOf({ touches: 'none' }).description.touches, 'none')
  assert.equal(lawOf({}).description.touches, undefined)
  const measures = { usd: () => '1' }
  const touching: readonly Partial<Capability>[] = [
    { params: order, scopes: { instruments: '/instrument' } },
    { params: order, sinks: { '/instrument': ['trusted'] } },
    { measures, exposure: { measure: 'usd', threshold: '1' } },
    { resources: () => [] },
  ]
  for (const more of touching)
    assert.match(refusedFor({ ...more, touches: 'none' }), /nothing, and/)
})
