import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveAgentState } from './agent-state.ts'

test('an active agent is shown as escalated while a flow of its waits, and only then', () => {
  assert.equal(deriveAgentState('ACTIVE', 0), 'ACTIVE')
  assert.equal(deriveAgentState('ACTIVE', 1), 'ESCALATED')
})

test('waiting flows say nothing about an agent that does not act', () => {
  for (const status of ['INITIALIZING', 'SUSPENDED', 'RETIRED'] as const)
    assert.equal(deriveAgentState(status, 2), status)
})
