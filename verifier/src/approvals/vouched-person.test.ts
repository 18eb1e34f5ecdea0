import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApprovalBody, toCanonicalText } from 'rubicon-kernel'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import type { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import {
  ANN,
  approvalOf,
  approves,
  asks,
  BOB,
  type Case,
  JANE,
  ledger,
  ORDER,
  OTHER,
  register,
  SECOND,
} from '../samples/sample-approvals.test-support.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import { DFID } from '../samples/sample-ledger.test-support.ts'

const LATER = { ...sampleKey('approver', 'later'), subject: ANN.subject }

type Change = (builder: LedgerBuilder) => unknown

/** A flow of which somebody is asked; Ann, Bob and Jane, its owner, have a key each. */
function decide(
  change: Change,
  said: Partial<ApprovalBody> = {},
  vouched: Pick<Case, 'vouched_by' | 'signer'> = {},
): LedgerBuilder {
  const { builder } = ledger({ approval: null, trace: [] })
  change(builder)
  const request_id = `${DFID}:2`
  asks(builder, OTHER, { id: request_id, kind: 'asked', needs: 1, proposal_hash: null })
  approves(builder, { ...approvalOf(OTHER), request_id, ...said }, vouched)
  return builder
}

/** Whether the decision, which is the last entry, is found; and that nothing else is. */
async function isFound(builder: LedgerBuilder): Promise<boolean> {
  const found = places(await verifyTwice(builder.text()))
  if (found.length > 0) assert.deepEqual(found, [ORDER(builder.entries.length - 1)])
  return found.length > 0
}

const link = (person_id: string, key_id: string): Change => {
  return (builder) => builder.decree('person', { action: 'link', person_id, identity: { key_id } })
}
const unlink = (person_id: string, key_id: string): Change => {
  const identity = { key_id }
  return (builder) => builder.decree('person', { action: 'unlink', person_id, identity })
}
const inOrder = (...changes: readonly Change[]): Change => {
  return (builder) => {
    for (const change of changes) change(builder)
  }
}
const retire: Change = (builder) => builder.endKey(ANN)
const retireAll: Change = (builder) => {
  for (const key of [ANN, BOB, JANE, SECOND]) builder.endKey(key)
}
const meetEve: Change = (builder) => register(builder, 'p_eve')
const add: Change = (builder) => builder.addKey(LATER)
const BOB_SAYS = { person: 'p_bob', approver: 'bob@example.com' }
const EVE_SAYS = { person: 'p_eve', approver: 'eve@example.com' }

test('AUTHORITY_ORDER: an operator vouches for somebody whose key for approving has ended', async () => {
  const all: Readonly<Record<string, Change>> = {
    retired: retire,
    compromised: (builder) => builder.endKey(ANN, 0),
    'everybody’s is retired': retireAll,
    'retired, and the next one is nobody’s': inOrder(retire, add),
    'retired, and the next one is of another': inOrder(retire, add, link('p_bob', LATER.id)),
    unlinked: unlink('p_ann', ANN.id),
  }
  for (const [what, change] of Object.entries(all)) assert.ok(await isFound(decide(change)), what)
  for (const change of [retireAll, inOrder(retireAll, add, link('p_ann', LATER.id))])
    assert.ok(await isFound(decide(change, BOB_SAYS)), 'nobody has one, or somebody else does')
})

test('AUTHORITY_ORDER: an operator vouches for somebody who never had a key for approving, where others had one', async () => {
  assert.ok(await isFound(decide(meetEve, EVE_SAYS)))
  assert.ok(
    await isFound(decide(inOrder(meetEve, retireAll), EVE_SAYS)),
    'also where all of them have ended',
  )
})

test('AUTHORITY_ORDER: whoever has no key for approving aborts nothing either', async () => {
  assert.ok(await isFound(decide(retire, { decision: 'ABORT' })))
  assert.ok(!(await isFound(decide(() => {}, { decision: 'ABORT' }))))
})

test('whoever has a key in use may be vouched for, whatever became of other keys', async () => {
  const all: Readonly<Record<string, Change>> = {
    'nothing changed': () => {},
    rotated: inOrder(retire, add, link('p_ann', LATER.id)),
    'rotated the other way round': inOrder(add, link('p_ann', LATER.id), retire),
    'a key of another': (builder) => builder.endKey(BOB),
  }
  for (const [what, change] of Object.entries(all))
    assert.ok(!(await isFound(decide(change))), what)
  assert.ok(!(await isFound(decide(retire, BOB_SAYS))))
})

test('a key is that of everybody who counts as its person', async () => {
  const merge: Change = (builder) =>
    builder.decree('person', { action: 'merge', person_id: 'p_eve', into: 'p_ann' })
  const both = inOrder(meetEve, merge)
  assert.ok(!(await isFound(decide(both, EVE_SAYS))))
  assert.ok(await isFound(decide(inOrder(both, retire), EVE_SAYS)))
})

test('a decision stands, whatever becomes of the key afterwards', async () => {
  for (const since of [undefined, 0]) {
    const builder = decide(() => {})
    builder.endKey(ANN, since)
    assert.deepEqual(places(await verifyTwice(builder.text())), [], `since ${since}`)
  }
})

test('whoever signs it needs nobody to vouch', async () => {
  const own = { vouched_by: 'approver', signer: () => LATER } as const
  const rotated = inOrder(retire, add, link('p_ann', LATER.id))
  assert.ok(!(await isFound(decide(rotated, {}, own))))
})

test('in a bundle a key of nobody may be that of whoever decides: who has it may be left out', async () => {
  const bundled = (change: Change): string => {
    const bundle = decide(change).bundle(DFID, undefined)
    return toCanonicalText(bundle as unknown as Parameters<typeof toCanonicalText>[0])
  }
  const found = async (change: Change): Promise<readonly string[]> => {
    const { findings } = await verifyTwice(bundled(change))
    return findings.filter(({ detail }) => detail.includes('vouch')).map(({ code }) => code)
  }
  assert.deepEqual(await found(() => {}), [])
  assert.deepEqual(await found(inOrder(retire, add)), [])
  assert.deepEqual(await found(retire), ['AUTHORITY_ORDER'])
})
