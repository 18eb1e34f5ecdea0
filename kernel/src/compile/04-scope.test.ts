import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { type CasePatch, withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import { refused, staged } from './expect.test-support.ts'
import { reserved } from './reserved-case.test-support.ts'

/** A chain of that many writs, each allowing exactly the levels below it. */
const chain = (links: number, change: JsonObject = {}): CasePatch => ({
  writs: Array.from({ length: links }, (_, index) => ({
    delegation: { max_depth: index, may_delegate: index > 0 },
    ...change,
  })),
})

test('an agent needs a contract of its own and a place in the lifecycle', () => {
  refused({ contract: null }, 'AGENT_UNKNOWN')
  refused({ facts: { agent: { status: null } } }, 'AGENT_UNKNOWN')
  refused({ contract: { agent_id: 'somebody_else' } }, 'AGENT_UNKNOWN')
})

test('only an active agent acts, and each other state has its own word', () => {
  refused({ facts: { agent: { status: 'INITIALIZING' } } }, 'AGENT_NOT_ACTIVE')
  refused({ facts: { agent: { status: 'SUSPENDED' } } }, 'AGENT_SUSPENDED')
  refused({ facts: { agent: { status: 'RETIRED' } } }, 'AGENT_RETIRED')
})

test('an agent in maintenance acts only when it is out of it', () => {
  refused({ facts: { agent: { maintenance: true } } }, 'AGENT_MAINTENANCE')
})

test('a revoked contract stops open flows, and so does one that nobody knows', () => {
  refused({ facts: { contract: { revoked: true } } }, 'CONTRACT_REVOKED')
  refused({ facts: { contract: null } }, 'CONTRACT_REVOKED')
})

test('revocation of any writ of the chain reaches the leaf', () => {
  refused({ facts: { writs: { 0: { revoked: true } } } }, 'WRIT_REVOKED')
  const revoked_writ = `sha256:${'0'.repeat(64)}` as const
  refused({ facts: { flow: { revoked_writ } } }, 'WRIT_REVOKED')
  const facts = { writs: { 2: { revoked: true } } }
  refused({ ...chain(3), facts }, 'WRIT_REVOKED')
})

test('every writ of the chain is for this tenant and this service', () => {
  refused({ writ: { tenant: 'evil' } }, 'TENANT_MISMATCH')
  refused({ writs: [{}, { tenant: 'evil' }] }, 'DELEGATION_WIDENS')
  refused({ writs: [{ tenant: 'evil' }, { tenant: 'evil' }] }, 'TENANT_MISMATCH')
  refused({ writ: { audience: 'elsewhere' } }, 'WRIT_AUDIENCE')
})

test('the leaf is the agent’s own; its ancestors may be anybody’s', () => {
  refused({ writ: { subject: 'somebody_else' } }, 'WRIT_SUBJECT')
  staged({ writs: [{}, { subject: 'strategy_agent_01' }] })
})

test('a chain is as long as its root allows', () => {
  staged(chain(4))
  const root = { delegation: { max_depth: 2, may_delegate: false } }
  refused({ writs: [{ delegation: { max_depth: 1 } }, root] }, 'DELEGATION_DEPTH')
  const flat = { delegation: { max_depth: 1, may_delegate: true } }
  refused({ writs: [flat, flat] }, 'DELEGATION_DEPTH')
})

test('a chain has at most as many links as there is room for', () => {
  staged(chain(LIMITS.delegationDepth))
  const { details } = refused(chain(LIMITS.delegationDepth + 1), 'DELEGATION_DEPTH')
  assert.deepEqual(details, { links: LIMITS.delegationDepth + 1 })
})

test('a child that goes beyond its parent is refused and told where', () => {
  const { details } = refused({ writs: [{ budget: { calls: '101' } }, {}] }, 'DELEGATION_WIDENS')
  assert.deepEqual(details.dimensions, ['budget.calls'])
  refused({ writs: [{ scopes: [{ kind: '*' }] }, {}] }, 'DELEGATION_WIDENS')
})

test('an observer proposes nothing', () => {
  refused({ contract: { authority: 'OBSERVE' } }, 'AUTHORITY_OBSERVE_ONLY')
  staged({ contract: { authority: 'EXECUTE_FULL' } })
})

test('the contract lists what is allowed, and what is forbidden stays forbidden', () => {
  refused({ proposal: { policy_kind: 'LEND' } }, 'RBAC_DENIED')
  refused({ proposal: { policy_kind: 'WITHDRAW' } }, 'KIND_FORBIDDEN')
})

test('a kind that is forbidden and listed is forbidden', () => {
  const input = withCase({})
  assert.ok(input.contract !== null)
  const permissions = { ...input.contract.permissions, forbidden_kinds: ['BUY'] }
  const verdict = compile({ ...input, contract: { ...input.contract, permissions } })
  assert.equal(verdict.kind === 'rejected' && verdict.code, 'KIND_FORBIDDEN')
})

test('the writ covers the kind, by name or by prefix', () => {
  refused({ proposal: { policy_kind: 'SELL' } }, 'WRIT_SCOPE')
  refused({ writ: { scopes: [] } }, 'WRIT_SCOPE')
  staged({ writ: { scopes: [{ kind: 'B*' }] } })
  staged({ writ: { scopes: [{ kind: 'SELL' }, { kind: '*' }] } })
})

test('to ask for a person and to stop need no listing, and can be forbidden all the same', () => {
  const unlisted = { contract: { permissions: { policy_kinds: ['BUY'] } }, writ: { scopes: [] } }
  for (const kind of ['ESCALATE', 'RETIRE']) {
    staged(reserved(kind, unlisted))
    const permissions = { policy_kinds: ['BUY'], forbidden_kinds: [kind] }
    refused(reserved(kind, { contract: { permissions } }), 'KIND_FORBIDDEN')
  }
  refused(reserved('SPAWN_CHILD', { contract: unlisted.contract }), 'RBAC_DENIED')
  refused(reserved('SPAWN_CHILD', { writ: unlisted.writ }), 'WRIT_SCOPE')
})

test('an agent in maintenance may ask for a person or stop, and nothing else', () => {
  const facts = { agent: { maintenance: true } }
  refused({ facts }, 'AGENT_MAINTENANCE')
  for (const kind of ['SPAWN_CHILD', 'RESOLVE_ESCALATION'])
    refused(reserved(kind, { facts }), 'AGENT_MAINTENANCE')
  for (const kind of ['ESCALATE', 'RETIRE']) staged(reserved(kind, { facts }))
})
