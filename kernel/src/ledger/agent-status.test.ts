import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classContract } from '../contract/class-contract.test-support.ts'
import type { AgentStatus } from '../contract/lifecycle.ts'
import { findAgentStatus } from './agent-status.ts'
import { type DeployedContract, NO_AUTHORITY } from './authority.ts'

const CLASS = 'position_manager'
const INSTANCE = 'position_42'

function statusOf(agent: string, statuses: Readonly<Record<string, AgentStatus>>) {
  const deployed = (change: object): readonly DeployedContract[] => [
    {
      contract: { ...classContract(), ...change },
      hash: `sha256:${'0'.repeat(64)}`,
      seq: 0,
      revoked: false,
      persons: { owner: '', approvers: [] },
    },
  ]
  const contracts = new Map([
    [CLASS, deployed({})],
    [INSTANCE, deployed({ agent_id: INSTANCE, instance_of: CLASS })],
  ])
  const authority = { ...NO_AUTHORITY, contracts, statuses: new Map(Object.entries(statuses)) }
  return findAgentStatus(authority, agent)
}

test('an instance is stopped with its class, for good before for a while', () => {
  const both = (ofClass: AgentStatus, own: AgentStatus) =>
    statusOf(INSTANCE, { [CLASS]: ofClass, [INSTANCE]: own })
  assert.equal(both('ACTIVE', 'ACTIVE'), 'ACTIVE')
  assert.equal(both('INITIALIZING', 'ACTIVE'), 'ACTIVE')
  assert.equal(both('ACTIVE', 'INITIALIZING'), 'INITIALIZING')
  assert.equal(both('SUSPENDED', 'ACTIVE'), 'SUSPENDED')
  assert.equal(both('ACTIVE', 'SUSPENDED'), 'SUSPENDED')
  assert.equal(both('RETIRED', 'SUSPENDED'), 'RETIRED')
  assert.equal(both('SUSPENDED', 'RETIRED'), 'RETIRED')
})

test('a class is not stopped with its instance, and nobody is what nobody recorded', () => {
  assert.equal(statusOf(CLASS, { [CLASS]: 'ACTIVE', [INSTANCE]: 'RETIRED' }), 'ACTIVE')
  assert.equal(statusOf('nobody', { [CLASS]: 'RETIRED' }), undefined)
})
