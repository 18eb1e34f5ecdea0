import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { WritScope } from '../writ/writ.ts'
import type { Contract } from './contract.ts'
import { parseContract } from './parse-contract.ts'
import {
  checkResourceScopes,
  createScopeTest,
  type ResourceScopeInput,
  type ScopeTestInput,
} from './resource-scope.ts'

function contractWith(resources: JsonObject): Contract {
  const result = parseContract({
    agent_id: 'a',
    version: '1.0.0',
    owner: 'o',
    effective_from: '2026-01-01',
    mission: 'm',
    permissions: { policy_kinds: ['BUY'], resources },
  })
  assert.ok(result.ok)
  return result.value
}

const contract = contractWith({ instruments: ['ETH-*', 'BTC-USD'], accounts: ['a1', 'a2'] })
const everything: readonly WritScope[] = [{ kind: 'BUY' }]

function writs(...chain: readonly (readonly WritScope[])[]): Pick<ResourceScopeInput, 'writs'> {
  return { writs: chain.map((scopes) => ({ scopes })) }
}

function refusedBy(given: Partial<ResourceScopeInput>): readonly JsonValue[] {
  const found = checkResourceScopes({
    contract,
    ...writs(everything),
    policyKind: 'BUY',
    scopes: { instruments: '/instrument' },
    params: { instrument: 'ETH-USD' },
    ...given,
  })
  assert.ok(found.every(({ code }) => code === 'RESOURCE_SCOPE'))
  return found.map(({ details }) => details.by ?? null)
}

test('a resource that the contract grants passes', () => {
  assert.deepEqual(refusedBy({}), [])
  assert.deepEqual(refusedBy({ params: { instrument: ['ETH-USD', 'BTC-USD'] } }), [])
})

test('a resource outside the set is refused, alone or among others', () => {
  assert.deepEqual(refusedBy({ params: { instrument: 'DOGE' } }), ['contract'])
  assert.deepEqual(refusedBy({ params: { instrument: ['ETH-USD', 'DOGE'] } }), ['contract'])
})

test('a set that the contract does not grant admits nothing', () => {
  assert.deepEqual(refusedBy({ contract: contractWith({}) }), ['contract'])
  assert.deepEqual(refusedBy({ scopes: { constructor: '/instrument' } }), ['contract'])
})

test('a call that names no resource is refused: to a provider none can mean all', () => {
  const wrong: readonly JsonValue[] = [[], null, 7, ['ETH-USD', 7], { a: 1 }]
  for (const instrument of wrong) assert.deepEqual(refusedBy({ params: { instrument } }), ['call'])
  assert.deepEqual(refusedBy({ params: {} }), ['call'])
})

test('a capability that touches no set needs none', () => {
  assert.deepEqual(refusedBy({ scopes: {}, ...writs([]), params: {} }), [])
})

test('the writ narrows what the contract grants', () => {
  const narrow = writs([{ kind: 'B*', resources: { instruments: ['BTC-USD', 'DOGE'] } }])
  assert.deepEqual(refusedBy(narrow), ['writ'])
  assert.deepEqual(refusedBy({ ...narrow, params: { instrument: 'BTC-USD' } }), [])
  assert.deepEqual(refusedBy({ ...narrow, params: { instrument: 'DOGE' } }), ['contract'])
  assert.deepEqual(refusedBy(writs([{ kind: 'SELL' }])), ['writ'])
})

test('every writ of the chain must admit the call', () => {
  const narrow: readonly WritScope[] = [{ kind: 'BUY', resources: { instruments: ['BTC-USD'] } }]
  assert.deepEqual(refusedBy(writs(everything, narrow)), ['writ'])
  assert.deepEqual(refusedBy(writs(everything, everything)), [])
})

test('one scope must admit the whole call', () => {
  const apart = writs([
    { kind: 'BUY', resources: { instruments: ['ETH-USD'], accounts: ['a1'] } },
    { kind: 'BUY', resources: { instruments: ['BTC-USD'], accounts: ['a2'] } },
  ])
  const scopes = { instruments: '/instrument', accounts: '/account' }
  const by = (instrument: JsonValue, account: string): readonly JsonValue[] =>
    refusedBy({ ...apart, scopes, params: { instrument, account } })
  assert.deepEqual(by('ETH-USD', 'a1'), [])
  assert.deepEqual(by('BTC-USD', 'a2'), [])
  assert.deepEqual(by('BTC-USD', 'a1'), ['writ'])
  assert.deepEqual(by(['ETH-USD', 'BTC-USD'], 'a1'), ['writ'])
})

test('an expression admits only with an engine', () => {
  const granted = contractWith({ instruments: ['re:ETH-[A-Z]+'] })
  const regex = (expression: string): boolean => expression === 'ETH-[A-Z]+'
  assert.deepEqual(refusedBy({ contract: granted }), ['contract'])
  assert.deepEqual(refusedBy({ contract: granted, regex }), [])
})

test('a place in a list that is empty names nothing, and is refused', () => {
  const scopes = { instruments: '/list/*' }
  assert.deepEqual(refusedBy({ scopes, params: { list: ['ETH-USD'] } }), [])
  assert.equal(refusedBy({ scopes, params: { list: [] } }).length, 1)
})

test('values are held one by one against contract and writs, as a call that names them would be', () => {
  const narrow: readonly WritScope[] = [{ kind: 'B*', resources: { instruments: ['ETH-USD'] } }]
  const admitted = (given: Partial<ScopeTestInput>): readonly string[] => {
    const base = { contract, ...writs(everything), policyKind: 'BUY', set: 'instruments' }
    return ['ETH-USD', 'ETH-EUR', 'DOGE'].filter(createScopeTest({ ...base, ...given }))
  }
  assert.deepEqual(admitted({}), ['ETH-USD', 'ETH-EUR'])
  assert.deepEqual(admitted(writs(everything, narrow)), ['ETH-USD'])
  assert.deepEqual(admitted(writs([{ kind: 'SELL' }])), [])
  assert.deepEqual(admitted({ policyKind: 'SELL' }), [], 'a kind that the contract does not grant')
  assert.deepEqual(admitted({ set: 'venues' }), [])
})
