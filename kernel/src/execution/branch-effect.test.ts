import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedIn, mayChooseFor } from './branch-effect.ts'

type Described = Parameters<typeof isAllowedIn>[1]

const PAY: Described = { kind: 'PAY', effect: 'keyed', world_only: false }

test('in main everything may be done, in a branch only what is gone with it', () => {
  assert.equal(isAllowedIn('main', PAY), true)
  assert.equal(isAllowedIn('what-if', PAY), false)
  assert.equal(isAllowedIn('what-if', { ...PAY, effect: 'read' }), true)
  assert.equal(isAllowedIn('what-if', { ...PAY, world_only: true }), true)
  assert.equal(isAllowedIn('what-if', { ...PAY, branches: 'world' }), true)
  for (const effect of ['put_if_match', 'queryable', 'unsafe'] as const)
    assert.equal(isAllowedIn('what-if', { ...PAY, effect }), false, effect)
})

test('what a recorded description says in another form than it has, it does not say', () => {
  const odd = JSON.parse('{"kind":"PAY","effect":"keyed","world_only":"yes","branches":true}')
  assert.equal(isAllowedIn('what-if', odd), false)
})

test('a reserved kind that holds for all trajectories is not for a branch, whatever its description says', () => {
  const allowed = ['SPAWN_CHILD', 'COMPENSATE', 'ESCALATE', 'RETIRE', 'HALT']
  for (const kind of [...allowed, 'SPAWN_INSTANCE', 'RESOLVE_ESCALATION']) {
    const described: Described = { ...PAY, kind, world_only: true, branches: 'world' }
    assert.equal(isAllowedIn('what-if', described), allowed.includes(kind), kind)
    assert.equal(isAllowedIn('main', described), true, kind)
  }
})

test('from a branch nothing is chosen for flows outside of it', () => {
  assert.equal(mayChooseFor('main', 'what-if'), true)
  assert.equal(mayChooseFor('what-if', 'what-if'), true)
  assert.equal(mayChooseFor('what-if', 'main'), false)
  assert.equal(mayChooseFor('what-if', 'another'), false)
})
