import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { judgeAtomKind } from './atom-issue.ts'
import { baseCase, type CasePatch, withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import type { Verdict } from './verdict.ts'

const GOOD: CasePatch = { atom: {} }
const codeOf = (verdict: Verdict): string =>
  verdict.kind === 'rejected' ? `${verdict.stage} ${verdict.code}` : verdict.kind
const listCovered = ({ trace }: Verdict): readonly string[] =>
  trace.filter(({ covered }) => covered === true).map(({ stage }) => stage)
const judge = (patch: CasePatch): Verdict => compile(withCase(patch))

test('with a good atom the stages that it covers are answered from it, the trace says so, and the intent names it', () => {
  const verdict = judge(GOOD)
  assert.equal(verdict.kind, 'staged')
  assert.deepEqual(listCovered(verdict), ['signature', 'scope', 'capability'])
  assert.deepEqual(
    verdict.trace.map(({ stage }) => stage),
    compile(baseCase()).trace.flatMap(({ stage }) =>
      stage === 'repeat' ? [stage, 'atom'] : [stage],
    ),
  )
  assert.ok(verdict.kind === 'staged')
  assert.equal(verdict.intent.atom_id, withCase(GOOD).proposal.atom_id)
})

test('an atom that was issued on something else covers nothing, and the verdict is the one without it', () => {
  const changed: readonly JsonObject[] = [
    { authority_seq: 6 },
    { rules_hash: `sha256:${'0'.repeat(64)}` },
    { snapshot_id: `sha256:${'6'.repeat(64)}` },
    { mission_context_hash: `sha256:${'7'.repeat(64)}` },
    { capability_hashes: { BUY: `sha256:${'8'.repeat(64)}` } },
    { capability_hashes: { BUY: null } },
  ]
  for (const atom of changed) {
    const verdict = judge({ atom: { atom } })
    assert.equal(verdict.kind, 'staged', JSON.stringify(atom))
    assert.deepEqual(listCovered(verdict), [], JSON.stringify(atom))
  }
})

test('an atom of another flow, agent, contract, writ or kind, or without the signature of the kernel, is none', () => {
  const other = `sha256:${'9'.repeat(64)}`
  for (const patch of [
    { atom: { dfid: '0195555c-0000-7000-8000-000000000002' } },
    { atom: { agent_id: 'somebody' } },
    { atom: { contract_hash: other } },
    { atom: { writ_id: other } },
    { atom: { policy_kinds: ['SELL'] } },
    { signature: { valid: false } },
    { signature: { purpose: 'agent' } },
    { signature: { purpose: null } },
  ])
    assert.equal(
      codeOf(judge({ atom: patch as JsonObject })),
      'atom ATOM_INVALID',
      JSON.stringify(patch),
    )
  const atom_id = other
  assert.equal(codeOf(judge({ proposal: { atom_id } })), 'atom ATOM_INVALID')
  assert.equal(codeOf(judge({ ...GOOD, proposal: { atom_id } })), 'atom ATOM_INVALID')
})

test('an atom ends at its end, and once it was used or given back', () => {
  assert.equal(judge({ ...GOOD, facts: { now: '2026-03-02T10:00:19.999Z' } }).kind, 'staged')
  const ends = { atom: { atom: { expires_at: '2026-03-02T10:00:00.000Z' } } }
  assert.equal(codeOf(judge(ends)), 'atom ATOM_EXPIRED')
  assert.equal(codeOf(judge({ atom: { ended: 'used' } })), 'atom ATOM_USED')
  assert.equal(codeOf(judge({ atom: { ended: 'returned' } })), 'atom ATOM_EXPIRED')
  const unread = { atom: { atom: { expires_at: 'soon' } } }
  assert.equal(codeOf(judge(unread)), 'atom ATOM_EXPIRED')
})

test('a step that is claimed is answered, whatever became of its atom', () => {
  const claim = { status: 'SUCCESS' }
  assert.equal(judge({ atom: { ended: 'used' }, facts: { claim } }).kind, 'repeated')
})

test('what a later moment can change is asked with an atom as without one', () => {
  const later: readonly CasePatch[] = [
    { facts: { agent: { status: 'SUSPENDED' } } },
    { facts: { agent: { maintenance: true } } },
    { facts: { contract: { revoked: true } } },
    { facts: { flow: { revoked_writ: `sha256:${'1'.repeat(64)}` } } },
    { facts: { writs: { 0: { revoked: true } } } },
    { facts: { writs: { 0: { signature: { valid: false } } } } },
    { facts: { audience: 'elsewhere' } },
    { facts: { tenant: 'others' } },
    { facts: { budgets: { calls: { used: '100' } } } },
    { facts: { in_force: { rules: [] } } },
    { facts: { auth: { agent_id: 'somebody' } } },
    { facts: { auth: { key: { key_id: 'k', purpose: 'agent', subject: 'somebody' } } } },
    {
      facts: { now: '2026-03-02T11:00:00.000Z' },
      atom: { atom: { expires_at: '2026-03-02T12:00:00.000Z' } },
    },
    { proposal: { params: { instrument: 'ETH-USD', quantity: '1000000' } } },
    { capability: 'changed' },
    { facts: { flow: { trajectory: 'what-if' } } },
  ]
  for (const patch of later) {
    const { atom: _, ...plain } = patch
    const without = codeOf(judge(plain))
    assert.notEqual(without, 'staged', JSON.stringify(patch))
    assert.equal(codeOf(judge({ ...GOOD, ...patch })), without, JSON.stringify(patch))
  }
})

test('where the rules ask for an atom, a proposal without one is refused before every stage', () => {
  const topologies = [{ topology: 'SDS', policy_kinds: ['BUY'] }] as const
  const verdict = judge({ topologies })
  assert.equal(codeOf(verdict), 'proof TOPOLOGY_MISMATCH')
  assert.ok(verdict.kind === 'rejected')
  assert.equal(verdict.details.wanted, 'SDS')
  assert.equal(judge({ ...GOOD, topologies }).kind, 'staged')
})

test('no atom is issued for what contract, writs, times or capabilities do not allow', () => {
  const judgeKind = (patch: CasePatch, policy_kind = 'BUY') => {
    const input = withCase(patch)
    return judgeAtomKind({ ...input, proposal: { ...input.proposal, policy_kind } })
  }
  const good = judgeKind({})
  assert.deepEqual(good.ok && { ...good.cost }, { calls: '1', usd: '0.01' })
  const refused: readonly (readonly [CasePatch, string, string?])[] = [
    [{}, 'RBAC_DENIED', 'TRANSFER'],
    [{}, 'KIND_FORBIDDEN', 'WITHDRAW'],
    [{}, 'WRIT_SCOPE', 'SELL'],
    [{ facts: { agent: { status: 'SUSPENDED' } } }, 'AGENT_SUSPENDED'],
    [{ facts: { writs: { 0: { signature: { valid: false } } } } }, 'WRIT_SIGNATURE_INVALID'],
    [{ facts: { writs: { 0: { signature: { purpose: null } } } } }, 'WRIT_UNTRUSTED_ISSUER'],
    [{ facts: { now: '2026-03-02T11:00:00.000Z' } }, 'WRIT_EXPIRED'],
    [{ writ: { effect_ceiling: { external: false } } }, 'EFFECT_CEILING'],
    [{ facts: { flow: { trajectory: 'what-if' } } }, 'BRANCH_EFFECT'],
    [{ capability: 'changed' }, 'CAPABILITY_UNKNOWN'],
  ]
  for (const [patch, code, kind] of refused) {
    const judged = judgeKind(patch, kind)
    assert.equal(judged.ok ? 'issued' : judged.refusal.code, code, JSON.stringify(patch))
  }
})
