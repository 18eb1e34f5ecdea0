import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CasePatch, withCase } from './case.test-support.ts'
import { refused, staged } from './expect.test-support.ts'
import { reserved } from './reserved-case.test-support.ts'

test('a kind without a registered capability cannot be carried out', () => {
  refused({ capability: 'absent' }, 'CAPABILITY_UNKNOWN')
  refused({ facts: { capability: null } }, 'CAPABILITY_UNKNOWN')
})

test('the capability is the one that the facts name', () => {
  refused({ capability: 'changed' }, 'CAPABILITY_UNKNOWN')
})

test('every writ allows such an effect', () => {
  const low = { effect_ceiling: { irreversible: false } }
  assert.deepEqual(refused({ writ: low }, 'EFFECT_CEILING').details.missing, ['irreversible'])
  staged({ writ: low, description: { reversible: true } })
  refused({ writ: { effect_ceiling: { write: false } } }, 'EFFECT_CEILING')
})

test('an effect that stays inside needs no external ceiling, a read needs only to read', () => {
  const inside = { effect_ceiling: { external: false } }
  refused({ writ: inside }, 'EFFECT_CEILING')
  staged({ writ: inside, description: { world_only: true } })
  const reading = { effect_ceiling: { write: false, external: false, irreversible: false } }
  staged({ writ: reading, description: { effect: 'read' } })
})

const BRANCH: CasePatch = { facts: { flow: { trajectory: 'what-if' } } }

test('on a branch nothing is done that leaves its World, and the refusal says where and what', () => {
  const { details } = refused(BRANCH, 'BRANCH_EFFECT')
  assert.deepEqual(details, { trajectory: 'what-if', policy_kind: 'BUY' })
})

test('on a branch World is changed, something is read, and what keeps to World there is done', () => {
  staged({ ...BRANCH, description: { world_only: true } })
  staged({ ...BRANCH, description: { effect: 'read' } })
  staged({ ...BRANCH, description: { branches: 'world' } })
})

test('on a branch no instance is made, and nothing is decided that was asked elsewhere', () => {
  const spawn = reserved('SPAWN_CHILD', BRANCH)
  assert.equal(staged(spawn).intent.trajectory, 'what-if')
  for (const kind of ['SPAWN_INSTANCE', 'RESOLVE_ESCALATION']) {
    staged(reserved(kind))
    refused(reserved(kind, BRANCH), 'BRANCH_EFFECT')
  }
})

test('an approval does not lift where something is done', () => {
  const asks = { policy: 'asks', ...BRANCH } as const
  refused(asks, 'BRANCH_EFFECT')
  const approval = {
    request_id: 'request-1',
    decision: 'OVERRIDE',
    approver: 'ann@example.com',
    decisions: 1,
    binds: `sha256:${'0'.repeat(64)}`,
    rules_hash: withCase(asks).rules.hash,
    lifts: ['BRANCH_EFFECT', 'branch', 'kind', 'authority', 'policy:asks'],
    valid_until: '2026-03-02T10:10:00.000Z',
    decided_at: '2026-03-02T10:00:00.000Z',
  }
  const flow = { trajectory: 'what-if', state: 'ESCALATED' }
  refused({ ...asks, facts: { flow, approval } }, 'BRANCH_EFFECT')
})
