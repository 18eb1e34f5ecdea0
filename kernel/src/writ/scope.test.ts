import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasScopeFor, intersectScopes, isScopeInside, selectScopes } from './scope.ts'

test('a kind is covered by its name or by a prefix', () => {
  assert.ok(hasScopeFor([{ kind: 'BUY' }], 'BUY'))
  assert.ok(hasScopeFor([{ kind: 'SELL' }, { kind: 'payments.*' }], 'payments.refund'))
  assert.ok(hasScopeFor([{ kind: '*' }], 'BUY'))
  assert.ok(!hasScopeFor([{ kind: 'BUY' }], 'BUY2'))
  assert.ok(!hasScopeFor([{ kind: 'payments.*' }], 'payments'))
  assert.ok(!hasScopeFor([], 'BUY'))
})

test('a kind is a name, never an expression', () => {
  assert.ok(!hasScopeFor([{ kind: 're:B' }], 'B'))
  assert.ok(hasScopeFor([{ kind: 're:B' }], 're:B'))
})

test('all scopes of a kind are found', () => {
  const scopes = [{ kind: 'B*' }, { kind: 'SELL' }, { kind: 'BUY' }]
  assert.deepEqual(selectScopes(scopes, 'BUY'), [{ kind: 'B*' }, { kind: 'BUY' }])
})

test('a set that the parent narrows cannot be left out', () => {
  const parent = { kind: '*', resources: { accounts: ['a*'] } }
  assert.ok(isScopeInside({ kind: 'BUY', resources: { accounts: ['a1'], more: ['x'] } }, [parent]))
  assert.ok(isScopeInside({ kind: 'BUY', resources: { accounts: [] } }, [parent]))
  assert.ok(!isScopeInside({ kind: 'BUY' }, [parent]))
  assert.ok(!isScopeInside({ kind: 'BUY', resources: { accounts: ['b'] } }, [parent]))
  assert.ok(!isScopeInside({ kind: 'BUY' }, [{ kind: 'BUY', resources: { constructor: ['x'] } }]))
})

test('the overlap is the narrower of both, and disjoint kinds have none', () => {
  assert.deepEqual(intersectScopes({ kind: 'pay.*' }, { kind: '*' }), { kind: 'pay.*' })
  assert.equal(intersectScopes({ kind: 'pay.*' }, { kind: 'BUY' }), undefined)
  const both = intersectScopes(
    { kind: 'BUY', resources: { i: ['x*', 'y'], a: ['1'] } },
    { kind: 'B*', resources: { i: ['x1', 'z'] } },
  )
  assert.deepEqual(
    { ...both, resources: { ...both?.resources } },
    { kind: 'BUY', resources: { i: ['x1'], a: ['1'] } },
  )
})

test('a scope of all resources holds every scope of its kind', () => {
  assert.ok(isScopeInside({ kind: 'BUY', resources: { accounts: ['a'] } }, [{ kind: 'BUY' }]))
  assert.ok(isScopeInside({ kind: 'BUY' }, [{ kind: '*' }]))
  assert.ok(!isScopeInside({ kind: 'SELL' }, [{ kind: 'BUY' }]))
})
