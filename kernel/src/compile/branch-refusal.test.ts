import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type findBranchRefusal, findUndoRefusal } from './branch-refusal.ts'
import { withCase } from './case.test-support.ts'

function describeBuy(change: object = {}): Parameters<typeof findBranchRefusal>[1] {
  const law = withCase({ description: { ...change } }).rules.capability('BUY')
  assert.ok(law !== undefined)
  return law.description
}

test('what was done outside is not taken back in a branch', () => {
  assert.equal(findUndoRefusal('main', 'main', describeBuy()), null)
  assert.equal(findUndoRefusal('what-if', 'what-if', describeBuy())?.code, 'BRANCH_EFFECT')
  assert.equal(findUndoRefusal('main', 'what-if', describeBuy())?.code, 'BRANCH_EFFECT')
})

test('what keeps to World is taken back in its branch, by a choice in it or in main', () => {
  for (const chooser of ['what-if', 'main'])
    assert.equal(findUndoRefusal(chooser, 'what-if', describeBuy({ world_only: true })), null)
})

test('a choice in a branch takes nothing back elsewhere, also where World alone is changed', () => {
  const refusal = findUndoRefusal('what-if', 'main', describeBuy({ world_only: true }))
  assert.deepEqual(refusal?.details, { trajectory: 'what-if', policy_kind: 'BUY' })
  assert.equal(
    findUndoRefusal('what-if', 'other', describeBuy({ world_only: true }))?.code,
    'BRANCH_EFFECT',
  )
})
