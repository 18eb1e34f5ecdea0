import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StateFact } from '../fact/state-fact.ts'
import { isReadable, type Readers } from './input.ts'

const fact = { path: 'news.rate', label: 'external' } as unknown as StateFact
const law = (accepts = {}): Readers['law'] => ({ description: { accepts } as never })
const contract = (accepts: object): Readers['contract'] => ({ permissions: { accepts } as never })

test('what is below the label that decides is read where the capability or the contract accepts it', () => {
  assert.equal(isReadable(fact, { law: law(), contract: null }), false)
  assert.equal(isReadable(fact, { law: law({ 'news.*': 'external' }), contract: null }), true)
  const accepting = contract({ 'news.*': 'external' })
  assert.equal(isReadable(fact, { law: law(), contract: accepting }), true)
  assert.equal(isReadable({ ...fact, path: 'other' }, { law: law(), contract: accepting }), false)
})
