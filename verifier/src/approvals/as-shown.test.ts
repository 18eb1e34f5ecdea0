/** People read a proposal and sign hashes: what they are shown is what they sign, and what runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  computeAddress,
  computeModificationDigest,
  type JsonObject,
  type JudgedModification,
  toCanonicalText,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import type { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  approvalOf,
  type Case,
  DECIDED,
  found,
  ledger,
  ORDER,
  OTHER,
  RAN,
  READ,
  REQUEST,
  REQUESTED,
  shownIn,
} from '../samples/sample-approvals.test-support.ts'

const { sha256 } = nodeCrypto

type Asked = JsonObject & { readonly proposal: JsonObject; readonly request: JsonObject }

/** The same ledger with another request, as whoever holds the keys would write it. */
async function foundWith(change: (asked: Asked) => JsonObject, of: Case = {}): Promise<string[]> {
  const { builder } = ledger(of)
  const entry = builder.entries[REQUESTED]
  assert.ok(entry?.envelope.kind === 'pending_approval' && entry.payload !== null)
  const payload = toCanonicalText(change(JSON.parse(entry.payload) as Asked))
  builder.entries[REQUESTED] = { ...entry, payload }
  builder.rehash(REQUESTED)
  return places(await verifyTwice(builder.text()))
}

test('what people are shown is another proposal than the one that runs', async () => {
  const show = (asked: Asked): JsonObject => ({ ...asked.proposal, params: { quantity: '0.1' } })
  const shown = await foundWith((asked) => ({ ...asked, proposal: show(asked) }))
  assert.deepEqual(shown, [ORDER(REQUESTED)], 'the request names what runs')
  const named = await foundWith((asked) => {
    const proposal_hash = computeAddress('proposal', show(asked), sha256)
    return { ...asked, proposal: show(asked), request: { ...asked.request, proposal_hash } }
  })
  assert.deepEqual(named, [ORDER(RAN)], 'the request names what it shows')
})

test('what runs was asked about without being shown, so that nobody judged its impact either', async () => {
  const hide = ({ salt, attempt, request }: Asked, kind: string): JsonObject => {
    return { salt: salt ?? '', attempt: attempt ?? 1, request: { ...request, kind } }
  }
  const hidden = await foundWith((asked) => hide(asked, 'proposal'))
  assert.deepEqual(hidden, [ORDER(REQUESTED), ORDER(RAN)])
  const silent = await foundWith((asked) => hide(asked, 'silence'))
  assert.deepEqual(silent, [ORDER(RAN)], 'it is said to be about the flow')
})

test('a request is of another kind, step, attempt or judgement than what it shows', async () => {
  const others: readonly JsonObject[] = [
    { kind: 'asked' },
    { step_id: 'step-2' },
    { step_id: null },
    { attempt: 2 },
    { facts_digest: OTHER },
    { proposal_hash: null },
  ]
  for (const other of others) {
    const seen = await foundWith(({ request, ...asked }) => {
      return { ...asked, request: { ...request, ...other } }
    })
    assert.ok(seen.includes(ORDER(REQUESTED)), JSON.stringify(other))
  }
})

const MODIFIED: JsonObject = { quantity: '1' }

/** A MODIFY of what was asked; `ran` is what runs besides the parameters that the person wrote. */
function modified(ran: JsonObject, written: JsonObject = { params: MODIFIED }): Case {
  const proposal = { ...written, ...ran, supersedes: OTHER }
  const { builder } = ledger({ proposal, approval: null })
  const releases = computeAddress('proposal', ranIn(builder), sha256)
  const modification: JudgedModification = {
    request_id: REQUEST,
    judged_for: 'p_ann',
    proposal_hash: releases,
    impact: 'LOW_IMPACT',
    impact_reasons: [],
    exposure: null,
    not_before: READ,
  }
  const digest: Address = computeModificationDigest(modification, sha256)
  const { decision: _, ...rest } = approvalOf(OTHER)
  const { intent_digest: __, ...said } = rest
  const body = { ...said, decision: 'MODIFY', modified: written, modification: digest } as const
  return { proposal, body: body as NonNullable<Case['body']>, releases, modification }
}

function ranIn({ entries }: LedgerBuilder): JsonObject {
  const { payload } = entries.at(-1) ?? {}
  return (JSON.parse(payload ?? '{}') as { proposal: JsonObject }).proposal
}

test('a MODIFY runs with more changed than the person wrote', async () => {
  assert.deepEqual(await found(modified({})), [])
  const changes: readonly JsonObject[] = [
    { execution_constraints: { max_price: '999' } },
    { confidence: 1 },
    { valid_until: '2026-02-01T09:45:00.000Z' },
  ]
  for (const change of changes) {
    const seen = await found(modified(change))
    assert.ok(seen.includes(ORDER(DECIDED)), JSON.stringify(change))
  }
})

test('what the agent had proposed stays where the person wrote nothing', async () => {
  const { builder } = ledger(modified({}))
  const { params, ...asked } = shownIn(builder)
  const { params: written, supersedes, ...ran } = ranIn(builder)
  assert.deepEqual(ran, asked)
  assert.notDeepEqual(written, params)
  assert.equal(supersedes, computeAddress('proposal', shownIn(builder), sha256))
})
