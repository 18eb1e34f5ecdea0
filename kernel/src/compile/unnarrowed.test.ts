import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract } from '../contract/contract.ts'
import { AGENT, type CasePatch, withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import { removeNarrowing } from './unnarrowed.ts'

const { contract: ofClass } = withCase({})
assert.ok(ofClass !== null)
const CLASS: Contract = { ...ofClass, agent_id: 'traders' }

/** What is said of an instance, and what would be without its narrowing. */
function said(patch: CasePatch): readonly string[] {
  const input = withCase(patch)
  return [input, removeNarrowing(input, CLASS)].map((one) => {
    const verdict = compile(one)
    return verdict.kind === 'rejected' ? verdict.code : verdict.kind
  })
}

const narrowed = { permissions: { policy_kinds: ['SELL'] } }

test('what only the contract of the instance refuses, that of the class does not', () => {
  assert.deepEqual(said({ contract: narrowed }), ['RBAC_DENIED', 'staged'])
  const observes: CasePatch = { contract: { authority: 'OBSERVE' } }
  assert.deepEqual(said(observes), ['AUTHORITY_OBSERVE_ONLY', 'staged'])
})

test('what only the writ of the instance refuses, that of the class does not, named or not', () => {
  const writ = { scopes: [{ kind: 'SELL' }] }
  assert.deepEqual(said({ writ }), ['WRIT_SCOPE', 'staged'])
  const writ_id = withCase({ writ }).writs[0]?.id ?? ''
  assert.deepEqual(said({ writ, proposal: { writ_id } }), ['WRIT_SCOPE', 'staged'])
})

test('below a parent it stays inside what the parent grants', () => {
  const child = { scopes: [] }
  assert.deepEqual(said({ writs: [child, {}] }), ['WRIT_SCOPE', 'staged'])
  assert.deepEqual(said({ writs: [child, child] }), ['WRIT_SCOPE', 'WRIT_SCOPE'])
})

test('a budget that the class does not name, and a key that a child was given, stay as they are', () => {
  const input = withCase({ contract: narrowed, writs: [{ subject_key: 'agent-1' }, {}] })
  const [leaf, above] = input.writs
  assert.ok(leaf !== undefined && above !== undefined)
  const rows = [
    { writ: leaf.id, measure: 'paper', granted: '3', used: '1' },
    { writ: above.id, measure: 'calls', granted: '9', used: '0' },
  ]
  const facts = { ...input.facts, value: { ...input.facts.value, budgets: rows } }
  const { facts: wider, writs } = removeNarrowing({ ...input, facts }, CLASS)
  assert.equal(writs[0]?.body.subject_key, 'agent-1')
  const [own, parents] = wider.value.budgets
  assert.deepEqual(own, { ...rows[0], writ: writs[0]?.id })
  assert.deepEqual(parents, rows[1], 'what the parent has is its own')
  const keyless = withCase({ contract: narrowed, writs: [{ subject_key: null }, {}] })
  const [child] = removeNarrowing(keyless, CLASS).writs
  assert.ok(child !== undefined && !('subject_key' in child.body), 'nor is it given one')
})

test('what has no writ, or one that nobody could have made, is refused either way', () => {
  const none = { ...withCase({ contract: narrowed }), writs: [] }
  const verdict = compile(removeNarrowing(none, CLASS))
  assert.equal(verdict.kind === 'rejected' && verdict.code, 'WRIT_MISSING')
  const alone = { delegation: { max_depth: 0, may_delegate: false } }
  const [, wider] = said({ contract: narrowed, writs: [{}, alone] })
  assert.equal(wider, 'DELEGATION_DEPTH')
})

test('it is still the proposal of the instance, and counted with its class', () => {
  const { contract } = removeNarrowing(withCase({ contract: narrowed }), CLASS)
  assert.deepEqual([contract?.agent_id, contract?.instance_of], [AGENT, 'traders'])
})
