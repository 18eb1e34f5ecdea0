import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, type JsonObject } from 'rubicon-kernel'
import { places, verifyTwice } from './agreement.test-support.ts'
import { nodeCrypto } from './node-crypto.ts'
import {
  approvalOf,
  approves,
  asks,
  ledger,
  ORDER,
  OTHER,
  RAN,
} from './sample-approvals.test-support.ts'
import { contract, DEPLOY, DFID, OWNER } from './sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto

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
    const contract_hash = address('contract', next, sha256)
    builder.decree('contract', { ...DEPLOY, persons, contract: next, contract_hash })
    const request = { id: `${DFID}:2`, persons, needs: 2, approvers: approvers.of }
    asks(builder, OTHER, { ...request, ...change })
    return verifyTwice(builder.text()).then(places)
  }
  assert.deepEqual(await asked({}), [])
  for (const change of [{ needs: 1 }, { approvers: [] }, { approvers: ['ann@example.com'] }])
    assert.deepEqual(await asked(change), [ORDER(RAN + 2)], JSON.stringify(change))
})
