import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract } from '../contract/contract.ts'
import { contractTurn } from './contract-turn.ts'

const version = (effective_from: string, effective_until?: string) => ({
  contract: { effective_from, effective_until } as Contract,
})
const NOW = '2026-03-02T10:00:00.000Z'
const SOON = '2026-03-02T10:00:00.001Z'
const LATER = '2026-03-03T00:00:00.000Z'

test('the next turn is the first begin or end that lies ahead', () => {
  assert.equal(contractTurn([], NOW), undefined)
  assert.equal(contractTurn([version(NOW, NOW)], NOW), undefined, 'now is not ahead')
  assert.equal(contractTurn([version(NOW, LATER), version(SOON)], NOW), SOON)
  assert.equal(contractTurn([version(NOW, SOON), version(LATER)], NOW), SOON)
  assert.equal(contractTurn([version(SOON)], SOON), undefined)
})

test('a time that cannot be read is long past', () => {
  assert.equal(contractTurn([version('some day')], NOW), undefined)
  assert.equal(contractTurn([version(SOON)], '?'), SOON)
})
