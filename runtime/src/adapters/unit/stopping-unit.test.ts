import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import { isGoingFirst } from './stopping-unit.ts'

const lifecycle: Write = {
  kind: 'append',
  trajectory: AUTHORITY,
  entry: 'lifecycle',
  payload: '{}',
}
const dispatch: Write = { kind: 'append', trajectory: MAIN, entry: 'dispatch', payload: '{}' }

test('what moves an agent goes before what waits, and a step of its own does not', () => {
  assert.equal(isGoingFirst({ guards: [], writes: [lifecycle] }), true)
  assert.equal(isGoingFirst({ guards: [], writes: [dispatch, lifecycle] }), false)
  assert.equal(isGoingFirst({ guards: [], writes: [dispatch] }), false)
})
