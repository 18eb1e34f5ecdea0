import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WritBody } from 'rubicon-kernel'
import { places, verifyTwice } from '../agreement.test-support.ts'
import { createKept } from '../kept/parts.ts'
import { LedgerBuilder } from '../ledger-builder.test-support.ts'
import { bootstrap, DFID, dispatch, grant, writBody } from '../sample-ledger.test-support.ts'
import { createBudgets } from './budgets.ts'

const writ = (nonce: string, budget: WritBody['budget']): WritBody =>
  ({ nonce, budget }) as unknown as WritBody

test('a child gives back no more than it has left', () => {
  const budgets = createBudgets(createKept())
  const parent = writ('parent', { calls: '10' })
  const child = writ('child', { calls: '9' })
  assert.deepEqual(budgets.reserve(parent, child.budget), [])
  assert.deepEqual(budgets.reserve(child, { calls: '2' }), [])
  assert.deepEqual(budgets.giveBack(child, parent, { calls: '8' }), [
    'more goes back than was left',
  ])
})

test('what was thought is spent, whatever an intent costs', () => {
  const budgets = createBudgets(createKept())
  const own = writ('own', { calls: '10', tokens: '5' })
  budgets.report(own, { tokens: '5' })
  assert.deepEqual(budgets.reserve(own, { calls: '1' }), [])
  budgets.report(own, { tokens: '1' })
  assert.deepEqual(budgets.reserve(own, { calls: '1' }), ['`tokens` of its writ is spent'])
  const over = ['more `tokens` is taken than its writ grants']
  assert.deepEqual(budgets.reserve(own, { calls: '1', tokens: '1' }), over, 'said once')
})

test('AUTHORITY_ORDER: what an agent says of its reasoning is spent, and then nothing is decided', async () => {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writ_id = grant(builder, writBody(builder, { budget: { calls: '10', tokens: '5' } }))
  const says = (tokens: string): void => {
    const payload = { salt: 'c2FsdA==', writ_id, source: 'agent', used: { tokens } }
    builder.append('main', 'evidence', payload, { dfid: DFID })
  }
  says('5')
  dispatch(builder, writ_id)
  assert.deepEqual(places(await verifyTwice(builder.text())), [])
  says('1')
  dispatch(builder, writ_id, { step_id: 'step-2' })
  assert.deepEqual(places(await verifyTwice(builder.text())), ['14 AUTHORITY_ORDER'])
})
