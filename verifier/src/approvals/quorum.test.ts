import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, type Impact, type JsonObject, type JsonValue } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import {
  approvalOf,
  approves,
  asks,
  ledger,
  ORDER,
  OTHER,
  RAN,
} from '../samples/sample-approvals.test-support.ts'
import {
  contract,
  DEPLOY,
  DFID,
  grant,
  OWNER,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
const NEXT = '019c1200-0000-7000-8000-0000000000bb'

test('AUTHORITY_ORDER: a flow that was asked about does nothing until enough have sent it back', async () => {
  const about = (needs: number, approvals: readonly string[]): Promise<string[]> => {
    const { builder, again } = ledger({ approval: null, trace: [] })
    const bound = { id: `${DFID}:1.2`, kind: 'asked', needs }
    asks(builder, OTHER, { ...bound, proposal_hash: null })
    for (const person of approvals) {
      const body = { ...approvalOf(OTHER), request_id: bound.id, person, approver: person.slice(2) }
      approves(builder, body, {})
    }
    again()
    return verifyTwice(builder.text()).then(places)
  }
  assert.deepEqual(await about(1, ['p_ann']), [])
  assert.deepEqual(await about(2, ['p_ann', 'p_bob']), [])
  assert.deepEqual(await about(1, []), [ORDER(RAN + 2)])
  assert.deepEqual(await about(2, ['p_ann']), [ORDER(RAN + 3)])
  assert.deepEqual(await about(1, ['p_ann', 'p_bob']), [ORDER(RAN + 3)], 'it was sent back before')
})

test('AUTHORITY_ORDER: a request asks fewer people, or others, than the contract of its agent names', async () => {
  const approvers = { needs: 2, of: ['ann@example.com', 'bob@example.com'] }
  const persons = { owner: OWNER, approvers: ['p_ann', 'p_bob'] }
  const asked = (change: JsonObject): Promise<string[]> => {
    const { builder } = ledger({ approval: null, trace: [] })
    const next = { ...contract, version: '9.0.0', safety_rules: { approvers } }
    const contract_hash = computeAddress('contract', next, sha256)
    builder.decree('contract', { ...DEPLOY, persons, contract: next, contract_hash })
    const pinned = { dfid: NEXT, contract: { hash: contract_hash, seq: 0 } }
    grant(builder, writBody(builder, { nonce: NEXT }), pinned)
    const request = { id: `${DFID}:2`, persons, needs: 2, approvers: approvers.of }
    asks(builder, OTHER, { ...request, ...change }, {}, NEXT)
    return verifyTwice(builder.text()).then(places)
  }
  assert.deepEqual(await asked({}), [])
  for (const change of [{ needs: 1 }, { approvers: [] }, { approvers: ['ann@example.com'] }])
    assert.deepEqual(await asked(change), [ORDER(RAN + 3)], JSON.stringify(change))
})

test('AUTHORITY_ORDER: whoever had the contract deployed approves HIGH_IMPACT under it', async () => {
  const persons = { owner: OWNER, approvers: [], deployer: 'p_bob' }
  const decided = (person: string, impact: Impact): Promise<string[]> => {
    const { builder } = ledger({ approval: null, trace: [] })
    const next = { ...contract, version: '9.0.0' }
    const contract_hash = computeAddress('contract', next, sha256)
    const deployed = { ...DEPLOY, persons, contract: next, contract_hash, by: 'bob' }
    builder.decree('contract', deployed)
    const pinned = { dfid: NEXT, contract: { hash: contract_hash, seq: 0 } }
    grant(builder, writBody(builder, { nonce: NEXT }), pinned)
    const id = `${DFID}:2`
    asks(builder, OTHER, { id, persons, impact }, {}, NEXT)
    const said = {
      ...approvalOf(OTHER),
      dfid: NEXT,
      request_id: id,
      person,
      approver: person.slice(2),
    }
    approves(builder, { ...said, acknowledged_impact: impact }, { releases: OTHER, stands: NEXT })
    return verifyTwice(builder.text()).then(places)
  }
  assert.deepEqual(await decided('p_ann', 'HIGH_IMPACT'), [])
  assert.deepEqual(await decided('p_bob', 'LOW_IMPACT'), [])
  for (const person of ['p_bob', OWNER])
    assert.deepEqual(await decided(person, 'HIGH_IMPACT'), [ORDER(RAN + 4)])
})

test('AUTHORITY_ORDER: the owner approves HIGH_IMPACT though the contract does not allow it, or the record does not say so', async () => {
  const allowed = { self_approval: 'allowed' } as const
  type Said = typeof allowed | undefined
  const decided = (
    person: string,
    { rules, request, approval }: { readonly rules: Said; readonly request: Said; approval: Said },
    impact: Impact = 'HIGH_IMPACT',
  ): Promise<string[]> => {
    const { builder } = ledger({ approval: null, trace: [] })
    const safety_rules = { ...contract.safety_rules, ...rules }
    const next = { ...contract, version: '9.0.0', safety_rules }
    const contract_hash = computeAddress('contract', next, sha256)
    builder.decree('contract', { ...DEPLOY, contract: next, contract_hash })
    const pinned = { dfid: NEXT, contract: { hash: contract_hash, seq: 0 } }
    grant(builder, writBody(builder, { nonce: NEXT }), pinned)
    const id = `${DFID}:2`
    asks(builder, OTHER, { id, impact, ...request }, {}, NEXT)
    const who = { person, approver: person.slice(2), acknowledged_impact: impact }
    const said = { ...approvalOf(OTHER), dfid: NEXT, request_id: id, ...who }
    approves(builder, said, { releases: OTHER, stands: NEXT, ...approval })
    return verifyTwice(builder.text()).then(places)
  }
  const all = { rules: allowed, request: allowed, approval: allowed }
  const none = { rules: undefined, request: undefined, approval: undefined }
  const asked = ORDER(RAN + 3)
  const approved = ORDER(RAN + 4)
  assert.deepEqual(await decided(OWNER, all), [])
  assert.deepEqual(await decided('p_ann', { ...all, approval: undefined }), [])
  assert.deepEqual(await decided(OWNER, { ...all, approval: undefined }), [approved])
  assert.deepEqual(await decided('p_ann', all), [approved], 'it is nobody of his own')
  assert.deepEqual(await decided(OWNER, all, 'LOW_IMPACT'), [approved], 'nobody has to allow it')
  assert.deepEqual(await decided(OWNER, { ...none, approval: allowed }), [approved])
  assert.deepEqual(await decided(OWNER, { ...all, rules: undefined }), [asked])
  assert.deepEqual(await decided('p_ann', { ...none, rules: allowed }), [asked])
})

test('ENTRY_UNREADABLE: a deployment names whoever had it signed, and says nothing of which person', async () => {
  const unnamed = { owner: OWNER, approvers: [] }
  for (const change of [{ by: 'bob' }, { persons: { ...unnamed, deployer: 'p_bob' } }]) {
    const { builder } = ledger({ approval: null, trace: [] })
    const next = { ...contract, version: '9.0.0' }
    const contract_hash = computeAddress('contract', next, sha256)
    builder.decree('contract', { ...DEPLOY, contract: next, contract_hash, ...change })
    const report = places(await verifyTwice(builder.text()))
    assert.deepEqual(report, [`${RAN + 1} ENTRY_UNREADABLE`])
  }
})

test('what an operator signs may name the person who had it signed', async () => {
  const next = { ...contract, version: '2.0.0' }
  const contract_hash = computeAddress('contract', next, sha256)
  const persons = { owner: OWNER, approvers: [], deployer: 'p_ann' }
  const found = async (by: JsonValue): Promise<string[]> => {
    const { builder } = ledger({ approval: null, trace: [] })
    builder.decree('contract', { ...DEPLOY, persons, contract: next, contract_hash, by })
    const id = `${contract.agent_id}@2.0.0`
    builder.decree('revocation', { target: 'contract', id, reason: 'mistake', by })
    return places(await verifyTwice(builder.text()))
  }
  assert.deepEqual(await found('ann'), [])
  const unreadable = [RAN + 1, RAN + 2].map((leaf) => `${leaf} ENTRY_UNREADABLE`)
  assert.deepEqual(await found(7), unreadable)
})
