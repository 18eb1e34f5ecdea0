import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isAboutEvent,
  isAllowedInMaintenance,
  isListingNeeded,
  isReserved,
  RESERVED_KINDS,
} from './reserved-kind.ts'

const NAMES = ['SPAWN_CHILD', 'SPAWN_INSTANCE', 'RESOLVE_ESCALATION', 'COMPENSATE', 'ESCALATE']
const KINDS = [...NAMES, 'RETIRE', 'HALT']

test('seven kinds are reserved, and none that a tool has', () => {
  assert.deepEqual([...RESERVED_KINDS].sort(), [...KINDS].sort())
  for (const kind of KINDS) assert.ok(isReserved(kind), kind)
  assert.ok(!isReserved('PAY'))
})

test('asking for a person and stopping has to be granted by nobody; everything else has', () => {
  assert.deepEqual(
    [...KINDS, 'PAY'].filter((kind) => !isListingNeeded(kind)),
    ['ESCALATE', 'RETIRE'],
  )
})

test('in maintenance an agent puts right, asks for a person or stops', () => {
  const allowed = [...KINDS, 'PAY'].filter(isAllowedInMaintenance)
  assert.deepEqual(allowed, ['COMPENSATE', 'ESCALATE', 'RETIRE'])
})

test('only a HALT is about an event', () => {
  assert.deepEqual([...KINDS, 'PAY'].filter(isAboutEvent), ['HALT'])
})
