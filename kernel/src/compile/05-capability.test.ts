import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused, staged } from './expect.test-support.ts'

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
