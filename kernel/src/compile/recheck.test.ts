import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReasonCode } from '../reason.ts'
import { AGENT, type CasePatch, withCase } from './case.test-support.ts'
import { suspended } from './expect.test-support.ts'
import { listRecheckedStages, recheck, recheckUndo } from './recheck.ts'

const again = (patch: CasePatch): ReasonCode | null =>
  recheck(withCase(patch)).refusal?.code ?? null

test('what still stands passes, with what was measured and what it needs to hold', () => {
  const { refusal, measures, resources } = recheck(withCase({}))
  assert.equal(refusal, null)
  assert.deepEqual({ ...measures }, { order_value_usd: '4000', quantity: '2' })
  assert.deepEqual(resources, [
    { id: 'account:ACC-1', amount: '2' },
    { id: 'position:ETH-USD', amount: '1' },
  ])
})

test('the state of things is that of now, not that of the decision', () => {
  const facts = { state: { 'market.price.ETH-USD': { value: '2100' } } }
  assert.equal(recheck(withCase({ facts })).measures.order_value_usd, '4200')
  const law: CasePatch['law'] = {
    resources: (_, view) => [
      { id: 'pool', amount: '1', capacity: String(view.state('accounts.settlement')?.value) },
    ],
  }
  const less = { state: { 'accounts.settlement': { value: '3' } } }
  assert.deepEqual(recheck(withCase({ law, facts: less, proposal: { grounds: {} } })).resources, [
    { id: 'pool', amount: '1', capacity: '3' },
  ])
})

test('time: a writ, a contract or a deadline that has passed meanwhile', () => {
  const now = '2026-03-02T10:00:00.000Z'
  assert.equal(again({ writ: { window: { expires_at: now } } }), 'WRIT_EXPIRED')
  assert.equal(again({ contract: { effective_until: now } }), 'CONTRACT_NOT_EFFECTIVE')
  assert.equal(again({ proposal: { valid_until: now } }), 'TTL_EXPIRED')
})

test('keys: what a signature was worth then, it may be worth no longer', () => {
  const key = { key_id: 'key-1', purpose: 'agent', subject: AGENT } as const
  const spoken = (signature: object): CasePatch => ({
    facts: { auth: { kind: 'signature', signature: { ...key, valid: true, ...signature } } },
  })
  assert.equal(again(spoken({})), null)
  assert.equal(again(spoken({ purpose: null, subject: null })), 'KEY_PURPOSE', 'compromised')
  assert.equal(again(spoken({ valid: false })), 'PROPOSAL_SIGNATURE_INVALID', 'retired')
  const inSession = { kind: 'session', agent_id: AGENT } as const
  assert.equal(again({ facts: { auth: { ...inSession, key } } }), null)
  const ended = { ...key, purpose: null, subject: null }
  assert.equal(again({ facts: { auth: { ...inSession, key: ended } } }), 'KEY_PURPOSE', 'ended')
  const compromised = { signature: { purpose: null, subject: null } }
  assert.equal(again({ facts: { writs: { 0: compromised } } }), 'WRIT_UNTRUSTED_ISSUER')
})

test('authority: the flow is over with its own writ, whichever was named', () => {
  const revoked_writ = `sha256:${'0'.repeat(64)}` as const
  assert.equal(again({ facts: { flow: { revoked_writ } } }), 'WRIT_REVOKED')
})

test('authority: an agent, a contract or a writ that has ended meanwhile', () => {
  assert.equal(again({ facts: { agent: { status: 'SUSPENDED' } } }), 'AGENT_SUSPENDED')
  assert.equal(again({ facts: { contract: { revoked: true } } }), 'CONTRACT_REVOKED')
  assert.equal(again({ facts: { writs: { 0: { revoked: true } } } }), 'WRIT_REVOKED')
})

test('place: what leaves World is not sent from a branch, whoever let it pass', () => {
  assert.equal(again({ facts: { flow: { trajectory: 'what-if' } } }), 'BRANCH_EFFECT')
})

