import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { parseContract } from './parse-contract.ts'

const CONTRACT = {
  agent_id: 'trader_01',
  version: '1.2.0',
  owner: 'jane.doe@example.com',
  effective_from: '2026-02-01',
  mission: 'manage positions',
}

function parse(more: JsonObject, reads: readonly string[] = []): ReturnType<typeof parseContract> {
  return parseContract({ ...CONTRACT, permissions: { policy_kinds: ['BUY'], reads }, ...more })
}

test('finding 26d: a contract declares the context of its agent, in one spelling', () => {
  const declared = (working_context: JsonObject, reads?: readonly string[]): unknown => {
    const result = parse({ working_context }, reads)
    return result.ok ? result.value.working_context : result.error
  }
  const plain = parse({})
  assert.equal(plain.ok && 'working_context' in plain.value, false, 'as it always was')
  const all = ['session', 'state', 'memory', 'artifacts']
  assert.deepEqual(declared({}), { layers: all, requires: [], limits: {} })
  const limits = { tokens: 900, session: 5, memory: 0, artifacts: 1 }
  assert.deepEqual(
    declared({ layers: ['memory', 'state'], requires: ['market.price'], limits }, ['market.*']),
    { layers: ['state', 'memory'], requires: ['market.price'], limits },
  )
})

test('finding 26d: a declaration that could not be kept is refused', () => {
  const wrong = (working_context: JsonObject, reads?: readonly string[]): readonly string[] => {
    const result = parse({ working_context }, reads)
    return result.ok ? [] : result.error.map(({ path, detail }) => `${path.join('.')}: ${detail}`)
  }
  assert.deepEqual(wrong({ requires: ['market.price'] }, ['news.*']), [
    'working_context.requires.0: `market.price` is not in `permissions.reads`',
  ])
  assert.deepEqual(wrong({ layers: ['memory'], requires: ['market.price'] }), [
    'working_context.requires: names State, and `layers` leaves it out',
  ])
  assert.equal(wrong({ limits: { session: 0, memory: 11, artifacts: 6, tokens: 0 } }).length, 4)
  assert.equal(wrong({ limits: { world: 1 }, layers: ['world'], colour: 1 }).length, 3)
  assert.equal(wrong({ layers: ['state', 'state'] }).length, 1)
})

test('limits of a context are read up to both of their ends', () => {
  const isRead = (limits: JsonObject): boolean => parse({ working_context: { limits } }).ok
  for (const [name, least, most] of [
    ['tokens', 1, LIMITS.contextTokensDeclared],
    ['session', 1, LIMITS.contextSessionEvents],
    ['memory', 0, LIMITS.contextMemoryEntries],
  ] as const) {
    for (const count of [least, most]) assert.ok(isRead({ [name]: count }), `${name} ${count}`)
    for (const count of [least - 1, most + 1]) assert.ok(!isRead({ [name]: count }), name)
  }
})
