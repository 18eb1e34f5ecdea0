import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract } from '../contract/contract.ts'
import { findContractTurn } from './contract-turn.ts'

const version = (effective_from: string, effective_until?: string) => ({
  contract: { effective_from, effective_until } as Contract,
})
const NOW = '2026-03-02T10:00:00.000Z'
const SOON = '2026-03-02T10:00:00.001Z'
const LATER = '2026-03-03T00:00:00.000Z'

test('the next turn is the first begin or end that lies ahead', () => {
  assert.equal(findContractTurn([], NOW), undefined)
  assert.equal(findContractTurn([version(NOW, NOW)], NOW), undefined, 'now is not ahead')
  assert.equal(findContractTurn([version(NOW, LATER), version(SOON)], NOW), SOON)
  assert.equal(findContractTurn([version(NOW, SOON), version(LATER)], NOW), SOON)
  assert.equal(findContractTurn([version(SOON)], SOON), undefined)
})

test('a time that cannot be read is long past', () => {
  assert.equal(findContractTurn([version('some day')], NOW), undefined)
  assert.equal(findContractTurn([version(SOON)], '?'), SOON)
})
