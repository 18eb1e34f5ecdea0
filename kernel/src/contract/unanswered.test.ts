import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limit } from './contract.ts'
import { isMeasured } from './unanswered.ts'

const base = { id: 'l', on_breach: 'reject' } as const
const limit = (change: object): Limit => ({ ...base, ...change }) as unknown as Limit

test('a ratio is measured where both of its measures are', () => {
  const ratio = limit({ kind: 'ratio', measure: 'loss', of: 'equity', max: '0.1' })
  assert.equal(isMeasured(ratio, ['loss', 'equity']), true)
  assert.equal(isMeasured(ratio, ['loss']), false)
  assert.equal(isMeasured(ratio, ['equity']), false)
})

test('a parameter and a fact are there, whatever the capability measures', () => {
  assert.equal(isMeasured(limit({ kind: 'range', field: '/amount', max: '1' }), []), true)
  assert.equal(isMeasured(limit({ kind: 'range', measure: 'amount', max: '1' }), []), false)
  assert.equal(isMeasured(limit({ kind: 'state_match', path: 'a', equals: '1' }), []), true)
})