test('capability: another one than was approved', () => {
  assert.equal(again({ capability: 'changed' }), 'CAPABILITY_UNKNOWN')
})

test('budget: what others have taken meanwhile', () => {
  assert.equal(again({ facts: { budgets: { calls: { used: '99' } } } }), null)
  assert.equal(again({ facts: { budgets: { calls: { used: '100' } } } }), 'BUDGET_EXCEEDED')
})

test('preconditions: limits and the capability’s own word', () => {
  const dear = { facts: { state: { 'market.price.ETH-USD': { value: '25000.01' } } } }
  assert.equal(again(dear), 'ORDER_VALUE_EXCEEDED')
  assert.equal(again({ capability: 'precondition_fails' }), 'PRECONDITION_FAILED')
})

test('a refusal says why and hands out nothing to go on with', () => {
  const { refusal, measures, resources } = recheck(withCase({ capability: 'precondition_fails' }))
  assert.deepEqual(refusal, {
    code: 'PRECONDITION_FAILED',
    details: { missing: 'the market is closed' },
  })
  assert.deepEqual([measures, resources], [{}, []])
})

test('what would ask for a person now is sent back, since nobody asked one', () => {
  const limit = { id: 'size', kind: 'range', measure: 'quantity', max: '1', on_breach: 'escalate' }
  const contract = { permissions: { limits: [limit] } }
  suspended({ contract }, 'AUTHORITY_CEILING')
  assert.equal(again({ contract }), 'AUTHORITY_CEILING')
})

test('what was judged on bytes that cannot change is not judged again', () => {
  assert.equal(again({ capability: 'validate_throws' }), null)
  assert.equal(again({ policy: 'denies' }), null)
})

test('rules that were replaced since send nothing', () => {
  assert.equal(again({ facts: { in_force: { rules: ['sha256:other'] } } }), 'RULES_NOT_IN_FORCE')
})

test('the trace names what was asked once more, up to what refused', () => {
  const names = (patch: CasePatch, how = recheck): readonly string[] =>
    how(withCase(patch)).trace.map(({ stage, said }) => `${stage} ${said}`)
  assert.deepEqual(
    names({}),
    listRecheckedStages(false).map((stage) => `${stage} pass`),
  )
  const revoked = { facts: { contract: { revoked: true } } }
  assert.deepEqual(names(revoked), ['signature pass', 'window pass', 'scope reject'])
  const { trace, trace_text } = recheck(withCase({}))
  assert.deepEqual(JSON.parse(trace_text), JSON.parse(JSON.stringify(trace)))
  assert.deepEqual(
    names({}, recheckUndo),
    listRecheckedStages(true).map((stage) => `${stage} pass`),
  )
})

test('what takes back is asked for the authority of its choice, and for nothing else', () => {
  const again = (patch: CasePatch): ReasonCode | null =>
    recheckUndo(withCase(patch)).refusal?.code ?? null
  assert.equal(again({ facts: { agent: { status: 'SUSPENDED' } } }), 'AGENT_SUSPENDED')
  assert.equal(
    again({ writ: { window: { expires_at: '2026-03-02T10:00:00.000Z' } } }),
    'WRIT_EXPIRED',
  )
  assert.equal(again({ facts: { writs: { 0: { revoked: true } } } }), 'WRIT_REVOKED')
  assert.equal(again({ facts: { budgets: { calls: { used: '100' } } } }), null)
  assert.equal(again({ facts: { in_force: { rules: [], capability: [] } } }), null)
})

test('what takes back is not sent on the word of a key that is worth nothing any more', () => {
  assert.deepEqual(listRecheckedStages(true), ['signature', 'window', 'scope'])
  const signature = { key_id: 'key-1', purpose: null, subject: null, valid: true }
  const compromised: CasePatch = { facts: { auth: { kind: 'signature', signature } } }
  assert.equal(recheckUndo(withCase(compromised)).refusal?.code, 'KEY_PURPOSE')
})
