import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GuardInput } from '../../ports/soft-guard.ts'
import { narrativeGuard } from './narrative.ts'

function input(justification: string, reducing: boolean): GuardInput {
  return {
    proposal: {},
    justification,
    context: {
      agent_id: 'trader_01',
      mission: 'Keep the position near its target.',
      trigger: 'price moved',
      policy_kind: 'BUY_LEVERAGE',
      reducing,
      reversible: false,
      risk: 'high',
      measures: {},
    },
  }
}

async function mismatch(justification: string, reducing = false): Promise<boolean> {
  const { signal } = new AbortController()
  return (await narrativeGuard().check(input(justification, reducing), signal)).mismatch
}

test('whoever says that he reduces must propose something that does', async () => {
  assert.equal(await mismatch('I am reducing risk before the weekend'), true)
  assert.equal(await mismatch('Hedge the exposure'), true)
  assert.equal(await mismatch('CLOSE what is left'), true)
  assert.equal(await mismatch('I am reducing risk before the weekend', true), false)
  assert.equal(await mismatch('The price is low, so I buy'), false)
  assert.equal(await mismatch(''), false)
})

test('only beginnings of words count', async () => {
  assert.equal(await mismatch('they disclosed the figures'), false)
  assert.equal(await mismatch('the figures were enclosed; now close'), true)
})

test('the finding names the words, and the kind that does not fit them', async () => {
  const { signal } = new AbortController()
  const { why } = await narrativeGuard().check(input('trim and hedge', false), signal)
  assert.equal(why, 'it says `hedg`, `trim`, and BUY_LEVERAGE does not lower exposure')
  const own = await narrativeGuard(['calm']).check(input('trim', false), signal)
  assert.equal(own.mismatch, false)
})
