import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, type ApprovalBody, computeAddress, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import type { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  approvalOf,
  approves,
  asks,
  type Case,
  DECIDED,
  LEAD,
  ledger,
  ORDER,
  OTHER,
  RAN,
  REQUEST,
  REQUESTED,
} from '../samples/sample-approvals.test-support.ts'
import { DFID } from '../samples/sample-ledger.test-support.ts'

/** Of a flow itself, so that nothing runs by it, and nothing else can be found. */
async function isFound(body: Partial<ApprovalBody>, change: Case = {}): Promise<boolean> {
  const { builder } = ledger({ approval: null, trace: [] })
  const request_id = `${DFID}:2`
  asks(builder, OTHER, { id: request_id, kind: 'asked', proposal_hash: null })
  approves(builder, { ...approvalOf(OTHER), request_id, ...body }, change)
  const at = places(await verifyTwice(builder.text()))
  if (at.length > 0) assert.deepEqual(at, [ORDER(RAN + 2)])
  return at.length > 0
}

test('AUTHORITY_ORDER: a decision has no reason that anybody can read', async () => {
  assert.ok(!(await isFound({ justification: 'x' })))
  for (const justification of ['', ' \t', '\u2800', '\u200b'])
    for (const decision of ['OVERRIDE', 'ABORT'] as const)
      assert.ok(await isFound({ justification, decision }), JSON.stringify(justification))
})

test('AUTHORITY_ORDER: an approval had ended when it was given, or has no end', async () => {
  const { builder } = ledger({ approval: null, trace: [] })
  asks(builder, OTHER, { id: 'a', kind: 'asked', proposal_hash: null })
  approves(builder, { ...approvalOf(OTHER), request_id: 'a' }, {})
  // Those of other ledgers are given at the same time.
  const at = builder.now()
  assert.ok(await isFound({ valid_until: at }))
  assert.ok(!(await isFound({ valid_until: at.replace('.000Z', '.001Z') })))
  assert.ok(await isFound({}, { without: 'valid_until' }))
  assert.ok(!(await isFound({ decision: 'ABORT' }, { without: 'valid_until' })))
})

test('AUTHORITY_ORDER: an OVERRIDE leaves a trigger in place', async () => {
  assert.ok(await isFound({ lifts: [] }))
  assert.ok(!(await isFound({ decision: 'ABORT', lifts: [] })))
})

test('AUTHORITY_ORDER: a decision has members of another word', async () => {
  assert.ok(await isFound({ retire: true }))
  assert.ok(!(await isFound({ retire: false })))
  assert.ok(!(await isFound({ decision: 'ABORT', retire: true })))
  const modified = { params: { amount: '5' } }
  for (const decision of ['OVERRIDE', 'ABORT'] as const)
    assert.ok(await isFound({ decision, modified }), decision)
})

test('AUTHORITY_ORDER: an agent retires the one that it was asked about', async () => {
  const by = { approver: `agent:${LEAD}`, person: '', retire: true, decision: 'ABORT' } as const
  const asked = { channel: `agent:${LEAD}` }
  const change = { request: asked, vouched_by: 'kernel', releases: null, approval: null, trace: [] }
  const own = { lifts: [] as string[] }
  const decide = async (body: object): Promise<string[]> => {
    const { builder } = ledger({ ...change, body } as unknown as Case)
    builder.entries.pop()
    return places(await verifyTwice(builder.text()))
  }
  assert.deepEqual(await decide({ ...by, ...own }), [ORDER(DECIDED)])
  assert.deepEqual(await decide({ ...by, ...own, retire: false }), [])
})

type Asked = JsonObject & {
  readonly facts: JsonObject
  readonly request: JsonObject & { readonly intent_digest: Address }
}

/** What was asked first, whose facts name a request that is released with them; null: none. */
function readAsked({ entries }: LedgerBuilder, released: string | null): Asked {
  const { payload } = entries.find(({ envelope }) => envelope.kind === 'pending_approval') ?? {}
  const asked = JSON.parse(payload ?? '{}') as Asked
  const approval = released === null ? null : { request_id: released }
  const facts = { ...asked.facts, approval }
  return { ...asked, facts, facts_hash: computeAddress('facts', facts, nodeCrypto.sha256) }
}

test('AUTHORITY_ORDER: something runs by an approval whose release was refused', async () => {
  const run = async (released: string | null): Promise<string[]> => {
    const { builder, again } = ledger()
    builder.entries.pop()
    const { request: _, ...decision } = readAsked(builder, released)
    const refused = { stage: 'policy', gate: 4, reason_code: 'POLICY_DENIED', details: {} }
    builder.append('main', 'rejection', { ...decision, ...refused }, { dfid: DFID })
    again()
    return places(await verifyTwice(builder.text()))
  }
  assert.deepEqual(await run(null), [])
  assert.deepEqual(await run('another'), [])
  assert.deepEqual(await run(REQUEST), [ORDER(RAN + 1)])
})

test('AUTHORITY_ORDER: a request is decided that was asked anew', async () => {
  const decide = async (released: string | null): Promise<string[]> => {
    const { builder } = ledger({ approval: null, trace: [] })
    const first = builder.entries.findIndex(({ envelope }) => envelope.kind === 'pending_approval')
    builder.entries.length = first + 1
    const { request, ...decision } = readAsked(builder, released)
    const anew = { ...request, id: `${REQUEST}:2`, facts_digest: decision.facts_hash ?? null }
    builder.append('main', 'pending_approval', { ...decision, request: anew }, { dfid: DFID })
    approves(builder, approvalOf(request.intent_digest), {})
    return places(await verifyTwice(builder.text()))
  }
  assert.deepEqual(await decide(null), [])
  assert.deepEqual(await decide(REQUEST), [ORDER(REQUESTED + 2)])
})
